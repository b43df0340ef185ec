import { dirname } from 'node:path';
import { toAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Disk } from '../file/disk.ts';
import { deletePart } from '../file/part-note.ts';
import { collectionFolderOf } from '../output/folder-links.ts';
import type { LazyWrites } from '../queue/lazy-writes.ts';
import type { PartStore } from '../queue/part-store.ts';
import { withoutFile } from '../queue/transfer-row.ts';
import type { TransferStore } from '../queue/transfer-store.ts';
import type { Slots } from '../schedule/slots.ts';
import { createSerialTasks } from '../tasks/serial-tasks.ts';
import type { Timers } from '../tasks/timers.ts';

/** Deletes part files that nobody wants any more. */
export interface PartDropper {
  /**
   * Deletes those of transfers that an earlier process has removed, and that it has cancelled: at rest when their time is
   * over, else now. Of a copy of the queue none.
   */
  dropEarlier(when: { isAtRest: boolean; isCopy?: boolean | undefined }): void;
  /** Deletes those of one cancel after so long. By the timers: a clock that is put must not take them early, or never. */
  dropLater(cancelId: number, delayMs: number): void;
  /** Deletes those of transfers that were removed; nobody waits for it. */
  dropRemoved(): void;
  /** Waits for a while for those of removed transfers; the next start goes on with what is left. */
  close(): Promise<void>;
}

const stuckRetryMs = 30_000;
// A drive that hangs must not keep the program from ending.
const longestEndMs = 3000;

/** A dropper of a queue's part files. */
export function createPartDropper(parts: {
  store: TransferStore;
  partStore: PartStore;
  lazy: LazyWrites;
  slots: Slots;
  disk: Disk;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  onChange: (transferId: number) => void;
}): PartDropper {
  const { store, partStore, lazy, slots, clock, timers, logger } = parts;
  const planned = new Set<() => void>();
  const removals = createSerialTasks();
  let removing: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let isOver = false;

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
      if (drop({ dueMs: clock.now() })) dropInTime();
    });
  }

  // False when it has to be tried again, which it will.
  function drop(which: Parameters<PartStore['endUndo']>[0]): boolean {
    try {
      partStore.endUndo(which).forEach(parts.onChange);
      const byFolder = Map.groupBy(partStore.cancelledParts(), ({ destination }) => destination);
      // A drive that hangs holds no other up.
      for (const left of byFolder.values()) void dropCancelled(left);
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
      plan(stuckRetryMs, () => void drop(which));
      return false;
    }
    return true;
  }

  // One by one: each may be taken up again as long as its turn hasn't come.
  async function dropCancelled(left: readonly { transferId: number }[]): Promise<void> {
    for (const { transferId } of left) {
      // The next start goes on.
      if (isClosed) return;
      await slots
        .hold(transferId, () => dropPartOf(transferId))
        .catch((error: unknown) => logger.error('queue.stuck', { reason: toAppError(error).message }));
    }
  }

  async function dropPartOf(transferId: number): Promise<void> {
    const row = store.row(transferId);
    if (row?.state !== 'cancelled' || row.dropAtMs !== null || row.partPath === null) return;
    if (!(await dropPart(row.partPath))) return;
    // Taken back by a power cut, it is done again.
    lazy.write(() => store.update(transferId, withoutFile));
    parts.onChange(transferId);
  }

  // False where a disk doesn't let it go now: whoever drops parts next tries again. An unplugged drive keeps the part; it is
  // worth nothing without its transfer.
  async function dropPart(partPath: string): Promise<boolean> {
    try {
      await deletePart(partPath, { disk: parts.disk, timers });
      return true;
    } catch (error) {
      logger.warn('transfer.part-left', { path: partPath, reason: toAppError(error).message });
      return false;
    }
  }

  function dropRemoved(): void {
    removing = Promise.all([removing, dropAllRemoved()]);
  }

  async function dropAllRemoved(): Promise<void> {
    try {
      const folders = new Set(partStore.dropped().map(destinationOf));
      const drops = [...folders].map((folder) => removals.run(folder, () => dropRemovedIn(folder)));
      await Promise.all(drops);
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
    }
  }

  async function dropRemovedIn(folder: string): Promise<void> {
    for (const partPath of partStore.dropped().filter((path) => destinationOf(path) === folder)) {
      const isGone = await dropPart(partPath);
      // The next start goes on.
      if (isOver) return;
      // As above.
      if (isGone) lazy.write(() => partStore.forgetDropped(partPath));
    }
  }

  return {
    dropEarlier({ isAtRest, isCopy }) {
      if (isCopy) return;
      if (isAtRest) dropInTime();
      else drop({ dueMs: Infinity });
      dropRemoved();
    },
    dropLater: (cancelId, delayMs) => plan(delayMs, () => void drop({ cancelId })),
    dropRemoved,
    async close() {
      isClosed = true;
      for (const cancel of planned) cancel();
      await new Promise<void>((resolve) => {
        const cancel = timers.after(longestEndMs, resolve);
        void removing.then(() => {
          cancel();
          resolve();
        });
      });
      isOver = true;
    },
  };
}

// The folder that was ordered into, which is as good as its drive.
function destinationOf(partPath: string): string {
  return dirname(collectionFolderOf(dirname(partPath)));
}
