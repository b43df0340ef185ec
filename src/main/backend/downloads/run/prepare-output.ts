import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { findAsset } from '#shared/stac/asset.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { hasDiskCode, toDiskError } from '../file/disk-error.ts';
import { createPartFile, isOwnPart } from '../file/own-part.ts';
import { partPathOf } from '../file/part-name.ts';
import { deletePart, deletePartNote } from '../file/part-note.ts';
import { syncFolder } from '../file/publish.ts';
import { verifyFile, type VerifiedFile } from '../file/verify-file.ts';
import { readJson } from '../file/write-json.ts';
import type { ItemFolder } from '../output/item-folders.ts';
import { fileNameOf, foldersOf, sidecarNames } from '../output/output-layout.ts';
import { findEntry, readReceipt, sourceOf } from '../output/receipt.ts';
import { clashKey, numberName, toSafeName } from '../output/safe-names.ts';
import { noValidators } from '../queue/transfer-row.ts';
import { bringPart } from './bring-part.ts';
import { publishingOf } from './publishing-of.ts';
import type { TransferRun } from './transfer-run.ts';

const mostCopies = 1000;
// Encrypted folders take 143 bytes, and the part's own ending needs some; of a path that is full, little is left.
const longestNameBytes = 220;
const nameLengths = [longestNameBytes, 110, 40];

/** The file is there already, from an earlier download, and was verified now. */
export interface AlreadyThere {
  path: string;
  file: VerifiedFile;
  hasReceipt: boolean;
}

/**
 * Makes sure that the transfer has a folder, a final name that nobody else has, and a part file beside it. Gives the
 * file that is already there, if it is the very same.
 * @throws AppError `transfer.destination-missing`, `transfer.destination-not-writable`, `transfer.disk-full`,
 *   `transfer.disk-error`, `transfer.fs-too-small`, `transfer.path-too-long`
 */
export async function prepareOutput(run: TransferRun): Promise<AlreadyThere | null> {
  const { row } = run;
  try {
    if (row.filePath === null || row.nameKey === null || !(await takesUp(run, row.filePath))) {
      const key = [row.destination, row.downloadId, row.collectionId, row.itemId].join('\0');
      const folder = await run.parts.itemFolders.enter(row.transferId, key, () => findFolder(run));
      const found = await takeName(run, folder);
      if (found !== null) {
        await dropPart(run);
        return found;
      }
    }
    await claimSpace(run);
    return null;
  } catch (error) {
    throw toDiskError(error, row.destination);
  }
}

// A part that waits in another folder proves nothing of the volume that this one is on.
function partInside({ row: { filePath, partPath } }: TransferRun): string | null {
  if (filePath === null || partPath === null) return null;
  return dirname(filePath) === dirname(partPath) ? partPath : null;
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !/^\.\.[/\\]/.test(inside) && !isAbsolute(inside);
}

async function dropPart(run: TransferRun): Promise<void> {
  const { partPath } = run.row;
  if (partPath !== null) await deletePart(partPath, publishingOf(run));
}

/** Takes the next free name for a file whose own was taken in the meantime by somebody else. @throws AppError `transfer.*` */
export async function chooseOtherName(run: TransferRun): Promise<void> {
  const { filePath } = run.row;
  if (filePath === null) throw new AppError('internal', 'A transfer without a name has no other name');
  await reserveName(run, await lookThrough(run, dirname(filePath)), { isKnownToDiffer: true });
}

// False where it had its name in another folder.
async function takesUp(run: TransferRun, filePath: string): Promise<boolean> {
  const root = await enter(run);
  if (!isInside(root, filePath)) return false;
  await makeFolder(run, root, relative(root, dirname(filePath)));
  await ensurePart(run);
  return true;
}

function enter(run: TransferRun): Promise<string> {
  return run.parts.volumes.enter(run.row.destination, partInside(run));
}

async function findFolder(run: TransferRun): Promise<ItemFolder> {
  return lookThrough(run, await chooseFolder(run, await enter(run)));
}

async function lookThrough({ parts: { disk } }: TransferRun, path: string): Promise<ItemFolder> {
  const names = new Map((await disk.readdir(path)).map((name) => [clashKey(name), name]));
  // Ours, there or not: an asset of that name takes the next one.
  for (const name of Object.values(sidecarNames)) names.set(clashKey(name), '');
  return { path, names };
}

async function chooseFolder(run: TransferRun, root: string): Promise<string> {
  const { row } = run;
  const names = foldersOf(row, run.item);
  const collection = await claimFolder(run, root, {
    parent: '',
    name: names.collection,
    sidecar: 'collection.json',
    owner: [row.collectionId],
  });
  const year = await makeFolder(run, root, join(collection, names.year));
  const item = await claimFolder(run, root, {
    parent: relative(root, year),
    name: names.item,
    sidecar: sidecarNames.item,
    owner: [row.collectionId, row.itemId],
  });
  return join(root, item);
}

interface FolderClaim {
  parent: string;
  name: string;
  sidecar: string;
  /** Ids from the outside inwards; the last is that of the sidecar. */
  owner: string[];
}

// Two ids may make names that are one name to some file system.
async function claimFolder(run: TransferRun, root: string, claim: FolderClaim): Promise<string> {
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const path = join(claim.parent, numberName(claim.name, copy));
    if (!run.parts.store.claimFolder(clashKey(join(root, path)), JSON.stringify(claim.owner))) continue;
    const folder = await makeFolder(run, root, path);
    const sidecar = await readJson(join(folder, claim.sidecar), run.parts.disk);
    if (!isJsonObject(sidecar) || sidecar['id'] === claim.owner.at(-1)) return path;
  }
  throw new AppError('transfer.disk-error', 'No free name for a folder', { details: { path: root } });
}

/** Makes a folder below the root, one level at a time so that no link can lead the way out of it. */
async function makeFolder({ parts: { disk } }: TransferRun, root: string, path: string): Promise<string> {
  let folder = root;
  for (const name of path.split(/[/\\]/)) {
    const parent = folder;
    folder = join(parent, name);
    try {
      await disk.mkdir(folder);
      await syncFolder(parent, disk);
    } catch (error) {
      if (!hasDiskCode(error, 'EEXIST')) throw error;
    }
    const real = await disk.realpath(folder);
    const { kind } = await disk.lstat(real);
    if (kind !== 'folder') {
      throw new AppError('transfer.destination-not-writable', `${folder} is in the way of a folder`, {
        details: { path: folder, reason: 'NO_FOLDER' },
      });
    }
    const inside = relative(root, real);
    if (inside === '' || isAbsolute(inside) || inside.startsWith('..')) {
      throw new AppError('transfer.destination-not-writable', 'A folder leads out of the destination', {
        details: { path: folder, reason: 'OUTSIDE' },
      });
    }
  }
  return folder;
}

// What is too long shows only when a file is made.
async function takeName(run: TransferRun, folder: ItemFolder): Promise<AlreadyThere | null> {
  for (const [index, maxBytes] of nameLengths.entries()) {
    try {
      const found = await reserveName(run, folder, { maxBytes });
      if (found === null) await ensurePart(run);
      return found;
    } catch (error) {
      const isTooLong = hasDiskCode(error, 'ENAMETOOLONG') || isAppError(error, 'transfer.path-too-long');
      if (!isTooLong || index === nameLengths.length - 1) throw error;
      run.update({ nameKey: null, filePath: null });
    }
  }
  return null;
}

async function reserveName(
  run: TransferRun,
  folder: ItemFolder,
  options: { isKnownToDiffer?: boolean; maxBytes?: number } = {},
): Promise<AlreadyThere | null> {
  const wanted = wantedName(run, options.maxBytes);
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const name = numberName(wanted, copy, options.maxBytes);
    const filePath = join(folder.path, name);
    const taken = folder.names.get(clashKey(name));
    const nameKey = clashKey(filePath);
    if (taken === name && !options.isKnownToDiffer && !run.parts.store.isOfOther(filePath, run.row)) {
      const same = await findSame(run, filePath);
      // Of several assets with the same bytes and name one has the file that is there.
      if (same !== null && run.reserveName({ nameKey, filePath })) return same;
    }
    if (taken !== undefined) continue;
    if (run.reserveName({ nameKey, filePath })) return null;
  }
  throw new AppError('transfer.disk-error', 'No free name for the file', { details: { path: folder.path } });
}

function wantedName({ item, row }: TransferRun, maxBytes: number = longestNameBytes): string {
  const asset = findAsset(item, row.assetKey);
  return asset ? fileNameOf(asset, maxBytes) : toSafeName(row.assetKey, { maxBytes });
}

// The same by the catalog's checksum; without one, by our own receipt: the bytes are still those that came then.
async function findSame(run: TransferRun, path: string): Promise<AlreadyThere | null> {
  const { announcedBytes, announcedChecksum, assetKey, mediaType } = run.row;
  const { disk } = run.parts;
  const { sizeBytes, kind } = await disk.lstat(path).catch(() => ({ sizeBytes: 0, kind: 'other' }));
  if (kind !== 'file' || (announcedBytes !== null && announcedBytes !== sizeBytes)) return null;
  const receipt = await readReceipt(join(dirname(path), sidecarNames.receipt), disk);
  const entry = findEntry(receipt, { assetKey, filePath: path });
  try {
    const file = await verifyFile({
      path,
      announcedBytes,
      announcedChecksum,
      totalBytes: null,
      expected: { mediaType, fileName: basename(path) },
      signal: run.signal,
      disk,
    });
    // Without a checksum of the catalog's, the same name says nothing of a file that is had from elsewhere now.
    const isOfReceipt = file.digest === entry?.checksum && entry.source === sourceOf(run.item, assetKey);
    const isSame = file.verification === 'checksum' || isOfReceipt;
    return isSame ? { path, file, hasReceipt: entry !== undefined } : null;
  } catch (error) {
    if (run.signal.aborted) throw error;
    return null;
  }
}

async function ensurePart(run: TransferRun): Promise<void> {
  const { row } = run;
  if (row.filePath === null) throw new AppError('internal', 'A part file needs a name');
  const folder = dirname(row.filePath);
  if (row.partPath !== null && dirname(row.partPath) !== folder) {
    if (await bringFrom(run, row.partPath, row.filePath)) return;
  } else if (row.partPath !== null) {
    if (await isOwn(run, row.partPath)) return;
    // It would be taken for the note of an unfinished file for ever.
    await deletePartNote(row.partPath, publishingOf(run));
  }
  const { disk } = run.parts;
  for (const partPath of partNames(run, row.filePath)) {
    // An empty one of that name is what a crash has left of making it.
    const made = await createPartFile(partPath, disk);
    if (made === null && !(await isOwn(run, partPath, 0))) continue;
    run.keepNewPart(made);
    await syncFolder(folder, disk);
    run.update({ partPath, durableBytes: 0, progressBytes: 0, ...noValidators, sourceOrigin: null });
    return;
  }
  throw new AppError('transfer.disk-error', 'No free name for the part file', { details: { path: folder } });
}

function* partNames({ row: { transferId }, parts }: TransferRun, filePath: string): Generator<string> {
  const owner = { transferId, tag: parts.store.partTag() };
  for (let copy = 1; copy <= mostCopies; copy += 1) yield partPathOf(filePath, owner, copy);
}

async function bringFrom(run: TransferRun, from: string, filePath: string): Promise<boolean> {
  const { transferId } = run.row;
  for (const partPath of partNames(run, filePath)) {
    const end = await bringPart(run, from, partPath);
    if (end === 'brought') return true;
    if (end === 'lost') break;
  }
  run.parts.logger.warn('transfer.part-lost', { transferId, path: from });
  return false;
}

async function isOwn({ parts: { disk } }: TransferRun, path: string, sizeBytes?: number): Promise<boolean> {
  try {
    const found = await disk.lstat(path);
    return isOwnPart(found) && (sizeBytes === undefined || found.sizeBytes === sizeBytes);
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Holds room for what is still to come; also when the size of the whole becomes known later. */
export async function claimSpace(run: TransferRun): Promise<void> {
  const { row, parts } = run;
  const sizeBytes = row.totalBytes ?? row.announcedBytes;
  if (sizeBytes === null || row.filePath === null) return;
  const islands = parts.partStore.islands(row.transferId);
  const leftBytes = () => {
    const prefixBytes = Math.max(run.receivedBytes, row.durableBytes);
    const beyond = islands.map(({ startBytes, endBytes }) => endBytes - Math.max(startBytes, prefixBytes));
    const beyondBytes = beyond.reduce((sum, bytes) => sum + Math.max(0, bytes), 0);
    return Math.max(0, sizeBytes - prefixBytes - beyondBytes);
  };
  const folder = dirname(row.filePath);
  await parts.volumes.claim({ transferId: row.transferId, folder, sizeBytes, leftBytes });
}
