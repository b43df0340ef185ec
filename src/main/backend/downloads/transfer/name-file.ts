import { basename, dirname } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { findAsset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { isProvedWrong, touchedPart } from '../fetch/prove-part.ts';
import { toDiskError } from '../file/disk-error.ts';
import type { DiskEntry } from '../file/disk.ts';
import { deletePart, partNotePath } from '../file/part-note.ts';
import { deleteFile, lookAt, publishPart } from '../file/publish.ts';
import { verifyFile } from '../file/verify-file.ts';
import { withoutQuery } from '../output/local-catalog.ts';
import { sourceOf, type ReceiptEntry } from '../output/receipt.ts';
import type { PublishedFile } from '../output/write-sidecars.ts';
import { mayHaveNote } from '../run/note-source.ts';
import { chooseOtherName } from '../run/prepare-output.ts';
import { publishingOf } from '../run/publishing-of.ts';
import type { TransferRun } from '../run/transfer-run.ts';

/**
 * Gives a proved part file its name and writes what goes beside it (downloads.md b.6). `seen` is the part as it was when it
 * was proved; after a restart nobody knows.
 * @throws AppError `transfer.*`, `cancelled`
 */
export async function nameFile(run: TransferRun, seen: DiskEntry | null = null): Promise<void> {
  try {
    // Before the name: what a crash leaves of publishing is judged by the state and the digest.
    await run.settle();
    while (!(await isPublished(run, seen))) await chooseOtherName(run);
    run.parts.itemFolders.noteName(run.row.filePath ?? '');
    await addSidecars(run);
  } catch (error) {
    throw toDiskError(error, run.row.filePath ?? run.row.destination);
  }
}

/** Publishes, or finds what a crash has left of publishing (downloads.md b.5); false when the name is taken. */
async function isPublished(run: TransferRun, seen: DiskEntry | null): Promise<boolean> {
  const { partPath, filePath } = run.row;
  if (filePath === null) throw new AppError('internal', 'A transfer without a name cannot be published');
  const part = partPath === null ? null : await lookAt(partPath, run.parts.disk);
  if (partPath === null || part === null) return isPublishedBefore(run, filePath);
  // Some file systems know late when a file was written to: what looks touched is read once more; so is what nobody watched.
  const isTouched = seen === null || !isUntouched(part, seen);
  if (part.kind !== 'file' || (isTouched && !(await isProved(run, partPath)))) throw proveAnew(run);
  return publish(run, partPath, filePath);
}

async function publish(run: TransferRun, partPath: string, filePath: string): Promise<boolean> {
  const publishing = publishingOf(run);
  // No part is verified before its last checkpoint, which has synced it.
  if (await publishPart(partPath, filePath, { ...publishing, isSynced: true })) {
    if (mayHaveNote(run.row)) await deleteFile(partNotePath(partPath), publishing);
    return true;
  }
  // Another queue may have brought the very same meanwhile.
  if (!(await isSameFile(run, partPath, filePath)) && !(await isThere(run, filePath))) return false;
  await deletePart(partPath, publishing);
  return true;
}

async function isThere(run: TransferRun, filePath: string): Promise<boolean> {
  const found = await lookAt(filePath, run.parts.disk);
  return found?.kind === 'file' && found.sizeBytes === run.row.totalBytes && isProved(run, filePath);
}

// There is no part any more.
async function isPublishedBefore(run: TransferRun, filePath: string): Promise<boolean> {
  const { partPath } = run.row;
  // On another volume of the same path, neither file nor part would be found, and both be taken for lost.
  await run.parts.volumes.enter(run.row.destination, partPath);
  if (await isProved(run, filePath)) {
    if (partPath !== null) await deleteFile(partNotePath(partPath), publishingOf(run));
    return true;
  }
  run.update({
    durableBytes: 0,
    totalBytes: null,
    digest: null,
    verification: null,
    partPath: null,
    nameKey: null,
  });
  throw new AppError('transfer.disk-error', 'The part file has vanished; it is fetched again', {
    details: { path: filePath, reason: 'VANISHED' },
    retryable: true,
  });
}

function isUntouched(found: DiskEntry, seen: DiskEntry): boolean {
  return (
    found.inode === seen.inode &&
    found.device === seen.device &&
    found.sizeBytes === seen.sizeBytes &&
    found.modified === seen.modified
  );
}

function proveAnew(run: TransferRun): AppError {
  run.update({ digest: null, verification: null });
  return touchedPart(run);
}

async function isSameFile({ parts: { disk } }: TransferRun, left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([disk.lstat(left), disk.lstat(right)]);
  return one.inode === other.inode && one.device === other.device;
}

async function isProved(run: TransferRun, path: string): Promise<boolean> {
  const { row, parts } = run;
  try {
    const file = await verifyFile({
      path,
      announcedBytes: row.announcedBytes,
      announcedChecksum: row.announcedChecksum,
      totalBytes: row.totalBytes,
      expected: { mediaType: row.mediaType, fileName: basename(path) },
      signal: run.signal,
      disk: parts.disk,
    });
    return file.verification === 'checksum' || file.digest === row.digest;
  } catch (error) {
    if (isProvedWrong(error) || isAppError(error, 'transfer.destination-missing')) return false;
    throw error;
  }
}

/** Writes receipt, Item, Collection and Catalog around the file of a run. @throws AppError `transfer.*` */
export async function addSidecars(run: TransferRun): Promise<void> {
  const file = toPublished(run);
  await run.parts.sidecars.run(dirname(file.filePath), { ...file, signal: run.signal });
}

function toPublished(run: TransferRun): PublishedFile {
  const { row, parts } = run;
  const filePath = row.filePath ?? '';
  const item = withLinkedHref(run);
  const finishedAtMs = parts.clock.now();
  const isVerified = row.verification === 'checksum';
  const announced = isVerified ? row.announcedChecksum : null;
  const entry: ReceiptEntry = {
    asset: row.assetKey,
    file: basename(filePath),
    source: sourceOf(item, row.assetKey),
    bytes: row.totalBytes ?? row.durableBytes,
    checksum: row.digest ?? '',
    ...(announced === null || announced === row.digest ? {} : { announced }),
    verification: row.verification ?? 'none',
    isVerified,
    etag: row.etag,
    started: new Date(row.startedAtMs ?? finishedAtMs).toISOString(),
    finished: new Date(finishedAtMs).toISOString(),
    swathVersion: parts.appVersion,
  };
  const { tasks, logger, disk, folderLinks: links } = parts;
  const loadCollection = (id: string) => parts.loadCollection(id, row.connectionId);
  return { filePath, ref: row, item, entry, loadCollection, tasks, logger, disk, links };
}

// The Item was kept when it was ordered, and its file may have moved since.
function withLinkedHref({ item, row: { assetKey, mediaType }, linkedHref }: TransferRun): StacItem {
  const asset = findAsset(item, assetKey);
  if (!asset || linkedHref === null || withoutQuery(linkedHref) === withoutQuery(asset.href)) return item;
  const moved = {
    ...asset.raw,
    href: withoutQuery(linkedHref),
    ...(mediaType === null ? {} : { type: mediaType }),
  };
  return { ...item, assets: { ...(item['assets'] as JsonObject), [assetKey]: moved } };
}
