import { toAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Disk } from '../file/disk.ts';
import { deletePart } from '../file/part-note.ts';
import type { Slots } from '../schedule/slots.ts';
import type { Timers } from '../schedule/timers.ts';
import { withoutFile, type TransferRow } from './transfer-row.ts';
import type { PartStore } from './part-store.ts';
import type { TransferStore } from './transfer-store.ts';

/** Deletes part files that nobody wants any more. */
export interface PartDropper {
  /**
   * Deletes those of transfers that an earlier process has removed, and that it has cancelled: at rest when their time is
   * over, else now. Of a copy of the queue none.
   */
  dropEarlier(when: { isAtRest: boolean; isCopy?: boolean | undefined }): void;
  /** Deletes those of one cancel after so long. By the timers: a clock that is put must not take them early, or never. */
  dropLater(cancelId: number, delayMs: number): void;
  /** Deletes those of transfers that were removed. */
  dropRemoved(): Promise<void>;
  close(): Promise<void>;
}

const stuckRetryMs = 30_000;

/** A dropper of a queue's part files. */
export function createPartDropper(parts: {
  store: TransferStore;
  partStore: Pick<PartStore, 'dropped' | 'forgetDropped'>;
  slots: Slots;
  disk: Disk;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  onChange: (transferId: number) => void;
}): PartDropper {
  const { store, partStore, slots, clock, timers, logger } = parts;
  const planned = new Set<() => void>();
  let isClosed = false;
  let removing = Promise.resolve();

  function plan(delayMs: number, work: () => void): void {
    if (isClosed) return;
    const cancel = timers.after(Math.max(0, delayMs), () => {
      planned.delete(cancel);
      work();
    });
    planned.add(cancel);
  }

  function dropInTime(): void {
    const nextMs = store.nextDropAtMs();
    if (nextMs === null) return;
    plan(nextMs - clock.now(), () => {
      const nowMs = clock.now();
      if (drop(({ dropAtMs }) => (dropAtMs ?? 0) <= nowMs)) dropInTime();
    });
  }

  // False when it has to be tried again, which it will.
  function drop(isDue: (row: TransferRow) => boolean): boolean {
    const due = store
      .rowsIn('cancelled')
      .filter((row) => (row.dropAtMs === null ? row.partPath !== null : isDue(row)));
    try {
      // From here on it can't be taken back, whatever becomes of the files.
      store.together(() => {
        for (const { transferId, partPath, dropAtMs } of due)
          if (dropAtMs !== null)
            store.update(transferId, { dropAtMs: null, ...(partPath === null ? withoutFile : {}) });
      });
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
      plan(stuckRetryMs, () => void drop(isDue));
      return false;
    }
    for (const { transferId, partPath } of due) {
      parts.onChange(transferId);
      if (partPath !== null) void dropCancelled(transferId).catch(logLeft(partPath));
    }
    return true;
  }

  function dropCancelled(transferId: number): Promise<void> {
    return slots.hold(transferId, async () => {
      const row = store.row(transferId);
      if (row?.state !== 'cancelled' || row.dropAtMs !== null) return;
      if (row.partPath !== null) await dropPart(row.partPath);
      store.update(transferId, withoutFile);
      parts.onChange(transferId);
    });
  }

  // An unplugged drive keeps the part; it is worth nothing without its transfer.
  async function dropPart(partPath: string): Promise<void> {
    await deletePart(partPath, { disk: parts.disk, timers }).catch(logLeft(partPath));
  }

  async function dropAllRemoved(): Promise<void> {
    try {
      for (const partPath of partStore.dropped()) {
        // The next start goes on.
        if (isClosed) return;
        await dropPart(partPath);
        partStore.forgetDropped(partPath);
      }
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
    }
  }

  function dropRemoved(): Promise<void> {
    removing = removing.then(dropAllRemoved);
    return removing;
  }

  function logLeft(path: string): (error: unknown) => void {
    return (error) => logger.warn('transfer.part-left', { path, reason: toAppError(error).message });
  }

  return {
    dropEarlier({ isAtRest, isCopy }) {
      if (isCopy) return;
      if (isAtRest) dropInTime();
      else drop(() => true);
      void dropRemoved();
    },
    dropLater: (cancelId, delayMs) => plan(delayMs, () => void drop((row) => row.cancelId === cancelId)),
    dropRemoved,
    async close() {
      isClosed = true;
      for (const cancel of planned) cancel();
      await removing;
    },
  };
}
