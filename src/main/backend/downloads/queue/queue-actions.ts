import { AppError } from '#shared/errors/app-error.ts';
import type { TransferEvent } from '#shared/transfer/next-state.ts';
import { fitsFilter, type TransferFilter, type TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { TransferPriority, TransferState } from '#shared/transfer/transfer.ts';
import type { Clock } from '../../ports.ts';
import type { Downloads } from '../downloads.ts';
import type { Disk } from '../file/disk.ts';
import type { Volumes } from '../file/volumes.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import { createSerialTasks } from '../schedule/serial-tasks.ts';
import type { Timers } from '../schedule/timers.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { PartDropper } from './part-dropper.ts';
import type { QueueFile } from './queue-file.ts';
import { inSlices } from './in-slices.ts';
import type { Ranking } from './rank-store.ts';
import { sendTransfers } from './send-transfers.ts';
import { withoutFile, type RowChanges } from './transfer-row.ts';
import type { DecideOptions } from './transfer-store.ts';

/** What a person can do with transfers. */
export type QueueActions = Pick<
  Downloads,
  | 'pause'
  | 'resume'
  | 'startNow'
  | 'cancel'
  | 'undoCancel'
  | 'remove'
  | 'move'
  | 'prioritise'
  | 'sendTo'
  | 'pauseQueue'
  | 'resumeQueue'
> & {
  /** Goes on with transfers that an order took over. */
  goOn: (transferIds: readonly number[]) => Promise<void>;
};

/** What the actions work with. */
export interface ActionParts {
  queue: QueueFile;
  scheduler: Scheduler;
  feed: ChangeFeed;
  dropper: PartDropper;
  volumes: Volumes;
  disk: Disk;
  timers: Timers;
  clock: Clock;
  /** For how long a cancelled transfer can be had back. */
  undoMs: number;
}

const retried: readonly TransferState[] = ['waiting', 'failed'];
const removable: readonly TransferState[] = ['done', 'failed', 'cancelled'];

/** Makes the actions of a queue. */
export function createQueueActions(parts: ActionParts): QueueActions {
  const { queue, scheduler, feed, dropper, clock } = parts;
  const { transfers, ranks, facts, lazy } = queue;
  const { slots } = scheduler;
  const changes = createSerialTasks();

  function toFilter(which: number | TransferFilter): TransferFilter {
    const filter = typeof which === 'number' ? { transferIds: [which] } : which;
    const named: TransferFilter = {
      ...(filter.transferIds ? { transferIds: filter.transferIds } : {}),
      ...(filter.downloadId === undefined ? {} : { downloadId: filter.downloadId }),
    };
    if (Object.keys(named).length > 0 && !transfers.has(named)) throw notFound(which);
    return filter;
  }

  function markChanged(transferIds: readonly number[]): void {
    for (const transferId of transferIds) feed.markChanged(transferId);
  }

  // Those that run are told to stop; the others are one step on disk, however many they are.
  function decide(filter: TransferFilter, event: TransferEvent, options: DecideOptions = {}): number[] {
    const running = slots.runs().map(({ row }) => row.transferId);
    const stopped = running.filter((transferId) => {
      const row = transfers.row(transferId);
      if (row === null || !fitsFilter(row, filter)) return false;
      const changes = { ...options.changes, ...(options.keepsBefore ? { stateBefore: row.state } : {}) };
      return scheduler.decide(transferId, event, changes);
    });
    const others = transfers.decideAll(filter, event, { ...options, except: running });
    markChanged(others);
    return [...stopped, ...others];
  }

  // Thousands at once would hold everything else up. None is met twice, and all are durable at the end.
  async function decideMany(
    filter: TransferFilter,
    event: TransferEvent,
    options: DecideOptions = {},
  ): Promise<number[]> {
    const decided: number[] = [];
    await inSlices(transfers.idsOf(filter), (transferIds) => {
      decided.push(...lazy.write(() => decide({ ...filter, transferIds: [...transferIds] }, event, options)));
    });
    await lazy.settle();
    return decided;
  }

  // One after the other: what is found for one holds until another is put.
  function rank(find: () => Ranking): Promise<number[]> {
    return changes.run('ranks', async () => {
      const { ranks: found, shiftedIds } = find();
      markChanged(shiftedIds);
      await inSlices(found, (slice) => {
        lazy.write(() => ranks.put(slice));
        markChanged(slice.map(({ transferId }) => transferId));
      });
      await lazy.settle();
      return found.map(({ transferId }) => transferId);
    });
  }

  async function untilStopped(transferIds: readonly number[]): Promise<void> {
    const running = new Set(slots.runs().map(({ row }) => row.transferId));
    const stopping = transferIds.filter((transferId) => running.has(transferId));
    await Promise.all(stopping.map((transferId) => slots.hold(transferId, () => Promise.resolve())));
  }

  // Some may have been dropped since all of them were looked for.
  function undoSome(cancelId: number, some: readonly number[]): number {
    const rows = transfers.undoable(cancelId, some);
    const idsBefore = (...states: (TransferState | null)[]) => ({
      transferIds: rows
        .filter(({ stateBefore }) => states.includes(stateBefore))
        .map(({ transferId }) => transferId),
    });
    const back = rows.map(({ transferId }) => transferId);
    transfers.together(() => {
      transfers.decideAll({ transferIds: back }, 'retry', { changes: notCancelled });
      transfers.decideAll(idsBefore('paused'), 'pause');
      transfers.decideAll(idsBefore('failed'), 'fail');
    });
    markChanged(back);
    return back.length;
  }

  async function resume(filter: TransferFilter): Promise<number[]> {
    const changes = freshStart(clock.now());
    const isNamed = filter.transferIds !== undefined || filter.states !== undefined;
    const again = isNamed ? [...retried, 'cancelled' as const] : retried;
    const ids = [
      ...(await decideMany(within(filter, ['paused']), 'resume', { changes })),
      ...(await decideMany(within(filter, again), 'retry', { changes })),
      ...(isNamed ? await fetchAgain(filter) : []),
    ];
    scheduler.wake();
    return ids;
  }

  async function fetchAgain(filter: TransferFilter): Promise<number[]> {
    const done = transfers.idsOf(within(filter, ['done']));
    const transferIds = done.filter((transferId) => transfers.row(transferId)?.finding != null);
    if (transferIds.length === 0) return [];
    const changes = { ...freshStart(clock.now()), ...withoutFile, finding: null, finishedAtMs: null };
    return decideMany({ transferIds }, 'fetch-again', { changes });
  }

  return {
    async goOn(transferIds) {
      if (transferIds.length > 0) await resume({ transferIds: [...transferIds] });
    },
    async pause(which) {
      const ids = await decideMany(toFilter(which), 'pause');
      await untilStopped(ids);
      return { count: ids.length };
    },
    async resume(which) {
      return { count: (await resume(toFilter(which))).length };
    },
    async startNow(transferIds) {
      const filter = toFilter({ transferIds: [...transferIds] });
      await rank(() => ranks.findPlace(transferIds, 'top'));
      await resume(filter);
      scheduler.makeRoom(transferIds);
      return { count: transfers.idsOf(filter).length };
    },
    async cancel(which) {
      const filter = toFilter(which);
      const cancelId = facts.read('nextCancelId');
      const undoUntilMs = clock.now() + parts.undoMs;
      facts.write('nextCancelId', cancelId + 1);
      const changes = { resumeAtMs: null, cancelId, dropAtMs: undoUntilMs };
      const ids = await decideMany(filter, 'cancel', { changes, keepsBefore: true });
      dropper.dropLater(cancelId, parts.undoMs);
      await untilStopped(ids);
      return { cancelId, count: ids.length, undoUntilMs };
    },
    async undoCancel(cancelId) {
      let count = 0;
      const all = transfers.undoable(cancelId).map(({ transferId }) => transferId);
      await inSlices(all, (slice) => {
        count += lazy.write(() => undoSome(cancelId, slice));
      });
      await lazy.settle();
      scheduler.wake();
      return { count };
    },
    async remove(which) {
      const ids = transfers.idsOf(within(toFilter(which), removable));
      const orderCount = queue.orders.count();
      let count = 0;
      await inSlices(ids, async (slice) => {
        const withPart = new Set(queue.parts.partPaths(slice).map(({ transferId }) => transferId));
        await dropper.dropFiles(slice.filter((id) => withPart.has(id) || slots.isBusy(id)));
        // What was taken up again in the meantime stays.
        const gone = transfers.idsOf({ transferIds: [...slice], states: [...removable] });
        lazy.write(() => transfers.remove(gone));
        for (const transferId of gone) feed.markRemoved(transferId);
        count += gone.length;
      });
      await lazy.settle();
      if (queue.orders.count() !== orderCount) feed.markOrders();
      return { count };
    },
    async move(transferIds, place: TransferPlace) {
      toFilter({ transferIds: [...transferIds] });
      if (typeof place === 'object') toFilter('before' in place ? place.before : place.after);
      await rank(() => ranks.findPlace(transferIds, place));
      scheduler.wake();
      return { count: transferIds.length };
    },
    async prioritise(which, priority: TransferPriority) {
      const filter = toFilter(which);
      const ids = await rank(() => ranks.findPriority(filter, priority));
      scheduler.wake();
      return { count: ids.length };
    },
    async sendTo(which, destination) {
      const sent = await sendTransfers(parts, toFilter(which), destination);
      const { transferIds, anewCount } = sent;
      if (transferIds.length > 0) {
        // What failed or waits does so because of the old folder.
        await decideMany(within({ transferIds }, retried), 'retry', { changes: freshStart(clock.now()) });
        markChanged(transferIds);
        feed.markOrders();
        scheduler.wake();
      }
      return { count: transferIds.length, anewCount };
    },
    async pauseQueue() {
      facts.write('isPaused', true);
      const stopped = scheduler.interruptAll();
      feed.markStatus();
      await untilStopped(stopped);
    },
    resumeQueue() {
      facts.write('isPaused', false);
      feed.markStatus();
      scheduler.wake();
    },
  };
}

function within(filter: TransferFilter, states: readonly TransferState[]): TransferFilter {
  const { states: asked, ...others } = filter;
  return { ...others, states: states.filter((state) => asked?.includes(state) ?? true) };
}

const notCancelled: RowChanges = { cancelId: null, dropAtMs: null, stateBefore: null };

function freshStart(nowMs: number): RowChanges {
  const counters = { attempts: 0, restarts: 0, deaths: 0 };
  return { ...notCancelled, ...counters, error: null, resumeAtMs: null, progressAtMs: nowMs };
}

function notFound(which: number | TransferFilter): AppError {
  const transferId = typeof which === 'number' ? which : (which.transferIds?.[0] ?? null);
  const what = transferId === null ? 'There is no such order' : `There is no transfer ${transferId}`;
  return new AppError('transfer.not-found', what, { details: { transferId } });
}
