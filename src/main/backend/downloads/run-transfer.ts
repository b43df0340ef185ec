import { basename, dirname } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { findAsset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { toDiskError } from './file/disk-error.ts';
import { hasNote } from './file/note-source.ts';
import { deletePart, partNotePath } from './file/part-note.ts';
import { provePart } from './file/prove-part.ts';
import { deleteFile, isTaken, publishPart } from './file/publish.ts';
import { findChecksumProblem } from './file/multihash.ts';
import { setAside } from './file/set-aside.ts';
import { verifyFile } from './file/verify-file.ts';
import { mostRestarts } from './fetch/changed-source.ts';
import { fetchBytes } from './fetch/fetch-bytes.ts';
import { noSource } from './fetch/validators.ts';
import { withoutQuery } from './output/local-catalog.ts';
import { chooseOtherName, prepareOutput, type AlreadyThere } from './output/prepare-output.ts';
import type { ReceiptEntry } from './output/receipt.ts';
import type { PublishedFile } from './output/write-sidecars.ts';
import type { TransferRun } from './transfer-run.ts';

/**
 * Brings one transfer from where it is to `done`. Nothing gets its final name before it was verified (downloads.md b).
 * @throws AppError what it must wait for or failed by
 */
export async function runTransfer(run: TransferRun): Promise<void> {
  try {
    await bringHome(run);
  } catch (error) {
    throw await asMissing(run, error);
  } finally {
    run.parts.volumes.release(run.row.transferId);
    run.parts.itemFolders.leave(run.row.transferId);
    await run.trail.stop();
  }
}

// What a drive says that is pulled out in the middle is what an ill one says; but its folder isn't there any more.
async function asMissing({ row, parts }: TransferRun, thrown: unknown): Promise<unknown> {
  if (!isAppError(thrown, 'transfer.disk-error')) return thrown;
  const { destination } = row;
  if (await parts.volumes.isThere(destination)) return thrown;
  return new AppError('transfer.destination-missing', 'The destination can not be looked at any more', {
    details: { ...thrown.details, path: destination },
    retryable: true,
    cause: thrown,
  });
}

async function bringHome(run: TransferRun): Promise<void> {
  const { row } = run;
  if (row.state === 'finalizing') return finalize(run);
  const nowMs = run.parts.clock.now();
  run.apply('start', {
    error: null,
    resumeAtMs: null,
    startedAtMs: row.startedAtMs ?? nowMs,
    // Patience is measured from the first attempt, not from the order.
    progressAtMs: row.attempts === 0 ? nowMs : row.progressAtMs,
  });
  // Verified in an earlier run that could not publish it.
  if (row.digest !== null) {
    run.apply('bytes-complete');
    run.apply('verified');
    return finalize(run);
  }
  const found = await prepareOutput(run);
  if (found !== null) return finishWith(run, found);
  await fetchBytes(run);
  run.apply('bytes-complete');
  await verify(run);
  // A name and its syncs keep the disk busy, and nothing of what the next file needs.
  run.parts.leaveSlot(row.transferId);
  await finalize(run);
}

async function verify(run: TransferRun): Promise<void> {
  try {
    const { verification, digest } = await provePart(run);
    run.apply('verified', { verification, digest });
    warnOfChecksum(run);
  } catch (error) {
    if (isAppError(error, 'transfer.source-changed')) throw beginAgain(run, error);
    if (!isProvedWrong(error)) throw error;
    const keptAs = await setAside(run, error);
    // Bytes that were proved wrong must not be the beginning of the next attempt.
    run.update({ ...noSource, durableBytes: 0 });
    if (keptAs === null) throw error;
    run.update({ partPath: null });
    const { code, message, details } = error;
    throw new AppError(code, message, { details: { ...details, keptAs: basename(keptAs) }, cause: error });
  }
}

// The bytes are wrong, and the source that was to mend them has a file of another size: one of both is whole.
function beginAgain(run: TransferRun, { code, message, details }: AppError): AppError {
  const { restarts } = run.row;
  run.update({ ...noSource, durableBytes: 0, restarts: restarts + 1 });
  return new AppError(code, message, { details, retryable: restarts < mostRestarts });
}

function warnOfChecksum({ row, parts }: TransferRun): void {
  const { transferId, collectionId, itemId, assetKey, announcedChecksum } = row;
  const problem = announcedChecksum === null ? null : findChecksumProblem(announcedChecksum);
  if (problem === null) return;
  const facts = { transferId, collectionId, itemId, assetKey, checksum: announcedChecksum?.slice(0, 200) };
  parts.logger.warn('transfer.checksum-unusable', { ...facts, problem });
}

function isProvedWrong(error: unknown): error is AppError {
  return (
    isAppError(error, 'transfer.size-mismatch') ||
    isAppError(error, 'transfer.checksum-mismatch') ||
    isAppError(error, 'transfer.source-mismatch') ||
    isAppError(error, 'transfer.wrong-content')
  );
}

async function finalize(run: TransferRun): Promise<void> {
  try {
    // Before the name: what a crash leaves of publishing is judged by the state and the digest.
    await run.settle();
    while (!(await isPublished(run))) await chooseOtherName(run);
    run.parts.itemFolders.noteName(run.row.filePath ?? '');
    await addSidecars(run);
  } catch (error) {
    throw toDiskError(error, run.row.filePath ?? run.row.destination);
  }
  finish(run, run.row.totalBytes);
}

/** Publishes, or finds what a crash has left of publishing (downloads.md b.5); false when the name is taken. */
async function isPublished(run: TransferRun): Promise<boolean> {
  const { partPath, filePath } = run.row;
  const { disk, timers } = run.parts;
  const publishing = { disk, timers, signal: run.signal };
  if (filePath === null) throw new AppError('internal', 'A transfer without a name cannot be published');
  if (partPath !== null && (await isTaken(partPath, disk))) {
    // No part is verified before its last checkpoint, which has synced it.
    if (await publishPart(partPath, filePath, { ...publishing, isSynced: true })) {
      if (hasNote(run.row.totalBytes)) await deleteFile(partNotePath(partPath), publishing);
      return true;
    }
    if (!(await isSameFile(run, partPath, filePath))) return false;
    await deletePart(partPath, publishing);
    return true;
  }
  // On another volume of the same path, neither file nor part would be found, and both be taken for lost.
  await run.parts.volumes.enter(run.row.destination, partPath);
  if (await isProved(run, filePath)) {
    if (partPath !== null) await deleteFile(partNotePath(partPath), publishing);
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

async function finishWith(run: TransferRun, { path, file, hasReceipt }: AlreadyThere): Promise<void> {
  const { transferId, assetKey } = run.row;
  run.parts.logger.info('transfer.already-there', { transferId, assetKey, path });
  run.setReceived(file.sizeBytes);
  run.apply('bytes-complete', { filePath: path, totalBytes: file.sizeBytes, durableBytes: file.sizeBytes });
  run.apply('verified', { verification: file.verification, digest: file.digest });
  if (!hasReceipt) await addSidecars(run);
  finish(run, file.sizeBytes);
}

function finish(run: TransferRun, sizeBytes: number | null): void {
  run.apply('published', {
    durableBytes: sizeBytes ?? run.row.durableBytes,
    partPath: null,
    nameKey: null,
    error: null,
    finishedAtMs: run.parts.clock.now(),
  });
}

async function addSidecars(run: TransferRun): Promise<void> {
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
    source: withoutQuery(findAsset(item, row.assetKey)?.href ?? ''),
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
