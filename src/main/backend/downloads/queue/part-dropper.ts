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
  /** Deletes those of cancelled transfers when the time to take it back is over; now, whatever the time, when `all`. */
  schedule(options?: { all?: boolean }): void;
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
  let cancelTimer: (() => void) | null = null;
  let isClosed = false;

  function schedule({ all = false } = {}): void {
    cancelTimer?.();
    cancelTimer = null;
    if (isClosed) return;
    if (all) {
      dropDue(Infinity);
      return;
    }
    const nextMs = store.nextDropAtMs();
    if (nextMs !== null)
      cancelTimer = timers.after(Math.max(0, nextMs - clock.now()), () => dropDue(clock.now()));
  }

  function dropDue(untilMs: number): void {
    const due = store
      .rowsIn('cancelled')
      .filter(({ dropAtMs, partPath }) => (dropAtMs === null ? partPath !== null : dropAtMs <= untilMs));
    try {
      // From here on it can't be taken back, whatever becomes of the files.
      store.together(() => {
        for (const { transferId, partPath, dropAtMs } of due)
          if (dropAtMs !== null)
            store.update(transferId, { dropAtMs: null, ...(partPath === null ? withoutFile : {}) });
      });
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
      cancelTimer = timers.after(stuckRetryMs, () => dropDue(untilMs));
      return;
    }
    for (const { transferId, partPath } of due) {
      parts.onChange(transferId);
      if (partPath !== null) void dropCancelled(transferId).catch(logLeft(partPath));
    }
    schedule();
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
    schedule,
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
      cancelTimer?.();
    },
  };
}

function isOver({ state }: TransferRow): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
