import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import { runTransfer } from './run-transfer.ts';
import { createSlots, type Slots } from './slots.ts';
import { createRun, type RunParts, type TransferRun } from './transfer-run.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';
import { decideAfterError } from './wait-policy.ts';

const longestSleepMs = 60_000;
const stuckRetryMs = 30_000;
// A clock that steps back by more than this makes every stored time meaningless.
const clockStepMs = 30_000;

/** Gives slots to transfers in their order, and brings waiting ones back in time. */
export interface Scheduler {
  readonly slots: Slots;
  /** Changes a transfer's state if the event means something in it; whoever runs it is told to stop. */
  decide(transferId: number, event: TransferEvent, changes?: RowChanges): boolean;
  /** Looks for work. */
  wake(): void;
  /** Goes on with what waits because of an error that is over. */
  endWaits(code: ErrorCode): void;
  setMaxConcurrent(count: number): void;
  close(): Promise<void>;
}

/** Starts with what the last process left: nothing stays in a state that nobody is in charge of. */
export function startScheduler(
  parts: RunParts,
  options: { maxConcurrent: number; random: () => number; onSettled: () => void },
): Scheduler {
  const { store, clock, timers, logger } = parts;
  let { maxConcurrent } = options;
  let isClosed = false;
  let cancelSleep: (() => void) | null = null;
  let lastNowMs = clock.now();
  const slots = createSlots(() => wake());

  function recover(): void {
    for (const row of store.rowsIn('preparing', 'downloading', 'verifying')) decideRow(row, 'interrupt');
    for (const row of store.rowsIn('waiting')) {
      // The network and the disk may be other ones by now; a server's wish still stands.
      if (row.error?.code !== 'http.too-many-requests') decideRow(row, 'wake', { resumeAtMs: null });
    }
  }

  function decideRow(row: TransferRow, event: TransferEvent, changes: RowChanges = {}): boolean {
    const state = nextState(row.state, event);
    if (state === null) return false;
    store.update(row.transferId, { ...changes, state });
    parts.onChange(row.transferId);
    return true;
  }

  function wake(): void {
    if (isClosed) return;
    try {
      wakeWaiting();
      fillSlots();
      sleep();
    } catch (error) {
      // The queue's own disk may be full; transfers go on when it isn't any more.
      logger.error('queue.stuck', { reason: toAppError(error).message });
      sleepFor(stuckRetryMs);
    }
    options.onSettled();
  }

  function wakeWaiting(): void {
    const nowMs = clock.now();
    const hasSteppedBack = nowMs < lastNowMs - clockStepMs;
    lastNowMs = nowMs;
    if (hasSteppedBack) parts.cooldowns.clear();
    const nextMs = store.nextResumeAtMs();
    if (nextMs === null || (nextMs > nowMs && !hasSteppedBack)) return;
    for (const row of store.rowsIn('waiting')) {
      if (hasSteppedBack || (row.resumeAtMs ?? 0) <= nowMs) decideRow(row, 'wake', { resumeAtMs: null });
    }
  }

  function fillSlots(): void {
    // Runs and held transfers may be among the first, so that more must be looked at than are free.
    const candidates = store.runnable(maxConcurrent + slots.runs().length + 1);
    for (const row of candidates) {
      if (slots.runs().length >= maxConcurrent) return;
      if (!slots.isBusy(row.transferId)) start(row);
    }
  }

  function start(row: TransferRow): void {
    const run = createRun(row, parts);
    slots.occupy(run, async () => {
      try {
        await runTransfer(run);
        logger.info('transfer.done', { transferId: row.transferId });
      } catch (error) {
        end(run, toAppError(error));
      }
    });
  }

  function end(run: TransferRun, error: AppError): void {
    if (run.signal.aborted) return;
    const { row } = run;
    const { transferId, attempts, progressAtMs } = row;
    const nowMs = clock.now();
    const next = decideAfterError(error, { attempts, progressAtMs, nowMs, random: options.random() });
    logger.info('transfer.stopped', { transferId, code: error.code, reason: error.message, ...next });
    try {
      if ('isFinal' in next) {
        run.apply('fail', { error: error.toData(), resumeAtMs: null });
      } else {
        run.apply('wait', {
          error: error.toData(),
          resumeAtMs: next.resumeAtMs,
          attempts: next.countsAsAttempt ? attempts + 1 : attempts,
        });
      }
    } catch (failure) {
      logger.error('queue.stuck', { transferId, reason: toAppError(failure).message });
      timers.after(stuckRetryMs, () => decide(transferId, 'interrupt'));
    }
  }

  function decide(transferId: number, event: TransferEvent, changes: RowChanges = {}): boolean {
    if (isClosed) return false;
    const run = slots.runOf(transferId);
    if (run === undefined || run.signal.aborted) {
      const row = store.row(transferId);
      return row !== null && decideRow(row, event, changes);
    }
    if (nextState(run.row.state, event) === null) return false;
    run.apply(event, changes);
    run.stop();
    return true;
  }

  function sleep(): void {
    const nextMs = store.nextResumeAtMs();
    if (nextMs === null) return cancelSleep?.();
    // Never long at once: computers sleep, and clocks are put right.
    sleepFor(Math.min(Math.max(nextMs - clock.now(), 0), longestSleepMs));
  }

  function sleepFor(delayMs: number): void {
    cancelSleep?.();
    cancelSleep = timers.after(delayMs, wake);
  }

  function interruptSurplus(): void {
    const running = slots.runs().filter(({ signal, row }) => !signal.aborted && row.state !== 'finalizing');
    const newestFirst = running.sort((left, right) => right.row.transferId - left.row.transferId);
    for (const run of newestFirst.slice(0, Math.max(0, slots.runs().length - maxConcurrent))) {
      decide(run.row.transferId, 'interrupt');
    }
  }

  recover();
  wake();
  return {
    slots,
    decide,
    wake,
    endWaits(code) {
      for (const row of store.rowsIn('waiting')) {
        if (row.error?.code === code) decideRow(row, 'wake', { resumeAtMs: null });
      }
      wake();
    },
    setMaxConcurrent(count) {
      maxConcurrent = Math.max(1, Math.floor(count));
      interruptSurplus();
      wake();
    },
    async close() {
      cancelSleep?.();
      for (const run of slots.runs()) decide(run.row.transferId, 'interrupt');
      isClosed = true;
      await slots.idle();
    },
  };
}
