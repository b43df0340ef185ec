import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Hold } from '../limits/allowance.ts';
import { createRateMeter } from '../fetch/rate-meter.ts';
import type { TransferRun } from '../transfer-run.ts';
import type { QueueFile } from './queue-file.ts';

/** Over which the time left is told: between small files nothing comes for a moment, again and again. */
const paceWindowMs = 15_000;

/** How fast bytes come, of several transfers together: those of a file that is done already came too. */
export interface Flow {
  count(bytes: number, nowMs: number): void;
  /** Over the last five seconds. */
  bytesPerSecond(nowMs: number): number;
  /** Over the last fifteen. */
  pace(nowMs: number): number;
}

/** Of all transfers, and of those of each order. */
export interface QueueFlow {
  all: Flow;
  byOrder: Map<number, Flow>;
}

/** Nothing came yet. */
export function createQueueFlow(startMs: number): QueueFlow {
  return { all: createFlow(startMs), byOrder: new Map() };
}

/** Counts bytes of an order. */
export function countFlow(
  { all, byOrder }: QueueFlow,
  came: { downloadId: number; bytes: number; nowMs: number },
): void {
  const { downloadId, bytes, nowMs } = came;
  all.count(bytes, nowMs);
  let ofOrder = byOrder.get(downloadId);
  if (!ofOrder) byOrder.set(downloadId, (ofOrder = createFlow(nowMs)));
  ofOrder.count(bytes, nowMs);
}

function createFlow(startMs: number): Flow {
  const [last, longer] = [createRateMeter(startMs), createRateMeter(startMs, { windowMs: paceWindowMs })];
  return {
    count(bytes, nowMs) {
      last.count(bytes, nowMs);
      longer.count(bytes, nowMs);
    },
    bytesPerSecond: (nowMs) => last.bytesPerSecond(nowMs),
    pace: (nowMs) => longer.bytesPerSecond(nowMs),
  };
}

/** The queue as a whole, with the live figures of what runs. */
export function readStatus(
  { facts, totals }: Pick<QueueFile, 'facts' | 'totals'>,
  options: { runs: readonly TransferRun[]; flow: QueueFlow; hold: Hold | null; nowMs: number },
): QueueStatus {
  const { runs, flow, hold, nowMs } = options;
  const { counts, unknownCount, ...stored } = totals();
  const running = runs.filter(({ signal }) => !signal.aborted);
  const flowing = running.filter(({ row }) => row.state === 'downloading');
  const { bytesPerSecond, pace } = tellFlow(running.length > 0 ? flow.all : undefined, nowMs);
  // Of unknown size nothing is left to be counted.
  const known = flowing.filter(({ row }) => (row.totalBytes ?? row.announcedBytes) !== null);
  const ahead = known.reduce((sum, run) => sum + run.receivedBytes - run.row.durableBytes, 0);
  const leftBytes = Math.max(0, stored.leftBytes - ahead);
  return {
    isPaused: facts.read('isPaused'),
    hold: hold === null ? null : { error: hold.error.toData(), resumeAt: toTime(hold.resumeAtMs) },
    counts,
    leftBytes,
    unknownCount,
    bytesPerSecond,
    secondsLeft: pace > 0 ? leftBytes / pace : null,
    flows: tellOrders(running, flow, nowMs),
    notice: facts.read('notice'),
  };
}

// What was stopped is so at once, whatever came just before.
function tellOrders(
  running: readonly TransferRun[],
  { byOrder }: QueueFlow,
  nowMs: number,
): QueueStatus['flows'] {
  const orders = new Set(running.map(({ row }) => row.downloadId));
  for (const downloadId of byOrder.keys()) if (!orders.has(downloadId)) byOrder.delete(downloadId);
  return [...orders].map((downloadId) => ({ downloadId, ...tellFlow(byOrder.get(downloadId), nowMs) }));
}

function tellFlow(flow: Flow | undefined, nowMs: number): { bytesPerSecond: number; pace: number } {
  const bytesPerSecond = flow?.bytesPerSecond(nowMs) ?? 0;
  return { bytesPerSecond, pace: flow && bytesPerSecond > 0 ? flow.pace(nowMs) : 0 };
}

function toTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
