import { lstat, mkdir, readdir, realpath, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { hasDiskCode, toDiskError } from './disk-error.ts';
import { fileNameOf, foldersOf, sidecarNames } from './output-layout.ts';
import { createPartFile } from './part-file.ts';
import { syncFolder } from './publish.ts';
import { readReceipt } from './receipt.ts';
import { clashKey, numberName, toSafeName } from './safe-names.ts';
import type { TransferRun } from './transfer-run.ts';
import { verifyFile, type VerifiedFile } from './verify-file.ts';
import { readJson } from './write-json.ts';

// Left free for the system and for the sidecars.
const reserveBytes = 64 * 1024 * 1024;
const mostCopies = 1000;

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
 *   `transfer.disk-error`
 */
export async function prepareOutput(run: TransferRun): Promise<AlreadyThere | null> {
  const { row } = run;
  try {
    const root = await realpath(row.destination);
    if (row.filePath !== null && row.nameKey !== null) {
      await makeFolder(root, relative(root, dirname(row.filePath)));
    } else {
      const found = await reserveName(run, await chooseFolder(run, root));
      if (found !== null) return found;
    }
    await ensurePart(run);
    await checkSpace(run, root);
    return null;
  } catch (error) {
    throw toDiskError(error, row.destination);
  }
}

/** Takes the next free name for a file whose own was taken in the meantime by somebody else. */
export async function chooseOtherName(run: TransferRun): Promise<void> {
  const { filePath } = run.row;
  if (filePath === null) throw new AppError('internal', 'A transfer without a name has no other name');
  await reserveName(run, dirname(filePath), { isKnownToDiffer: true });
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
  const year = await makeFolder(root, join(collection, names.year));
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
    const folder = await makeFolder(root, path);
    const sidecar = await readJson(join(folder, claim.sidecar));
    if (!isJsonObject(sidecar) || sidecar['id'] === claim.owner.at(-1)) return path;
  }
  throw new AppError('transfer.disk-error', 'No free name for a folder', { details: { path: root } });
}

/** Makes a folder below the root, one level at a time so that no link can lead the way out of it. */
async function makeFolder(root: string, path: string): Promise<string> {
  let folder = root;
  for (const name of path.split(/[/\\]/)) {
    const parent = folder;
    folder = join(parent, name);
    try {
      await mkdir(folder);
      await syncFolder(parent);
    } catch (error) {
      if (!hasDiskCode(error, 'EEXIST')) throw error;
    }
    const inside = relative(root, await realpath(folder));
    if (inside === '' || isAbsolute(inside) || inside.startsWith('..')) {
      throw new AppError('transfer.destination-not-writable', 'A folder leads out of the destination', {
        details: { path: folder, reason: 'OUTSIDE' },
      });
    }
  }
  return folder;
}

async function reserveName(
  run: TransferRun,
  folder: string,
  options: { isKnownToDiffer?: boolean } = {},
): Promise<AlreadyThere | null> {
  const { row } = run;
  const wanted = wantedName(run);
  const present = new Map((await readdir(folder)).map((name) => [clashKey(name), name]));
  // Ours, there or not: an asset of that name takes the next one.
  for (const name of Object.values(sidecarNames)) present.set(clashKey(name), '');
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const name = numberName(wanted, copy);
    const filePath = join(folder, name);
    const taken = present.get(clashKey(name));
    if (taken === name && !options.isKnownToDiffer) {
      const same = await findSame(run, filePath);
      if (same !== null) return same;
    }
    if (taken !== undefined) continue;
    const nameKey = clashKey(filePath);
    if (run.parts.store.reserveName(row.transferId, { nameKey, filePath })) {
      run.update({ nameKey, filePath });
      return null;
    }
  }
  throw new AppError('transfer.disk-error', 'No free name for the file', { details: { path: folder } });
}

function wantedName({ item, row }: TransferRun): string {
  const asset = assetsOf(item).find(({ key }) => key === row.assetKey);
  return asset ? fileNameOf(asset) : toSafeName(row.assetKey);
}

// The same by the catalog's checksum; without one, by our own receipt: the bytes are still those that came then.
async function findSame(run: TransferRun, path: string): Promise<AlreadyThere | null> {
  const { announcedBytes, announcedChecksum, assetKey, mediaType } = run.row;
  const { size, isRegular } = await lstat(path).then((found) => ({
    size: found.size,
    isRegular: found.isFile(),
  }));
  if (!isRegular || (announcedBytes !== null && announcedBytes !== size)) return null;
  const receipt = await readReceipt(join(dirname(path), sidecarNames.receipt));
  const entry = receipt.find(({ asset, file }) => asset === assetKey && file === basename(path));
  try {
    const file = await verifyFile({
      path,
      announcedBytes,
      announcedChecksum,
      totalBytes: null,
      expected: { mediaType, fileName: basename(path) },
      signal: run.signal,
    });
    const isSame = file.verification === 'checksum' || file.digest === entry?.checksum;
    return isSame ? { path, file, hasReceipt: entry !== undefined } : null;
  } catch (error) {
    if (run.signal.aborted) throw error;
    return null;
  }
}

async function ensurePart(run: TransferRun): Promise<void> {
  const { row } = run;
  if (row.filePath === null) throw new AppError('internal', 'A part file needs a name');
  if (row.partPath !== null && (await isRegularFile(row.partPath))) return;
  const folder = dirname(row.filePath);
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const suffix = copy === 1 ? '' : `-${copy}`;
    const partPath = `${row.filePath}.${row.transferId}${suffix}.part`;
    if (!(await createPartFile(partPath)) && !(await isRegularFile(partPath, 0))) continue;
    await syncFolder(folder);
    run.update({ partPath, durableBytes: 0, etag: null, sourceOrigin: null });
    return;
  }
  throw new AppError('transfer.disk-error', 'No free name for the part file', { details: { path: folder } });
}

async function isRegularFile(path: string, sizeBytes?: number): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isFile() && (sizeBytes === undefined || found.size === sizeBytes);
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function checkSpace(run: TransferRun, root: string): Promise<void> {
  const { totalBytes, announcedBytes, durableBytes } = run.row;
  const sizeBytes = totalBytes ?? announcedBytes;
  if (sizeBytes === null) return;
  const { bavail, bsize } = await statfs(root);
  const neededBytes = sizeBytes - durableBytes;
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes + reserveBytes) return;
  throw new AppError('transfer.disk-full', 'Too little space for the file', {
    details: { neededBytes, freeBytes },
    retryable: true,
  });
}
