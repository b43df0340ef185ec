import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { chunkBytes as realChunkBytes } from '../file/chunk.ts';
import { toDiskError } from '../file/disk-error.ts';
import type { DiskEntry } from '../file/disk.ts';
import type { FileFacts } from '../file/trailing-hash.ts';
import { judgeFile, type VerifiedFile } from '../file/verify-file.ts';
import { openRunPart } from '../run/run-part.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { fetchChunk } from './fetch-chunk.ts';

// A bit that was turned around is found by the first.
const mostLooks = 3;

/** A part file that was proved. */
export interface ProvedPart extends VerifiedFile {
  /** What had its name before the last of it was read: it is another file, or was written to since, where that differs. */
  seen: DiskEntry;
}

/**
 * Proves the part file of a run, and puts it right where it is wrong (downloads.md c.4): read again; what the disk has
 * damaged fetched again; else compared with another source chunk by chunk, until it is what the catalog announced.
 * With `details.isUnsteady` all of it may be right when it is fetched once more: servers that differ answer in turn.
 * @throws AppError `transfer.size-mismatch`, `transfer.wrong-content`, `transfer.checksum-mismatch` when it stays wrong,
 *   `transfer.source-mismatch` when every source sends the same wrong bytes; those of fetching and of the disk
 */
export async function provePart(run: TransferRun): Promise<ProvedPart> {
  const { judgement: first, facts } = await look(run);
  if (isProved(first) && (first.verification === 'checksum' || findDamaged(run, facts).length === 0))
    return first;
  if (!isProved(first) && first.code !== 'transfer.checksum-mismatch') throw first;
  // Whoever looks sees why bytes come again of a file that was whole.
  run.update({ error: (isProved(first) ? damagedPart(run) : first).toData() });
  // A second reading tells the disk from the memory that the first went through.
  const { judgement: second, facts: again } = await look(run, { isAnew: true });
  const damaged = findDamaged(run, again);
  if (isProved(second) && damaged.length === 0) return second;
  const { transferId, assetKey } = run.row;
  run.parts.logger.warn('transfer.repaired', { transferId, assetKey, damagedChunks: damaged.length });
  const mended = damaged.length > 0 ? await mendDisk(run, damaged) : second;
  return isProved(mended) ? mended : compareWithOther(run, mended);
}

/** Whether an error says that a file is not what it should be. */
export function isProvedWrong(error: unknown): error is AppError {
  return (
    isAppError(error, 'transfer.size-mismatch') ||
    isAppError(error, 'transfer.checksum-mismatch') ||
    isAppError(error, 'transfer.source-mismatch') ||
    isAppError(error, 'transfer.wrong-content')
  );
}

type Judgement = ProvedPart | AppError;

function isProved(judgement: Judgement): judgement is ProvedPart {
  return !(judgement instanceof Error);
}

async function look(
  run: TransferRun,
  options?: { isAnew: boolean },
): Promise<{ judgement: Judgement; facts: FileFacts }> {
  const seen = await lstatPart(run);
  const facts = await run.trail.finish(options);
  const { durableBytes } = run.row;
  const isOurs = seen.kind === 'file' && seen.sizeBytes === durableBytes && facts.sizeBytes === durableBytes;
  // Another program has added to it, cut it, or put something in its place: what is right of it is found anew.
  if (!isOurs) throw touchedPart(run);
  return { judgement: judge(run, facts, seen), facts };
}

/** What was proved of a part file is not what would get its name. */
export function touchedPart({ row }: TransferRun): AppError {
  return new AppError('transfer.disk-error', 'Another program has changed the part file; it is proved anew', {
    details: { path: row.partPath, reason: 'TOUCHED' },
    retryable: true,
  });
}

function damagedPart({ row }: TransferRun): AppError {
  return new AppError('transfer.disk-error', 'The disk gives other bytes than were written', {
    details: { path: row.partPath, reason: 'DAMAGED' },
  });
}

async function lookAnew(run: TransferRun): Promise<Judgement> {
  return (await look(run, { isAnew: true })).judgement;
}

async function lstatPart({ row, parts }: TransferRun): Promise<DiskEntry> {
  const path = row.partPath ?? '';
  try {
    return await parts.disk.lstat(path);
  } catch (error) {
    throw toDiskError(error, path);
  }
}

function judge({ row }: TransferRun, facts: FileFacts, seen: DiskEntry): Judgement {
  try {
    const file = judgeFile(facts, {
      announcedBytes: row.announcedBytes,
      announcedChecksum: row.announcedChecksum,
      totalBytes: row.totalBytes,
      expected: { mediaType: row.mediaType, fileName: basename(row.filePath ?? '') },
    });
    return { ...file, seen };
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

// What is on disk is not what was written there.
function findDamaged({ parts, row }: TransferRun, { crcs }: FileFacts): number[] {
  const journalled = parts.partStore.chunkCrcs(row.transferId);
  return crcs.flatMap((crc32, index) => {
    const known = journalled.get(index);
    return known === undefined || known === crc32 ? [] : [index];
  });
}

async function mendDisk(run: TransferRun, damaged: readonly number[]): Promise<Judgement> {
  const part = await openRunPart(run, { isRepair: true });
  try {
    for (const index of damaged) await part.replaceChunk(index, await fetchWritten(run, index));
    await part.checkpoint();
  } finally {
    await part.close();
  }
  return lookAnew(run);
}

// The journal knows what was written there: a source that gives something else now has another file.
async function fetchWritten(run: TransferRun, index: number): Promise<Buffer> {
  const known = run.parts.partStore.chunkCrcs(run.row.transferId).get(index);
  // What is wrong on its way the first time is right the second.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { bytes } = await fetchChunk(run, { ...stretchOf(run, index), not: null });
    if (known === undefined || crc32(bytes) === known) return bytes;
  }
  throw new AppError('transfer.source-changed', 'The source has other bytes than those that were damaged');
}

async function compareWithOther(run: TransferRun, wrong: AppError): Promise<ProvedPart> {
  const { linkKind, sourceOrigin } = run.row;
  const { hosts } = run.parts;
  const chunkCount = countChunks(run);
  let isOther = false;
  let last = wrong;
  let [replacedCount, seenCount] = [0, 0];
  for (let index = 0; index < chunkCount; index += 1) {
    const wanted = { ...stretchOf(run, index), not: linkKind, isAnew: index === 0 };
    const { bytes, kind } = await fetchChunk(run, wanted).catch((error: unknown) => {
      throw asOnlyWhole(run, { error, wrong });
    });
    isOther ||= kind !== linkKind;
    if (await replace(run, index, bytes)) replacedCount += 1;
    // Where more than a few differ it is another file, and to read all of it after each would take days.
    const isTime = replacedCount <= mostLooks || index === chunkCount - 1;
    if (replacedCount === seenCount || !isTime) continue;
    seenCount = replacedCount;
    const judgement = await lookAnew(run);
    if (isProved(judgement)) return judgement;
    last = judgement;
    // Of one that is known to differ from request to request no chunk mends a file.
    if (sourceOrigin !== null && !hosts.mayUseRanges(sourceOrigin)) break;
  }
  throw whyStillWrong(run, { wrong, last, isOther });
}

function whyStillWrong(
  { row, parts }: TransferRun,
  { wrong, last, isOther }: { wrong: AppError; last: AppError; isOther: boolean },
): AppError {
  const { sourceOrigin, announcedBytes, restarts } = row;
  if (last !== wrong) {
    if (sourceOrigin !== null) parts.hosts.noteWrongRange(sourceOrigin);
    return asUnsteady(last);
  }
  // Nobody but the first answer has said how long it is.
  if (announcedBytes === null && restarts === 0) return asUnsteady(last);
  if (!isOther) return last;
  const { message, details } = wrong;
  const why = `Every source sends other bytes than announced. ${message}`;
  return new AppError('transfer.source-mismatch', why, { details });
}

// A server that gives no ranges may still send all of it right the second time.
function asOnlyWhole({ row }: TransferRun, { error, wrong }: { error: unknown; wrong: AppError }): unknown {
  if (!isAppError(error, 'transfer.wrong-content')) return error;
  return row.restarts === 0 ? asUnsteady(wrong) : wrong;
}

function asUnsteady({ code, message, details }: AppError): AppError {
  return new AppError(code, message, { details: { ...details, isUnsteady: true } });
}

async function replace(run: TransferRun, index: number, bytes: Buffer): Promise<boolean> {
  const part = await openRunPart(run, { isRepair: true });
  try {
    const isOther = await part.replaceChunk(index, bytes);
    if (isOther) await part.checkpoint();
    return isOther;
  } finally {
    await part.close();
  }
}

function chunkBytesOf({ parts }: TransferRun): number {
  return parts.partSizes?.chunkBytes ?? realChunkBytes;
}

function countChunks(run: TransferRun): number {
  return Math.ceil(run.row.durableBytes / chunkBytesOf(run));
}

function stretchOf(run: TransferRun, index: number): { startBytes: number; endBytes: number } {
  const startBytes = index * chunkBytesOf(run);
  return { startBytes, endBytes: Math.min(startBytes + chunkBytesOf(run), run.row.durableBytes) };
}
