import type { DownloadOrderView, OrderOrigin } from '#shared/transfer/download-order.ts';
import { formatBytes, formatRate, formatShare } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatClock, formatMoment, formatTimeLeft } from '../format/format-time.ts';
import { startLow } from '../format/start-low.ts';
import type { OrderSummary } from '../state/order-summary.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { StopWords } from './hold-words.ts';
import { describeProblem } from './problem-words.ts';
import { nameResumeTime, tellResumeTime, type TransferTone } from './transfer-words.ts';

/** An order's standing in words. */
export interface OrderWords {
  /** How many files are there. */
  files: string;
  bytes: string;
  /** Rate and time left, or what became of it. */
  state: string;
  tone: TransferTone;
  /** From 0 to 1. */
  fraction: number;
}

/** What an order was made from, in words. */
export function describeOrigin(origin: OrderOrigin): string {
  switch (origin.kind) {
    case 'item':
      return 'from an item';
    case 'selection':
      return 'from picked items';
    case 'search':
      return `from ${formatPlural(origin.itemCount, 'result')} of a search`;
    case 'saved-search':
      return `from the search “${origin.name}”`;
    case 'rule':
      return `by the rule of “${origin.name}”`;
    case 'offline':
      return 'taken offline';
    case 'pack':
      return 'from a pack';
    case 'recovered':
      return 'found again after the queue’s file was lost';
  }
}

/** When an order was given, from what it came, and where it goes. */
export function describeOrder({ destination, origin, orderedAt }: DownloadOrderView, now: Date): string {
  // The end is cut off first: orders of one name are told apart by their time.
  return `${formatClock(orderedAt, now)} · ${describeOrigin(origin)} · ${destination}`;
}

/** What an order stands in. */
export interface OrderSurroundings {
  /** What keeps the whole queue from running. */
  stop: StopWords | null;
  /** Of servers, all of the queue. */
  pauses: QueueStatus['pauses'];
  /** The catalog of the order. */
  connectionId: string | undefined;
  now: Date;
}

/** How an order stands. */
export function describeOrderState(summary: OrderSummary, around: OrderSurroundings): OrderWords {
  const { counts, fileCount } = summary;
  const wantedCount = fileCount - counts.cancelled;
  const homeCount = counts.done - summary.lostCount;
  const isWhole = homeCount === wantedCount;
  // Green and full, an order would look complete of which the most was called off.
  const isCutShort = summary.isSettled && counts.cancelled > 0;
  return {
    files: isWhole
      ? formatPlural(wantedCount, 'file')
      : `${formatCount(homeCount)} of ${formatPlural(wantedCount, 'file')}`,
    bytes: describeBytes(summary, isWhole),
    ...describeStanding(summary, around),
    fraction: isCutShort ? homeCount / fileCount : findFraction(summary, wantedCount),
  };
}

/** What became of files that are done, those that are lost apart: `38 verified, 2 not verifiable`. */
export function describeDoneCount(
  summary: Pick<OrderSummary, 'verifiedCount' | 'lostCount'> & { counts: { done: number } },
): string {
  // Where there is little room, the end of it is cut off.
  const parts = [
    describeLost(summary),
    count(summary.verifiedCount, 'verified'),
    count(summary.counts.done - summary.verifiedCount, 'not verifiable'),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function describeLost({ lostCount }: Pick<OrderSummary, 'lostCount'>): string {
  return count(lostCount, 'missing or changed since');
}

function count(number: number, words: string): string {
  return number > 0 ? `${formatCount(number)} ${words}` : '';
}

function describeBytes({ receivedBytes, totalBytes, unknownCount }: OrderSummary, isWhole: boolean): string {
  if (isWhole) return formatBytes(receivedBytes);
  if (totalBytes === 0) return 'size unknown';
  const unknown = unknownCount > 0 ? ` + ${formatCount(unknownCount)} unknown` : '';
  const isPart = receivedBytes > 0 && receivedBytes < totalBytes;
  return `${isPart ? formatShare(receivedBytes, totalBytes) : formatBytes(totalBytes)}${unknown}`;
}

function describeStanding(
  summary: OrderSummary,
  around: OrderSurroundings,
): { state: string; tone: TransferTone } {
  const { counts } = summary;
  const failed = count(counts.failed, 'failed');
  const cancelled = count(counts.cancelled, 'cancelled');
  const rest = join(failed, describeLost(summary), cancelled);
  if (!summary.isSettled) return describeUnderWay(summary, rest, around);
  if (counts.paused > 0) return { state: join('Paused', rest), tone: 'warn' };
  const ended = join(
    failed,
    describeDoneCount({ ...summary, counts: { done: counts.done - summary.lostCount } }),
  );
  const isBad = counts.failed > 0 || summary.lostCount > 0;
  return {
    state: ended === '' ? 'Cancelled' : join(ended, cancelled),
    tone: isBad ? 'bad' : counts.done > 0 && counts.cancelled === 0 ? 'ok' : 'plain',
  };
}

function describeUnderWay(
  summary: OrderSummary,
  rest: string,
  around: OrderSurroundings,
): { state: string; tone: TransferTone } {
  const { counts, bytesPerSecond } = summary;
  const stuck = describeStuck(summary);
  if (bytesPerSecond > 0) {
    const time = tellTimeLeft(summary, around);
    const left = time === null ? '' : `${time} left`;
    return { state: join(formatRate(bytesPerSecond), left, stuck, rest), tone: 'plain' };
  }
  const activeCount = counts.preparing + counts.downloading + counts.verifying + counts.finalizing;
  if (activeCount > 0) {
    const atWork = count(activeCount - summary.quietCount, 'at work');
    return { state: join(atWork, count(summary.quietCount, 'silent'), stuck, rest), tone: 'plain' };
  }
  return describeStill(summary, around, rest);
}

// Where nothing of it runs.
function describeStill(
  summary: OrderSummary,
  around: OrderSurroundings,
  rest: string,
): { state: string; tone: TransferTone } {
  const { counts, firstWait } = summary;
  const { stop } = around;
  // What waits has a reason of its own, which the servers of others have nothing to do with.
  if (stop && (stop.isByPerson || counts.queued > 0)) return { state: join(stop.state, rest), tone: 'warn' };
  if (counts.waiting > 0)
    return {
      state: join(
        count(counts.waiting - summary.stuckCount, 'waiting'),
        tellNext(firstWait, stop),
        describeStuck(summary),
        rest,
      ),
      tone: 'warn',
    };
  const [pause] = findPauses(summary, around);
  if (!pause) return { state: join('Queued', rest), tone: 'plain' };
  const time = `goes on at ${formatMoment(pause.resumeAt) ?? ''}`;
  return { state: join(`${pause.host} has asked for a pause`, time, rest), tone: 'warn' };
}

// What a person has to do something about: `2 waiting for you to sign in`.
function describeStuck({ stuckCount, firstStuck }: OrderSummary): string {
  const { waits = '' } = firstStuck ? describeProblem(firstStuck.error) : {};
  return count(stuckCount, waits.replace(/^Waits/, 'waiting') || 'waiting');
}

function tellNext(wait: OrderSummary['firstWait'], stop: StopWords | null): string {
  const time = wait && tellResumeTime(wait);
  if (!wait || time === null) return '';
  return `${startLow(nameResumeTime(wait, stop))} ${time}`;
}

// Those that queued files of an order wait for, the first to end at the front.
function findPauses(
  { queuedIn }: OrderSummary,
  { pauses, connectionId }: OrderSurroundings,
): QueueStatus['pauses'] {
  return pauses
    .filter((pause) => pause.connectionId === connectionId && queuedIn.has(pause.collectionId))
    .sort((a, b) => a.resumeAt.localeCompare(b.resumeAt));
}

// One slow file may take longer than all others together, and none is here before its server's pause is over. Without all
// sizes, whatever is said of the time would be too little.
function tellTimeLeft(summary: OrderSummary, around: OrderSurroundings): string | null {
  const { leftBytes, pace, unknownLeftCount, longestSeconds, lastResumeAt } = summary;
  if (unknownLeftCount > 0 || leftBytes === 0 || pace === 0) return null;
  const ends = [lastResumeAt, findPauses(summary, around).at(-1)?.resumeAt].flatMap((at) => at ?? []);
  const waits = ends.map((at) => (Date.parse(at) - around.now.getTime()) / 1000);
  return formatTimeLeft(Math.max(leftBytes / pace, longestSeconds, ...waits));
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

// Files of unknown size count as nothing until they are done: a bar may lag, and must not run ahead.
function findFraction(
  { receivedBytes, totalBytes, unknownCount, counts, lostCount }: OrderSummary,
  wantedCount: number,
): number {
  if (wantedCount === 0) return 0;
  if (counts.done - lostCount === wantedCount) return 1;
  const knownShare = 1 - unknownCount / wantedCount;
  const byBytes = totalBytes > 0 ? Math.min(1, receivedBytes / totalBytes) * knownShare : 0;
  return byBytes;
}
