import { dirname } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { hasDiskCode } from '../file/disk-error.ts';
import type { Disk, DiskEntry, DiskFile } from '../file/disk.ts';
import { deletePart } from '../file/part-note.ts';
import { deleteFile, syncFolder } from '../file/publish.ts';
import type { TransferRun } from './transfer-run.ts';

const pieceBytes = 1024 * 1024;

/**
 * Brings a transfer's part file from the folder that it was in before a person chose another: by name on one volume,
 * else as a copy of what is durable. `taken`: something else has the name; `lost`: there is nothing to be brought.
 * Throws the file system's errors of the new folder.
 */
export async function bringPart(
  run: TransferRun,
  from: string,
  to: string,
): Promise<'brought' | 'taken' | 'lost'> {
  const { disk, timers, logger } = run.parts;
  const { transferId, durableBytes } = run.row;
  const [source, target] = [await lookAt(disk, from), await lookAt(disk, to)];
  if (source?.kind !== 'file' && target === null) return 'lost';
  if (target === null) {
    if (!(await giveNewName(disk, { from, to })) && !(await copyPart(run, from, to))) return 'lost';
  } else if (!isLeftByCrash(source, target, durableBytes)) {
    return 'taken';
  }
  await syncFolder(dirname(to), disk);
  // Only from here on the old one is needless.
  run.update({ partPath: to });
  await deletePart(from, { disk, timers, signal: run.signal }).catch((error: unknown) => {
    logger.warn('transfer.part-left', { transferId, path: from, reason: String(error) });
  });
  return 'brought';
}

// What an earlier attempt has brought before it died. Its chunks are proved by their CRCs when it is opened.
function isLeftByCrash(source: DiskEntry | null, target: DiskEntry, durableBytes: number): boolean {
  if (target.kind !== 'file') return false;
  if (source !== null && source.device === target.device && source.inode === target.inode) return true;
  return durableBytes > 0 && target.sizeBytes >= durableBytes;
}

async function lookAt(disk: Disk, path: string): Promise<DiskEntry | null> {
  try {
    return await disk.lstat(path);
  } catch (error) {
    // A name too long must be told; a drive that is gone says so in many ways.
    if (hasDiskCode(error, 'ENAMETOOLONG')) throw error;
    return null;
  }
}

async function giveNewName(disk: Disk, { from, to }: { from: string; to: string }): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    if (hasDiskCode(error, 'ENAMETOOLONG', 'ENOSPC', 'EDQUOT')) throw error;
  }
  try {
    // Without links; nothing has the name, which holds the transfer's number.
    await disk.rename(from, to);
    return true;
  } catch {
    return false;
  }
}

async function copyPart(run: TransferRun, from: string, to: string): Promise<boolean> {
  const { disk, timers, logger } = run.parts;
  const { transferId, durableBytes } = run.row;
  const copyPath = `${to}.copy`;
  const options = { disk, timers, signal: run.signal };
  await deleteFile(copyPath, options);
  logger.info('transfer.part-copied', { transferId, from, to, durableBytes });
  const copy = await disk.open(copyPath, 'create');
  try {
    const isWhole = await copyBytes(run, { from, copy });
    if (isWhole) await copy.sync();
    await copy.close();
    if (isWhole) await disk.rename(copyPath, to);
    else await deleteFile(copyPath, options);
    return isWhole;
  } catch (error) {
    await copy.close().catch(() => undefined);
    await deleteFile(copyPath, options).catch(() => undefined);
    throw error;
  }
}

// False where the old one can't be read to its end: what can't be brought is fetched again.
async function copyBytes(
  { parts: { disk, logger }, row, signal }: TransferRun,
  { from, copy }: { from: string; copy: DiskFile },
): Promise<boolean> {
  const source = await disk.open(from, 'read').catch(() => null);
  if (source === null) return false;
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (let copied = 0; copied < row.durableBytes;) {
      if (signal.aborted) throw new AppError('cancelled', 'The transfer was stopped');
      const wanted = buffer.subarray(0, Math.min(pieceBytes, row.durableBytes - copied));
      const readBytes = await source.read(wanted, copied).catch((error: unknown) => {
        logger.warn('transfer.part-unreadable', { transferId: row.transferId, reason: String(error) });
        return 0;
      });
      if (readBytes === 0) return false;
      for (let written = 0; written < readBytes;) {
        written += await copy.write([wanted.subarray(written, readBytes)], copied + written);
      }
      copied += readBytes;
    }
    return true;
  } finally {
    await source.close().catch(() => undefined);
  }
}
