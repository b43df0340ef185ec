import { toAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Disk } from '../file/disk.ts';
import { deletePart } from '../file/part-note.ts';
import type { Slots } from '../schedule/slots.ts';
import type { Timers } from '../schedule/timers.ts';
import { withoutFile, type TransferRow } from './transfer-row.ts';
import type { TransferStore } from './transfer-store.ts';

/** Deletes part files that nobody wants any more. */
export interface PartDropper {
  /** Deletes those of transfers that an earlier process has cancelled: at rest when their time is over, else now. */
  dropEarlier(when: { isAtRest: boolean }): void;
  /** Deletes those of one cancel after so long. By the timers: a clock that is put must not take them early, or never. */
  dropLater(cancelId: number, delayMs: number): void;
  /** Deletes the part files of settled transfers, so that these can be removed. */
  dropFiles(transferIds: readonly number[]): Promise<void>;
  close(): void;
}

const stuckRetryMs = 30_000;

/** A dropper of a queue's part files. */
export function createPartDropper(parts: {
  store: TransferStore;
  slots: Slots;
  disk: Disk;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  onChange: (transferId: number) => void;
}): PartDropper {
  const { store, slots, clock, timers, logger } = parts;
  const planned = new Set<() => void>();
  let isClosed = false;

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
      await dropPart(row);
      store.update(transferId, withoutFile);
      parts.onChange(transferId);
    });
  }

  // An unplugged drive keeps the part; it is worth nothing without its transfer.
  async function dropPart({ partPath }: TransferRow): Promise<void> {
    if (partPath === null) return;
    await deletePart(partPath, { disk: parts.disk, timers }).catch(logLeft(partPath));
  }

  function logLeft(path: string): (error: unknown) => void {
    return (error) => logger.warn('transfer.part-left', { path, reason: toAppError(error).message });
  }

  return {
    dropEarlier({ isAtRest }) {
      if (isAtRest) dropInTime();
      else drop(() => true);
    },
    dropLater: (cancelId, delayMs) => plan(delayMs, () => void drop((row) => row.cancelId === cancelId)),
    async dropFiles(transferIds) {
      for (const transferId of transferIds) {
        const row = store.row(transferId);
        if (row === null || (row.partPath === null && !slots.isBusy(transferId))) continue;
        await slots.hold(transferId, async () => {
          const now = store.row(transferId);
          if (now !== null && isOver(now)) await dropPart(now);
        });
      }
    },
    close() {
      isClosed = true;
      for (const cancel of planned) cancel();
    },
  };
}

function isOver({ state }: TransferRow): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
