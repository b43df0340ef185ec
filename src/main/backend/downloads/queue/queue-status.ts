import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Hold } from '../limits/allowance.ts';
import { createFlow, tellFlow, type Flow } from '../limits/flow.ts';
import type { LiveRun } from './live-run.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { QueueFile } from './queue-file.ts';
import type { FileSource } from './runnable-store.ts';
import { tellLongest, tellShare } from './tell-longest.ts';

// Files of fast and of slow servers take turns.
const paceMs = 60_000;
const restMs = 30_000;

/** Of all transfers, and of those of each order: bytes of a file that is done already came too. */
export interface QueueFlow {
  all: Flow;
  byOrder: Map<number, Flow>;
  begin: () => Flow;
  /** In bytes per second; null where there is none. */
  limit: () => number | null;
}

/** Nothing came yet, under a limit in bytes per second that may change. */
export function createQueueFlow(limit: () => number | null): QueueFlow {
  const begin = () => createFlow(limit, { paceMs, restMs });
  return { all: begin(), byOrder: new Map(), begin, limit };
}

/** Counts bytes of an order. */
export function countFlow(
  { all, byOrder, begin }: QueueFlow,
  came: { downloadId: number; bytes: number; nowMs: number },
): void {
  const { downloadId, bytes, nowMs } = came;
  all.count(bytes, nowMs);
  let ofOrder = byOrder.get(downloadId);
  if (!ofOrder) byOrder.set(downloadId, (ofOrder = begin()));
  ofOrder.count(bytes, nowMs);
}

/** The queue as a whole, with the live figures of what runs. */
export function readStatus(
  { facts, totals, runnable }: Pick<QueueFile, 'facts' | 'totals' | 'runnable'>,
  options: { runs: readonly LiveRun[]; flow: QueueFlow; hold: Hold | null; hosts: Hosts; nowMs: number },
): QueueStatus {
  const { runs, flow, hold, hosts, nowMs } = options;
  const { counts, stuckBytes, unknownCount, lastResumeAtMs, ...stored } = totals();
  const running = runs.filter(({ signal }) => !signal.aborted);
  const flowing = running.filter(({ row }) => row.state === 'downloading');
  // Time in which nothing could come is no part of how fast it comes.
  if (running.length === 0) flow.all = flow.begin();
  const { bytesPerSecond, pace } = tellFlow(flow.all, nowMs);
  // Of unknown size nothing is left to be counted.
  const known = flowing.filter(({ row }) => (row.totalBytes ?? row.announcedBytes) !== null);
  const ahead = known.reduce((sum, run) => sum + run.receivedBytes - run.row.durableBytes, 0);
  const leftBytes = Math.max(0, stored.leftBytes - ahead);
  const share = tellShare({ limit: flow.limit(), bytesPerSecond, count: flowing.length });
  const longestOf = (some: readonly LiveRun[]): number => tellLongest(some, { share, nowMs });
  const pauses = tellPauses(runnable.sources(), hosts, nowMs);
  const ends = [lastResumeAtMs ?? 0, ...pauses.map(({ resumeAt }) => Date.parse(resumeAt))];
  return {
    isPaused: facts.read('isPaused'),
    hold: toToldHold(hold),
    pauses,
    counts,
    leftBytes,
    unknownCount,
    bytesPerSecond,
    secondsLeft: tellSecondsLeft({
      comingBytes: Math.max(0, leftBytes - stuckBytes),
      stuckBytes,
      pace,
      longestSeconds: longestOf(known),
      pausedSeconds: (Math.max(...ends) - nowMs) / 1000,
    }),
    flows: tellOrders(running, flow, nowMs).map((one) => ({
      ...one,
      longestSeconds: longestOf(known.filter(({ row }) => row.downloadId === one.downloadId)),
    })),
    notice: facts.read('notice'),
  };
}

/**
 * How long it takes until all has come that comes by itself, in seconds; null while nothing flows. No sooner than the slowest
 * file that comes now, and than those go on that wait for a time (`pausedSeconds` from now).
 */
export function tellSecondsLeft(left: {
  comingBytes: number;
  stuckBytes: number;
  pace: number;
  longestSeconds: number;
  pausedSeconds: number;
}): number | null {
  const { comingBytes, stuckBytes, pace, longestSeconds, pausedSeconds } = left;
  if (pace === 0 || (comingBytes === 0 && stuckBytes > 0)) return null;
  return Math.max(comingBytes / pace, longestSeconds, pausedSeconds);
}

/** Why nothing runs, as it is told. */
export function toToldHold(hold: Hold | null): QueueStatus['hold'] {
  return hold === null ? null : { error: hold.error.toData(), resumeAt: toTime(hold.resumeAtMs) };
}

// Those that were begun wait with an error of their own.
function tellPauses(sources: readonly FileSource[], hosts: Hosts, nowMs: number): QueueStatus['pauses'] {
  return sources.flatMap(({ collection }) => {
    const pauses = (collection === null ? [] : hosts.expected(collection)).map((origin) => ({
      host: new URL(origin).host,
      leftMs: hosts.pauseLeftMs(origin),
    }));
    const [first] = pauses.toSorted((a, b) => a.leftMs - b.leftMs);
    if (collection === null || first === undefined || first.leftMs === 0) return [];
    return [{ ...collection, host: first.host, resumeAt: new Date(nowMs + first.leftMs).toISOString() }];
  });
}

// What was stopped is so at once, whatever came just before.
function tellOrders(
  running: readonly LiveRun[],
  { byOrder }: QueueFlow,
  nowMs: number,
): Omit<QueueStatus['flows'][number], 'longestSeconds'>[] {
  const orders = new Set(running.map(({ row }) => row.downloadId));
  for (const downloadId of byOrder.keys()) if (!orders.has(downloadId)) byOrder.delete(downloadId);
  return [...orders].map((downloadId) => ({ downloadId, ...tellFlow(byOrder.get(downloadId), nowMs) }));
}

function toTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
