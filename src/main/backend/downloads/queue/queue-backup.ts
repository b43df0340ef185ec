import { open, rename, rm, stat } from 'node:fs/promises';
import { isAppError, toAppError } from '#shared/errors/app-error.ts';
import type { Logger } from '../../ports.ts';
import type { Timers } from '../tasks/timers.ts';
import { backupPathOf } from './open-healthy-queue.ts';
import type { QueueFile } from './queue-file.ts';

const lookEveryMs = 60_000;
const backUpEveryMs = 10 * 60_000;
const soonMs = 5000;

/** Keeps a copy of the queue's file beside it, for the day that it can't be read. */
export interface QueueBackup {
  /** Something was written that should not be lost: the copy is made anew within a minute. */
  soon(): void;
  /** Waits for a copy that is being made. */
  close(): Promise<void>;
}

/** Copies the file from time to time when it has changed. */
export function startQueueBackup(options: {
  queue: Pick<QueueFile, 'changeCount' | 'copyTo' | 'noteDamage'>;
  filePath: string;
  timers: Timers;
  logger: Logger;
}): QueueBackup {
  const { queue, filePath, timers, logger } = options;
  const backup = backupPathOf(filePath);
  let copiedAtMs = -Infinity;
  let copiedCount = 0;
  let cancelTimer: (() => void) | null = null;
  let copying: Promise<void> | null = null;
  let isClosed = false;
  /** From the wish for a copy to the beginning of one. */
  let isWished = false;

  async function copy(): Promise<void> {
    isWished = false;
    const count = queue.changeCount();
    const part = `${backup}.part`;
    copiedAtMs = timers.elapsedMs();
    try {
      await rm(part, { force: true });
      await queue.copyTo(part);
      if (isClosed) {
        await rm(part, { force: true });
        return;
      }
      await sync(part);
      await rename(part, backup);
      copiedCount = count;
    } catch (error) {
      // The copy of before stays: it is what is left.
      if (isAppError(error, 'library.corrupt')) queue.noteDamage();
      logger.warn('queue.not-backed-up', { reason: toAppError(error).message });
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  async function look(): Promise<void> {
    const sinceMs = timers.elapsedMs() - copiedAtMs;
    if (queue.changeCount() !== copiedCount && sinceMs >= backUpEveryMs) await copy();
    else if (!(await isThere(backup))) await copy();
  }

  function run(work: () => Promise<void>): void {
    cancelTimer = null;
    copying = work().finally(() => {
      copying = null;
      if (isWished) planWished();
      else plan(lookEveryMs, look);
    });
  }

  function planWished(): void {
    const sinceMs = timers.elapsedMs() - copiedAtMs;
    plan(Math.max(soonMs, lookEveryMs - sinceMs), copy);
  }

  function plan(delayMs: number, work: () => Promise<void>): void {
    if (isClosed) return;
    cancelTimer?.();
    cancelTimer = timers.after(delayMs, () => run(work));
  }

  plan(lookEveryMs, look);
  return {
    soon() {
      // One that is planned isn't put off: many orders may come, each before the last one's copy.
      if (isWished) return;
      isWished = true;
      if (copying === null) planWished();
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      await copying;
    },
  };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
