import { lstat, mkdir, readdir, realpath, utimes } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { chunkBytes } from '../downloads/file/chunk.ts';
import { systemDisk } from '../downloads/file/disk.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { encodeSha256 } from '../downloads/file/multihash.ts';
import { withoutQuery } from '../downloads/output/local-catalog.ts';
import { findReplaced } from '../downloads/output/find-replaced.ts';
import { foldersOf, sidecarNames } from '../downloads/output/output-layout.ts';
import { publishPart } from '../downloads/file/publish.ts';
import { readReceipt, type ReceiptEntry } from '../downloads/output/receipt.ts';
import { clashKey, numberName, toSafeName } from '../downloads/output/safe-names.ts';
import type { SerialTasks } from '../downloads/tasks/serial-tasks.ts';
import { readFacts, verifyFile, type VerifiedFile } from '../downloads/file/verify-file.ts';
import { readJson } from '../downloads/file/write-json.ts';
import { writeSidecars } from '../downloads/output/write-sidecars.ts';
import type { Logger } from '../ports.ts';
import { refusePack } from './pack-error.ts';
import type { PackedFile } from './read-content.ts';

/** A file of a pack, proved against its Item. */
export interface ProvedFile {
  one: IdentifiedItem;
  file: PackedFile & { stagedPath: string };
  verified: VerifiedFile;
}

/** A file under its own name. */
export interface PlacedFile {
  assetKey: string;
  path: string;
  verified: VerifiedFile;
  /** Whether it was there already, byte for byte. */
  wasThere: boolean;
  finishedAtMs: number;
}

const mostCopies = 1000;

const reserved = new Set(Object.values(sidecarNames).map(clashKey));

/**
 * Proves a file by size and checksum of the catalog, where the Item has them: what the pack says of its own checks counts
 * for nothing. @throws AppError `exchange.unreadable`, `cancelled`
 */
export async function proveFile(
  one: IdentifiedItem,
  file: PackedFile & { stagedPath: string },
  signal: AbortSignal,
): Promise<ProvedFile> {
  const { asset: assetKey, file: name } = file.receipt;
  const asset = assetsOf(one.item).find(({ key }) => key === assetKey);
  try {
    const verified = await verifyFile({
      path: file.stagedPath,
      announcedBytes: asset?.sizeBytes ?? null,
      announcedChecksum: asset?.checksum ?? null,
      totalBytes: null,
      expected: { mediaType: asset?.mediaType ?? null, fileName: basename(name) },
      signal,
    });
    return { one, file, verified };
  } catch (thrown) {
    if (signal.aborted) throw new AppError('cancelled', 'The field pack was not taken in', { cause: thrown });
    throw refusePack(`Its file of ${assetKey} of ${one.ref.itemId} is not the one that the catalog has.`);
  }
}

/** Gives a proved file its place in the layout of downloads, with its sidecars; nothing that is there is replaced. */
export async function placeFile(
  { one, file, verified }: ProvedFile,
  parts: {
    /** A real path. */
    destination: string;
    collection: StacCollection | null;
    nowMs: number;
    tasks: SerialTasks;
    logger: Logger;
  },
): Promise<PlacedFile> {
  const { destination, nowMs, tasks, logger } = parts;
  const { receipt, stagedPath } = file;
  const finishedAtMs = Math.min(Date.parse(receipt.finished) || nowMs, nowMs);
  const received: ReceivedFile = { receipt, stagedPath, verified, finishedAtMs };
  try {
    const folder = await chooseFolder(destination, one);
    const { path, wasThere, hasReceipt } = await takeName(folder, received);
    if (!hasReceipt) {
      const loadCollection = () => Promise.resolve(parts.collection ?? { id: one.ref.collectionId });
      const entry = toEntry(receipt, { name: basename(path), verified, finishedAtMs });
      const { ref, item } = one;
      const placed = [{ filePath: path, ref, item, entry, loadCollection, tasks, logger }];
      await writeSidecars(placed, await findReplaced(placed));
    }
    return { assetKey: receipt.asset, verified, finishedAtMs, path, wasThere };
  } catch (thrown) {
    throw toDiskError(thrown, destination);
  }
}

interface ReceivedFile {
  receipt: ReceiptEntry;
  stagedPath: string;
  verified: VerifiedFile;
  finishedAtMs: number;
}

/** Gives a file a name that is free, where it isn't there yet. */
async function takeName(
  folder: string,
  received: ReceivedFile,
): Promise<{ path: string; wasThere: boolean; hasReceipt: boolean }> {
  const { receipt, stagedPath, verified, finishedAtMs } = received;
  const existing = await readReceipt(join(folder, sidecarNames.receipt));
  const present = new Set((await readdir(folder)).map(clashKey));
  const wanted = toSafeName(basename(receipt.file), { maxBytes: 220, fallback: 'asset' });
  // Before it has its name: what was written to after it was received would not count as downloaded.
  await utimes(stagedPath, new Date(finishedAtMs), new Date(finishedAtMs));
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const name = numberName(wanted, copy);
    if (reserved.has(clashKey(name))) continue;
    const path = join(folder, name);
    if (!present.has(clashKey(name))) {
      if (await publishPart(stagedPath, path)) return { path, wasThere: false, hasReceipt: false };
      continue;
    }
    const known = existing.find((entry) => entry.file === name);
    if (
      known?.asset === receipt.asset &&
      known.checksum === verified.digest &&
      known.bytes === verified.sizeBytes
    )
      return { path, wasThere: true, hasReceipt: true };
    // The program was killed before it could write the receipt.
    if (!known && (await hasBytes(path, received))) return { path, wasThere: true, hasReceipt: false };
  }
  throw new AppError('transfer.disk-error', 'No free name for the file', { details: { path: folder } });
}

/** Whether that is a file with the same bytes, which nobody has written to since they were received. */
async function hasBytes(path: string, { verified, finishedAtMs }: ReceivedFile): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isFile() || stats.size !== verified.sizeBytes || Math.round(stats.mtimeMs) > finishedAtMs)
    return false;
  const { digests } = await readFacts({
    path,
    algorithms: ['sha256'],
    chunkBytes,
    hasCrcs: false,
    signal: new AbortController().signal,
    disk: systemDisk,
  });
  return encodeSha256(digests['sha256'] ?? '') === verified.digest;
}

function toEntry(
  receipt: ReceiptEntry,
  { name, verified, finishedAtMs }: { name: string; verified: VerifiedFile; finishedAtMs: number },
): ReceiptEntry {
  const { verification, digest, sizeBytes } = verified;
  return {
    ...receipt,
    file: name,
    source: withoutQuery(receipt.source),
    bytes: sizeBytes,
    checksum: digest,
    verification,
    isVerified: verification === 'checksum',
    finished: new Date(finishedAtMs).toISOString(),
  };
}

/** The Item's own folder, or one that nobody has yet. Nothing is made where a link leads out of the destination. */
async function chooseFolder(destination: string, { ref, item }: IdentifiedItem): Promise<string> {
  const names = foldersOf(ref, item);
  const collection = await firstOwn(destination, [destination, names.collection], {
    sidecar: 'collection.json',
    id: ref.collectionId,
  });
  const year = await makeInside(destination, join(collection, names.year));
  return firstOwn(destination, [year, names.item], { sidecar: sidecarNames.item, id: ref.itemId });
}

async function firstOwn(
  destination: string,
  [parent, name]: [string, string],
  { sidecar, id }: { sidecar: string; id: string },
): Promise<string> {
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const folder = await makeInside(destination, join(parent, numberName(name, copy)));
    const said = await readJson(join(folder, sidecar));
    if (!isJsonObject(said) || said['id'] === id) return folder;
  }
  throw new AppError('transfer.disk-error', 'No free name for a folder', { details: { path: parent } });
}

async function makeInside(destination: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const inside = relative(destination, await realpath(folder));
  if (inside !== '' && !isAbsolute(inside) && !inside.startsWith('..')) return folder;
  throw new AppError('transfer.destination-not-writable', 'A folder leads out of the destination', {
    details: { path: folder, reason: 'OUTSIDE' },
  });
}
