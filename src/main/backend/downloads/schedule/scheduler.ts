import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import { runTransfer } from '../transfer/run-transfer.ts';
import { createSlots, type Slots } from './slots.ts';
import { createRun, type RunParts, type TransferRun } from '../run/transfer-run.ts';
import type { RowChanges, TransferRow } from '../queue/transfer-row.ts';
import { createConcurrency } from '../limits/concurrency.ts';
import type { Hold } from '../limits/allowance.ts';
import type { Gate } from '../limits/gate.ts';
import type { Disk } from '../file/disk.ts';
import { damagedQueue, isDamageOfQueue } from '../file/queue-damage.ts';
import type { RoomWaits } from '../queue/room-waits.ts';
import type { RunnableStore } from '../queue/runnable-store.ts';
import { decideNext } from './decide-next.ts';
import { createHostPauses } from './host-pauses.ts';
import { createQueueTrouble } from './queue-trouble.ts';
import { dropEmptyPart } from '../run/drop-empty-part.ts';
import { isSilentServer } from './is-silent-server.ts';
import { isSuspect, recoverQueue } from './recover-queue.ts';
import { createSharedWaits } from './shared-waits.ts';
import { createVolumeWaits } from './volume-waits.ts';
import { createWaitingTransfers, waitsForLogin, waitsForNetwork } from './waiting-transfers.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';

const longestSleepMs = 60_000;
const stuckRetryMs = 30_000;
// Files beside those that have slots: they are verified and get their names, or their servers say nothing.
const mostLeaving = 32;

/** Gives slots to transfers in their order, and brings waiting ones back in time. */
export interface Scheduler {
  readonly slots: Slots;
  /** Why nothing runs now, beside a person's having stopped the queue. */
  readonly hold: Hold | null;
  setLimits(limits: TransferLimits): void;
  /** Whether a person works offline. */
  setOffline(isOffline: boolean): void;
  /** The queue's file was found damaged elsewhere. */
  noteDamage(cause: unknown): void;
  /** Changes a transfer's state if the event means something in it; whoever runs it is told to stop. */
  decide(transferId: number, event: TransferEvent, changes?: RowChanges): boolean;
  /** Whether a server gives nothing to many that ask it, so that others leave it alone. */
  isSilent(origin: string): boolean;
  /** Looks for work. */
  wake(): void;
  /** A person wants to go on: whatever is waited for is looked at now. */
  hurry(): void;
  /** The folder of an order is there: what waits for it goes on. */
  noteFolder(destination: string): void;
  /** The same of a server that has given something. */
  noteAnswer(origin: string): void;
  /** Goes on with what waits for a login: of one catalog, or of the proxy on the way to all (null). */
  endLoginWaits(connectionId: string | null): void;
  setMaxConcurrent(count: number): void;
  /** Puts back all that run, but for those that only get their names. Gives their ids. */
  interruptAll(): number[];
  /** Puts back as many of the last that run as these need slots. */
  makeRoom(transferIds: readonly number[]): void;
  close(): Promise<void>;
}

/** What is read on the disk needs no connection, and would be read from its beginning. */
const onDisk = { except: ['verifying'] as const };

/** Starts with what the last process left: nothing stays in a state that nobody is in charge of. */
export function startScheduler(
  parts: RunParts,
  options: {
    maxConcurrent: number;
    random: () => number;
    /** Whether the process before this one has closed the queue. */
    wasClosed: boolean;
    onSettled: () => void;
    /** Told when `hold` is another one. */
    onHold: () => void;
    /** Told when the queue's file is found damaged. */
    onDamage: () => void;
    /** Whether a person has stopped the queue. */
    isPaused: () => boolean;
    /** Opened with what has to happen when it closes and opens. */
    openGate: (on: { onChange: () => void; onWake: () => void }) => Gate;
    disk: Disk;
    roomWaits: RoomWaits;
    runnable: RunnableStore;
  },
): Scheduler {
  const { store, clock, timers, logger, hosts } = parts;
  const { runnable } = options;
  const concurrency = createConcurrency(timers, options.maxConcurrent);
  let isClosed = false;
  let heldCode: ErrorCode | null = null;
  let cancelSleep: (() => void) | null = null;
  const trouble = createQueueTrouble({
    clock,
    retryMs: stuckRetryMs,
    onChange: options.onHold,
    onDamage: options.onDamage,
  });
  const chances = { clock, hosts, random: options.random };
  const slots = createSlots(() => wake());
  const shared = createSharedWaits(timers);
  const isSilent = (origin: string) =>
    isSilentServer(origin, {
      runs: slots.runs(),
      isSluggish: hosts.isSluggish(origin),
      mostAtOnce: concurrency.most,
    });
  const pauses = createHostPauses({ hosts, clock, isSilent, onHold: options.onHold });
  const volumes = createVolumeWaits({
    ...parts,
    disk: options.disk,
    waits: options.roomWaits,
    onRoom: () => wake(),
    onOut: (destinations) => unlessStuck(() => stopThose(destinations)),
  });
  const waiting = createWaitingTransfers({
    store,
    clock,
    volumes,
    wakeRow: (row) => decideRow(row, 'wake', { resumeAtMs: null }),
  });
  const gate = options.openGate({
    onChange: () => unlessStuck(takeHold),
    onWake: () => unlessStuck(reconnect),
  });

  function decideRow(row: TransferRow, event: TransferEvent, changes: RowChanges = {}): boolean {
    const state = nextState(row.state, event);
    if (state === null) return false;
    store.update(row.transferId, { ...changes, state });
    parts.onChange(row.transferId);
    return true;
  }

  function wake(): void {
    if (isClosed) return;
    unlessStuck(() => {
      waiting.look();
      fillSlots();
      pauses.end(slots.takenCount === 0);
      sleep();
    });
    options.onSettled();
  }

  // The queue's own disk may be full; transfers go on when it isn't any more.
  function unlessStuck(work: () => void): void {
    try {
      work();
      trouble.noteSuccess();
    } catch (error) {
      logger.error('queue.stuck', { reason: toAppError(error).message });
      trouble.noteFailure(error);
      if (!isClosed) sleepFor(stuckRetryMs);
    }
  }

  function endThose(isMeant: ((row: TransferRow) => boolean) | null): void {
    if (isMeant === null) return;
    waiting.wakeLater(isMeant);
    wake();
  }

  function fillSlots(): void {
    pauses.begin();
    // What runs could not be written down.
    if (trouble.isDamaged) return;
    if (!hasFreeSlot() || options.isPaused() || gate.hold !== null) return;
    let hasSuspect = slots.runs().some(({ row }) => isSuspect(row));
    const passed: number[] = [];
    const sources = runnable.sources().filter((source) => !pauses.isBusy(source));
    while (hasFreeSlot()) {
      const transferId = runnable.first(sources, [...passed, ...slots.busyIds()]);
      const row = transferId === null ? null : store.row(transferId);
      if (row === null) return;
      passed.push(row.transferId);
      // All others that don't fit go with it, and who stood behind them comes forward.
      if (volumes.isFull(row)) volumes.begin();
      else if (!isSuspect(row) || !hasSuspect) {
        hasSuspect ||= isSuspect(row);
        start(takeBack(row));
      }
    }
  }

  function hasFreeSlot(): boolean {
    const { most } = concurrency;
    return slots.takenCount < most && slots.runs().length < most + mostLeaving;
  }

  // Nobody runs it: what its last run came to could not be written.
  function takeBack(row: TransferRow): TransferRow {
    if (row.state === 'queued' || row.state === 'finalizing') return row;
    decideRow(row, 'interrupt');
    return { ...row, state: 'queued' };
  }

  function start(row: TransferRow): void {
    const run = createRun(row, parts);
    slots.occupy(run, async () => {
      try {
        await runTransfer(run);
        logger.info('transfer.done', { transferId: row.transferId });
      } catch (error) {
        end(run, isDamageOfQueue(error) ? damagedQueue(error) : toAppError(error));
        await dropEmptyPart(run).catch((failure: unknown) => {
          logger.warn('transfer.part-left', {
            transferId: row.transferId,
            reason: toAppError(failure).message,
          });
        });
      }
      await run.settle().catch((error: unknown) => {
        logger.warn('queue.not-settled', { reason: toAppError(error).message });
      });
    });
  }

  function end(run: TransferRun, error: AppError): void {
    if (run.signal.aborted) return;
    const { transferId } = run.row;
    const others = slots.runs().filter((other) => other.row.transferId !== transferId);
    const isFlowing = others.some((other) => other.bytesPerSecond(clock.now()) > 0);
    if (isDamageOfQueue(error)) {
      trouble.noteFailure(error);
      return;
    }
    logger.info('transfer.stopped', { transferId, code: error.code, reason: error.message });
    try {
      noteCause(run, error, others.length);
      const { event, changes } = decideNext(run, error, { ...chances, isNetworkThere: isFlowing });
      run.apply(event, changes);
      // Its time may come before all that it has written is durable, which is when its slot is free.
      if (event === 'wait') sleep();
      if (isUnreachable(error) && !isFlowing) void decideOnceMore(run, error);
    } catch (failure) {
      logger.error('queue.stuck', { transferId, reason: toAppError(failure).message });
      trouble.noteFailure(failure);
      // Its row says that it runs; whoever looks for work takes it back.
      sleepFor(stuckRetryMs);
    }
  }

  // Where there is a network after all, the server is away by itself, which nobody waits for without end.
  async function decideOnceMore(run: TransferRun, error: AppError): Promise<void> {
    const { transferId, connectionId, resumeAtMs } = run.row;
    if (!(await gate.suspectNetwork(connectionId)) || isClosed) return;
    unlessStuck(() => {
      const row = store.row(transferId);
      // A person, or time, may have decided about it meanwhile.
      if (row?.state !== 'waiting' || row.resumeAtMs !== resumeAtMs) return;
      const { event, changes } = decideNext(run, error, { ...chances, isNetworkThere: true });
      if (event === 'fail') decideRow(row, 'fail', changes);
      else store.update(transferId, changes);
      parts.onChange(transferId);
      wake();
    });
  }

  // What stopped one may be about to stop others.
  function noteCause({ row }: TransferRun, error: AppError, otherCount: number): void {
    if (error.code === 'transfer.too-many-open-files') concurrency.lower(otherCount + 1);
    if (error.code === 'transfer.disk-full') volumes.note(row, error);
    shared.note(row, error);
  }

  function stopThose(destinations: readonly string[]): void {
    if (isClosed) return;
    const error = new AppError('transfer.disk-full', 'The volume has no room', { retryable: true }).toData();
    for (const { row } of slots.runs())
      if (destinations.includes(row.destination))
        decide(row.transferId, 'wait', { error, resumeAtMs: clock.now() });
    // They wait from now on as all others there.
    volumes.begin();
    wake();
  }

  function takeHold(): void {
    options.onHold();
    if (isClosed) return;
    if (gate.hold !== null) interruptAll(gate.hold.error.code === 'network.switched-off' ? onDisk : {});
    // Whatever couldn't be reached may be there now.
    else if (heldCode === 'network.offline') waiting.wake(waitsForNetwork);
    heldCode = gate.hold?.error.code ?? null;
    wake();
  }

  // Connections from before the computer slept may be dead without saying so.
  function reconnect(): void {
    if (isClosed) return;
    interruptAll(onDisk);
    wake();
  }

  // What is verified needs no server to get its name: half-way it would be no file and no part of one.
  function interruptAll({ except = [] }: { except?: readonly TransferState[] } = {}): number[] {
    const kept = new Set<TransferState>(['finalizing', ...except]);
    const runs = slots.runs().filter(({ row }) => !kept.has(row.state));
    return runs.map(({ row }) => row.transferId).filter((transferId) => decide(transferId, 'interrupt'));
  }

  function decide(transferId: number, event: TransferEvent, changes: RowChanges = {}): boolean {
    if (isClosed) return false;
    const run = slots.runOf(transferId);
    if (run === undefined || run.signal.aborted) {
      const row = store.row(transferId);
      return row !== null && decideRow(row, event, changes);
    }
    if (nextState(run.row.state, event) === null) return false;
    try {
      // Durable at once: somebody has been told, or is about to be.
      store.together(() => run.apply(event, changes));
    } finally {
      run.stop();
    }
    return true;
  }

  function sleep(): void {
    const nextMs = store.nextResumeAtMs();
    const delays = [nextMs === null ? [] : nextMs - clock.now(), pauses.leftMs ?? []].flat();
    const hasMore = delays.length > 0 || runnable.hasAny();
    gate.noteWork({ runningCount: slots.runs().length, hasMore: hasMore && !options.isPaused() });
    if (delays.length === 0) return cancelSleep?.();
    // Never long at once: computers sleep, and clocks are put right.
    sleepFor(Math.min(Math.max(Math.min(...delays), 0), longestSleepMs));
  }

  function sleepFor(delayMs: number): void {
    cancelSleep?.();
    cancelSleep = timers.after(delayMs, wake);
  }

  function interruptSurplus(count: number, except: readonly number[] = []): void {
    if (count <= 0) return;
    const running = slots
      .runs()
      .filter(({ signal, row }) => !signal.aborted && row.state !== 'finalizing')
      .map(({ row }) => row.transferId);
    const lastFirst = store.idsOf({ transferIds: running }).reverse();
    const others = lastFirst.filter((transferId) => !except.includes(transferId));
    for (const transferId of others.slice(0, count)) decide(transferId, 'interrupt');
  }

  recoverQueue(store, { nowMs: clock.now(), wasClosed: options.wasClosed, decide: decideRow });
  wake();
  return {
    slots,
    get hold() {
      return trouble.hold ?? gate.hold ?? pauses.hold;
    },
    noteDamage: (cause) => trouble.noteFailure(cause),
    setLimits(limits) {
      hosts.setMostConnections(limits.connectionsPerHost);
      gate.setLimits(limits);
    },
    setOffline(isOffline) {
      gate.setOffline(isOffline);
      if (!isOffline) endThose(waitsForNetwork);
    },
    decide,
    isSilent,
    wake,
    hurry() {
      hosts.endPauses();
      gate.hurry();
      // Those that were told of the pause as well.
      endThose(({ error }) => error?.code === 'http.too-many-requests');
    },
    noteFolder: (destination) => endThose(shared.findFolder(destination)),
    noteAnswer: (origin) => endThose(shared.findServer(origin)),
    endLoginWaits: (connectionId) => endThose((row) => waitsForLogin(row, connectionId)),
    setMaxConcurrent(count) {
      concurrency.setMost(count);
      interruptSurplus(slots.takenCount - concurrency.most);
      wake();
    },
    interruptAll: () => interruptAll(),
    makeRoom(transferIds) {
      const missing = transferIds.filter((transferId) => slots.runOf(transferId) === undefined);
      const wanted = Math.min(missing.length, concurrency.most);
      interruptSurplus(wanted - Math.max(0, concurrency.most - slots.takenCount), transferIds);
    },
    async close() {
      cancelSleep?.();
      unlessStuck(() => {
        for (const { row } of slots.runs()) decide(row.transferId, 'interrupt');
      });
      isClosed = true;
      gate.close();
      volumes.close();
      await slots.idle();
    },
  };
}
