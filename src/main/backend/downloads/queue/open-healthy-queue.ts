import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { isAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { openQueue, type QueueFile } from './queue-file.ts';

/** Where the last copy of a queue's file is. */
export function backupPathOf(filePath: string): string {
  return `${filePath}.backup`;
}

/**
 * Opens the queue. A file that can't be read is moved aside, and the last copy of it takes its place; what that doesn't
 * know of can be found by the part files. The person is told by the queue's notice. A copy, to look at, is not rebuilt.
 * @throws AppError `library.newer-schema`, `library.in-use`; `library.corrupt` for a copy
 */
export function openHealthyQueue(
  filePath: string,
  {
    clock,
    logger,
    disk = systemDisk,
    isCopy = false,
  }: { clock: Clock; logger: Logger; disk?: Disk; isCopy?: boolean | undefined },
): { queue: QueueFile; isRebuilt: boolean } {
  const isLost = isEmptyOrGone(filePath) && existsSync(backupPathOf(filePath));
  try {
    if (isCopy || !isLost) return { queue: openQueue(filePath, disk), isRebuilt: false };
    logger.error('queue.damaged', { file: filePath, reason: 'there is nothing in it' });
  } catch (error) {
    if (isCopy || !isAppError(error, 'library.corrupt')) throw error;
    logger.error('queue.damaged', { file: filePath, reason: error.message });
  }
  const asidePath = moveAside(filePath, clock.now());
  const { queue, backupAtMs } = openFromBackup(filePath, disk);
  logger.warn('queue.rebuilt', { asidePath, backupAtMs });
  queue.facts.write('notice', {
    kind: 'rebuilt',
    at: new Date(clock.now()).toISOString(),
    asidePath,
    backupAt: backupAtMs === null ? null : new Date(backupAtMs).toISOString(),
    adoptedCount: 0,
  });
  return { queue, isRebuilt: true };
}

function openFromBackup(filePath: string, disk: Disk): { queue: QueueFile; backupAtMs: number | null } {
  const backup = backupPathOf(filePath);
  if (existsSync(backup)) {
    try {
      const backupAtMs = statSync(backup).mtimeMs;
      copyFileSync(backup, filePath);
      return { queue: openQueue(filePath, disk), backupAtMs };
    } catch (error) {
      if (!isAppError(error, 'library.corrupt')) throw error;
      removeFiles(filePath);
    }
  }
  return { queue: openQueue(filePath, disk), backupAtMs: null };
}

// A power cut, a full disk or a tidy hand leaves that. SQLite would take it for a new queue.
function isEmptyOrGone(filePath: string): boolean {
  return (statSync(filePath, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

// Whoever can read such files may find more in it than Swath.
function moveAside(filePath: string, nowMs: number): string | null {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  let asidePath = `${filePath}.damaged-${time}`;
  for (let copy = 2; existsSync(asidePath); copy += 1) asidePath = `${filePath}.damaged-${time}-${copy}`;
  const isThere = existsSync(filePath);
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(filePath + end)) renameSync(filePath + end, asidePath + end);
  }
  return isThere ? asidePath : null;
}

function removeFiles(filePath: string): void {
  for (const end of ['-wal', '-shm', '']) rmSync(filePath + end, { force: true });
}
