import { stat, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { toDiskError } from './disk-error.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { withoutQuery } from './local-catalog.ts';
import { chooseOtherName, prepareOutput, type AlreadyThere } from './prepare-output.ts';
import { isTaken, publishPart } from './publish.ts';
import type { ReceiptEntry } from './receipt.ts';
import type { TransferRun } from './transfer-run.ts';
import { verifyFile } from './verify-file.ts';
import { writeSidecars } from './write-sidecars.ts';

/**
 * Brings one transfer from where it is to `done`. Nothing gets its final name before it was verified (downloads.md b).
 * @throws AppError what it must wait for or failed by
 */
export async function runTransfer(run: TransferRun): Promise<void> {
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
  await finalize(run);
}

async function verify(run: TransferRun): Promise<void> {
  const { row } = run;
  const path = row.partPath ?? '';
  try {
    const { verification, digest } = await verifyFile({
      path,
      announcedBytes: row.announcedBytes,
      announcedChecksum: row.announcedChecksum,
      totalBytes: row.totalBytes,
      expected: { mediaType: row.mediaType, fileName: basename(row.filePath ?? '') },
      signal: run.signal,
    });
    run.apply('verified', { verification, digest });
  } catch (error) {
    // Bytes that were proved wrong must not be the beginning of the next attempt.
    if (isProvedWrong(error))
      run.update({ durableBytes: 0, totalBytes: null, etag: null, sourceOrigin: null });
    throw error;
  }
}

function isProvedWrong(error: unknown): boolean {
  return (
    isAppError(error, 'transfer.size-mismatch') ||
    isAppError(error, 'transfer.checksum-mismatch') ||
    isAppError(error, 'transfer.wrong-content')
  );
}

async function finalize(run: TransferRun): Promise<void> {
  try {
    while (!(await isPublished(run))) await chooseOtherName(run);
    await writeSidecars(toPublished(run));
  } catch (error) {
    throw toDiskError(error, run.row.filePath ?? run.row.destination);
  }
  finish(run, run.row.totalBytes);
}

/** Publishes, or finds what a crash has left of publishing (downloads.md b.5); false when the name is taken. */
async function isPublished(run: TransferRun): Promise<boolean> {
  const { partPath, filePath } = run.row;
  if (filePath === null) throw new AppError('internal', 'A transfer without a name cannot be published');
  const hasPart = partPath !== null && (await isTaken(partPath));
  if (hasPart) {
    if (!(await isTaken(filePath))) return publishPart(partPath, filePath);
    if (!(await isSameFile(partPath, filePath))) return false;
    await unlink(partPath);
    return true;
  }
  if (await hasDigest(run, filePath)) return true;
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

async function isSameFile(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(left, { bigint: true }), stat(right, { bigint: true })]);
  return one.ino === other.ino && one.dev === other.dev;
}

async function hasDigest(run: TransferRun, path: string): Promise<boolean> {
  const { row } = run;
  try {
    const file = await verifyFile({
      path,
      announcedBytes: row.announcedBytes,
      announcedChecksum: row.announcedChecksum,
      totalBytes: row.totalBytes,
      expected: { mediaType: row.mediaType, fileName: basename(path) },
      signal: run.signal,
    });
    return file.digest === row.digest;
  } catch {
    return false;
  }
}

async function finishWith(run: TransferRun, { path, file, hasReceipt }: AlreadyThere): Promise<void> {
  const { transferId, assetKey } = run.row;
  run.parts.logger.info('transfer.already-there', { transferId, assetKey, path });
  run.setReceived(file.sizeBytes);
  run.apply('bytes-complete', { filePath: path, totalBytes: file.sizeBytes, durableBytes: file.sizeBytes });
  run.apply('verified', { verification: file.verification, digest: file.digest });
  if (!hasReceipt) await writeSidecars(toPublished(run));
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

function toPublished(run: TransferRun) {
  const { row, item, parts } = run;
  const filePath = row.filePath ?? '';
  const asset = assetsOf(item).find(({ key }) => key === row.assetKey);
  const finishedAtMs = parts.clock.now();
  const entry: ReceiptEntry = {
    asset: row.assetKey,
    file: basename(filePath),
    source: withoutQuery(asset?.href ?? ''),
    bytes: row.totalBytes ?? row.durableBytes,
    checksum: row.digest ?? '',
    verification: row.verification ?? 'none',
    isVerified: row.verification === 'checksum',
    etag: row.etag,
    started: new Date(row.startedAtMs ?? finishedAtMs).toISOString(),
    finished: new Date(finishedAtMs).toISOString(),
    swathVersion: parts.appVersion,
  };
  const { tasks, logger } = parts;
  const loadCollection = (id: string) => parts.loadCollection(id, row.connectionId);
  return { filePath, ref: row, item, entry, loadCollection, tasks, logger };
}
