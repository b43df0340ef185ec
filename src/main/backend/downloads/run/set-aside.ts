import { basename, dirname, join } from 'node:path';
import { isAppError, type AppError } from '#shared/errors/app-error.ts';
import { deletePart } from '../file/part-note.ts';
import { deleteFile, publishPart } from '../file/publish.ts';
import type { TransferRun } from './transfer-run.ts';

/**
 * Keeps a part file whose checksum is wrong under a name that nobody takes for the file's own, so that a person can look
 * at it; the last one of the same transfer gives way. Null when there is nothing to be kept, or it can't be.
 */
export async function setAside(run: TransferRun, why: AppError): Promise<string | null> {
  const { disk, timers, logger } = run.parts;
  const { partPath, filePath, transferId } = run.row;
  const isKept = isAppError(why, 'transfer.checksum-mismatch') || isAppError(why, 'transfer.source-mismatch');
  if (partPath === null || filePath === null || !isKept) return null;
  const publishing = { disk, timers, signal: run.signal };
  // Named as the part is: neither a person's file nor another queue's may give way to it.
  const path = `${filePath}${ending(run)}`;
  try {
    await deleteFile(path, publishing);
    if (!(await publishPart(partPath, path, publishing))) return null;
    await deletePart(partPath, publishing);
    return path;
  } catch (error) {
    logger.warn('transfer.not-set-aside', { transferId, path: partPath, reason: String(error) });
    return null;
  }
}

/** Deletes what was set aside of a transfer once the right file has come: nobody needs to look at it any more. */
export async function dropSetAside(run: TransferRun): Promise<void> {
  const { disk, timers, logger, store } = run.parts;
  const { filePath, transferId } = run.row;
  const kept = store.eventsOf(transferId).map(({ error }) => error?.details['keptAs']);
  const name = kept.findLast((keptAs) => typeof keptAs === 'string');
  // What stands in the queue's file may have been written by somebody else: only what has this transfer's ending goes.
  if (filePath === null || name === undefined || basename(name) !== name || !name.endsWith(ending(run)))
    return;
  try {
    await deleteFile(join(dirname(filePath), name), { disk, timers, signal: run.signal });
  } catch (error) {
    logger.warn('transfer.set-aside-stays', { transferId, name, reason: String(error) });
  }
}

function ending({ row: { transferId }, parts: { store } }: TransferRun): string {
  return `.${transferId}-${store.partTag()}.bad`;
}
