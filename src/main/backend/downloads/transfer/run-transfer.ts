import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { announcesOther, mostRestarts } from '../fetch/changed-source.ts';
import { fetchBytes } from '../fetch/fetch-bytes.ts';
import { isProvedWrong, provePart } from '../fetch/prove-part.ts';
import type { DiskEntry } from '../file/disk.ts';
import { findChecksumProblem } from '../file/multihash.ts';
import { noSource } from '../queue/transfer-row.ts';
import { prepareOutput, type AlreadyThere } from '../run/prepare-output.ts';
import { dropSetAside, setAside } from '../run/set-aside.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { addSidecars, nameFile } from './name-file.ts';

/**
 * Brings one transfer from where it is to `done`. Nothing gets its final name before it was verified (downloads.md b).
 * @throws AppError what it must wait for or failed by
 */
export async function runTransfer(run: TransferRun): Promise<void> {
  try {
    await bringHome(run);
  } catch (error) {
    throw await tellApart(run, error);
  } finally {
    run.parts.volumes.release(run.row.transferId);
    run.parts.itemFolders.leave(run.row.transferId);
    await run.trail.stop();
    await run
      .takeNewPart()
      ?.close()
      .catch(() => undefined);
  }
}

// What a drive says that is pulled out in the middle is what an ill one says; but its folder isn't there any more. It is
// where somebody has deleted the unfinished file, or moved the item's folder away.
async function tellApart({ row, parts }: TransferRun, thrown: unknown): Promise<unknown> {
  const { destination } = row;
  const isMissing =
    isAppError(thrown, 'transfer.destination-missing') && thrown.details['reason'] === 'ENOENT';
  const isOfDisk = isAppError(thrown, 'transfer.disk-error');
  if ((!isMissing && !isOfDisk) || (await parts.volumes.isThere(destination)) !== isMissing) return thrown;
  if (isMissing)
    return new AppError('transfer.disk-error', 'The unfinished file is gone; it is fetched again', {
      details: { ...thrown.details, reason: 'VANISHED' },
      retryable: true,
      cause: thrown,
    });
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
  run.parts.onFolder(row.destination);
  if (found !== null) return finishWith(run, found);
  await fetchBytes(run).catch(async (error: unknown) => {
    throw await asOutdated(run, error);
  });
  run.apply('bytes-complete');
  const seen = await verify(run);
  // A name and its syncs keep the disk busy, and nothing of what the next file needs.
  run.parts.leaveSlot(row.transferId);
  await finalize(run, seen);
}

// `seen` is the part file as it was when it was proved.
async function finalize(run: TransferRun, seen?: DiskEntry): Promise<void> {
  await nameFile(run, seen);
  await finish(run, run.row.totalBytes);
}

async function verify(run: TransferRun): Promise<DiskEntry> {
  try {
    const { verification, digest, seen } = await provePart(run);
    run.apply('verified', { verification, digest, error: null });
    warnOfChecksum(run);
    return seen;
  } catch (error) {
    if (isAppError(error, 'transfer.source-changed')) throw beginAgain(run, error);
    if (!isProvedWrong(error)) throw error;
    const outdated = await asOutdated(run, error);
    if (outdated !== error) throw outdated;
    if (error.details['isUnsteady'] === true && run.row.restarts < mostRestarts)
      throw beginAgain(
        run,
        new AppError('transfer.source-changed', 'The source sends other bytes each time', {
          details: { isUnsteady: true },
        }),
      );
    const keptAs = await setAside(run, error);
    // Bytes that were proved wrong must not be the beginning of the next attempt.
    run.update({ ...noSource, durableBytes: 0 });
    if (keptAs === null) throw error;
    run.update({ partPath: null });
    const { code, message, details } = error;
    throw new AppError(code, message, { details: { ...details, keptAs: basename(keptAs) }, cause: error });
  }
}

// What contradicts the announcement may be of a file that the catalog has replaced since it was asked.
async function asOutdated(run: TransferRun, error: unknown): Promise<unknown> {
  if (!isProvedWrong(error) || !(await announcesOther(run))) return error;
  return beginAgain(run, new AppError('transfer.source-changed', 'The catalog announces another file now'));
}

// The bytes are wrong, and the source that was to mend them has others: one of both is whole.
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

async function finishWith(run: TransferRun, { path, file, hasReceipt }: AlreadyThere): Promise<void> {
  const { transferId, assetKey } = run.row;
  run.parts.logger.info('transfer.already-there', { transferId, assetKey, path });
  run.setReceived(file.sizeBytes);
  run.apply('bytes-complete', { filePath: path, totalBytes: file.sizeBytes, durableBytes: file.sizeBytes });
  run.apply('verified', { verification: file.verification, digest: file.digest });
  if (!hasReceipt) await addSidecars(run);
  await finish(run, file.sizeBytes);
}

async function finish(run: TransferRun, sizeBytes: number | null): Promise<void> {
  await dropSetAside(run);
  run.apply('published', {
    durableBytes: sizeBytes ?? run.row.durableBytes,
    partPath: null,
    nameKey: null,
    error: null,
    finishedAtMs: run.parts.clock.now(),
  });
}
