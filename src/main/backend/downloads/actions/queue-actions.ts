import { AppError } from '#shared/errors/app-error.ts';
import type { TransferEvent } from '#shared/transfer/next-state.ts';
import { fitsFilter, type TransferFilter, type TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { TransferPriority, TransferState } from '#shared/transfer/transfer.ts';
import type { Clock } from '../../ports.ts';
import type { Downloads } from '../downloads.ts';
import type { Disk } from '../file/disk.ts';
import type { Volumes } from '../file/volumes.ts';
import type { ChangeFeed } from '../queue/change-feed.ts';
import type { QueueFile } from '../queue/queue-file.ts';
import type { Ranking } from '../queue/rank-store.ts';
import { withoutFile, type RowChanges } from '../queue/transfer-row.ts';
import type { DecideOptions } from '../queue/transfer-store.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Timers } from '../tasks/timers.ts';
import type { PartDropper } from './part-dropper.ts';
import { sendTransfers } from './send-transfers.ts';

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
  const { transfers, ranks, facts, answers, lazy } = queue;
  const { slots } = scheduler;

  function toFilter(which: number | TransferFilter): TransferFilter {
    const filter = asFilter(which);
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

  // Of thousands nobody ever sees, or finds after a crash, that it was done to some.
  async function inOneStep<Result>(work: () => Result, askKey?: string): Promise<Result> {
    const result = lazy.write(() => answers.once(askKey, work));
    await lazy.settle();
    return result;
  }

  // Those that run are told to stop by the very step that says what becomes of them.
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

  function rank({ ranks: found, shiftedIds }: Ranking): number[] {
    ranks.put(found);
    const transferIds = found.map(({ transferId }) => transferId);
    markChanged([...shiftedIds, ...transferIds]);
    return transferIds;
  }

  async function untilStopped(transferIds: readonly number[]): Promise<void> {
    const running = new Set(slots.runs().map(({ row }) => row.transferId));
    const stopping = transferIds.filter((transferId) => running.has(transferId));
    await Promise.all(stopping.map((transferId) => slots.hold(transferId, () => Promise.resolve())));
  }

  function resume(filter: TransferFilter): number[] {
    const changes = freshStart(clock.now());
    const isNamed = filter.transferIds !== undefined || filter.states !== undefined;
    const again = isNamed ? [...retried, 'cancelled' as const] : retried;
    return [
      ...decide(within(filter, ['paused']), 'resume', { changes }),
      ...decide(within(filter, again), 'retry', { changes }),
      ...(isNamed || filter.downloadId !== undefined ? fetchAgain(filter) : []),
    ];
  }

  function fetchAgain(filter: TransferFilter): number[] {
    const transferIds = spoiltIdsOf(filter);
    const anew = { finding: null, checkedAtMs: null, startedAtMs: null, finishedAtMs: null };
    const changes = { ...freshStart(clock.now()), ...withoutFile, ...anew };
    return transferIds.length === 0 ? [] : decide({ transferIds }, 'fetch-again', { changes });
  }

  // What is missing or changed was done once, and counts as failed from then on.
  function spoiltIdsOf({ states, ...filter }: TransferFilter): number[] {
    const isMeant = states?.some((state) => state === 'failed' || state === 'done') ?? true;
    return isMeant ? transfers.idsOfSpoilt(filter) : [];
  }

  function removableIdsOf(filter: TransferFilter): number[] {
    const transferIds = transfers.idsOf(within(filter, removable));
    const areFailedMeant = filter.states?.includes('failed') ?? true;
    const spoilt = spoiltIdsOf(filter);
    if (areFailedMeant) return [...new Set([...transferIds, ...spoilt])];
    const kept = new Set(spoilt);
    return transferIds.filter((transferId) => !kept.has(transferId));
  }

  return {
    async goOn(transferIds) {
      if (transferIds.length === 0) return;
      await inOneStep(() => resume({ transferIds: [...transferIds] }));
      scheduler.wake();
    },
    async pause(which, askKey) {
      let ids: number[] = [];
      const answer = await inOneStep(() => {
        ids = decide(toFilter(which), 'pause');
        return { count: ids.length };
      }, askKey);
      await untilStopped(ids);
      return answer;
    },
    async resume(which, askKey) {
      const filter = toFilter(which);
      const isWaitedFor = transfers.has(within(filter, ['waiting']));
      const answer = await inOneStep(() => ({ count: resume(filter).length }), askKey);
      if (isWaitedFor) scheduler.hurry();
      else scheduler.wake();
      return answer;
    },
    async startNow(transferIds) {
      const filter = toFilter({ transferIds: [...transferIds] });
      await inOneStep(() => {
        rank(ranks.findPlace(transferIds, 'top'));
        resume(filter);
      });
      scheduler.hurry();
      scheduler.makeRoom(transferIds);
      return { count: transfers.idsOf(filter).length };
    },
    async cancel(which, askKey) {
      let ids: number[] = [];
      const answer = await inOneStep(() => {
        const cancelId = facts.read('nextCancelId');
        const undoUntilMs = clock.now() + parts.undoMs;
        const changes = { resumeAtMs: null, cancelId, dropAtMs: undoUntilMs };
        ids = decide(toFilter(which), 'cancel', { changes, keepsBefore: true });
        facts.write('nextCancelId', cancelId + 1);
        return { cancelId, count: ids.length, undoUntilMs };
      }, askKey);
      dropper.dropLater(answer.cancelId, parts.undoMs);
      await untilStopped(ids);
      return answer;
    },
    async undoCancel(cancelId, askKey) {
      const answer = await inOneStep(() => {
        const ids = transfers.undoCancel(cancelId);
        markChanged(ids);
        return { count: ids.length };
      }, askKey);
      scheduler.wake();
      return answer;
    },
    async remove(which, askKey) {
      const transferIds = removableIdsOf(asFilter(which));
      await untilStopped(transferIds);
      const orderCount = queue.orders.count();
      let gone: number[] = [];
      const answer = await inOneStep(() => {
        toFilter(which);
        // What was taken up again in the meantime stays.
        gone = transfers
          .idsOf({ transferIds, states: [...removable] })
          .filter((transferId) => slots.runOf(transferId) === undefined);
        queue.parts.dropPartsOf(gone);
        transfers.remove(gone);
        return { count: gone.length };
      }, askKey);
      for (const transferId of gone) feed.markRemoved(transferId);
      if (queue.orders.count() !== orderCount) feed.markOrders();
      dropper.dropRemoved();
      return answer;
    },
    async move(transferIds, place: TransferPlace) {
      toFilter({ transferIds: [...transferIds] });
      if (typeof place === 'object') toFilter('before' in place ? place.before : place.after);
      await inOneStep(() => rank(ranks.findPlace(transferIds, place)));
      scheduler.wake();
      return { count: transferIds.length };
    },
    async prioritise(which, priority: TransferPriority, askKey) {
      const answer = await inOneStep(
        () => ({ count: rank(ranks.findPriority(toFilter(which), priority)).length }),
        askKey,
      );
      scheduler.wake();
      return answer;
    },
    async sendTo(which, destination) {
      const sent = await sendTransfers(parts, toFilter(which), {
        destination,
        inOneStep,
        onSent(transferIds) {
          // What failed or waits does so because of the old folder.
          decide(within({ transferIds }, retried), 'retry', { changes: freshStart(clock.now()) });
          markChanged(transferIds);
          feed.markOrders();
        },
      });
      const { transferIds, anewCount } = sent;
      if (transferIds.length > 0) scheduler.wake();
      return { count: transferIds.length, anewCount };
    },
    async pauseQueue() {
      facts.write('isPaused', true);
      const stopped = scheduler.interruptAll();
      feed.markStatus();
      await untilStopped(stopped);
    },
    resumeQueue() {
      const wasPaused = facts.read('isPaused');
      facts.write('isPaused', false);
      feed.markStatus();
      // What wasn't stopped waits for something else, and somebody has had enough of it.
      if (wasPaused) scheduler.wake();
      else scheduler.hurry();
    },
  };
}

function asFilter(which: number | TransferFilter): TransferFilter {
  return typeof which === 'number' ? { transferIds: [which] } : which;
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
