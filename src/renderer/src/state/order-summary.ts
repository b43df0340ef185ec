import { noTransfers, type QueueStatus } from '#shared/transfer/queue-status.ts';
import { isOpenEnded } from '#shared/transfer/is-open-ended.ts';
import { isSettled, type Transfer, type TransferState } from '#shared/transfer/transfer.ts';

type Wait = NonNullable<Transfer['waiting']>;

/** An order that is being added up. */
type Sum = OrderSummary & { queuedIn: Set<string> };

/** What is to be said of all transfers of an order together. */
export interface OrderSummary {
  fileCount: number;
  counts: Record<TransferState, number>;
  /** Done with their checksum proved. */
  verifiedCount: number;
  /** Done, and missing or changed when they were looked at again. */
  lostCount: number;
  /** Under way, of servers that send nothing now. */
  quietCount: number;
  /** Of files that are wanted: what came and is not lost, what is to come, and how many have no known size. */
  receivedBytes: number;
  totalBytes: number;
  unknownCount: number;
  /** Of files that go on by themselves, sooner or later: what is to come, and how many have no known size. */
  leftBytes: number;
  unknownLeftCount: number;
  /** How many wait for a person, and what the first of them waits for. */
  stuckCount: number;
  firstStuck: Wait | null;
  /** Of those that wait for a time, what the one that goes on first waits for; null when none does. */
  firstWait: Wait | null;
  /** When the last of them goes on, RFC 3339. */
  lastResumeAt: string | null;
  /** Collections of those that wait for their turn. */
  queuedIn: ReadonlySet<string>;
  /** How long the one takes that will take longest of those that come now, in seconds. */
  longestSeconds: number;
  /** How fast its bytes come now, and over a while, in bytes per second. */
  bytesPerSecond: number;
  pace: number;
  /** Whether nothing of it goes on by itself. */
  isSettled: boolean;
  /** Smallest of what is still to come: where the order stands in the queue. */
  place: number;
}

const ranks: Record<Transfer['priority'], number> = { high: 0, normal: 1, low: 2 };
/** Positions stay below this. */
const positions = 2 ** 50;

/** Where a transfer stands in the queue: smaller goes sooner. */
export function placeOf({ priority, position }: Pick<Transfer, 'priority' | 'position'>): number {
  return ranks[priority] * positions + position;
}

/** Whether nothing of an order is to come, not even when a person goes on with it or tries again. */
export function hasEnded({ isSettled, counts }: OrderSummary): boolean {
  return isSettled && counts.paused + counts.failed === 0;
}

/** What is to be said of each order, by its id; `flows` says how fast those under way come. */
export function summarise(
  transfers: Iterable<Transfer>,
  flows: QueueStatus['flows'] = [],
): Map<number, OrderSummary> {
  const summaries = new Map<number, Sum>();
  for (const transfer of transfers) {
    const summary = summaries.get(transfer.downloadId) ?? emptySummary();
    summaries.set(transfer.downloadId, summary);
    add(summary, transfer);
  }
  for (const { downloadId, ...flow } of flows) {
    const summary = summaries.get(downloadId);
    if (summary) Object.assign(summary, flow);
  }
  return summaries;
}

function add(summary: Sum, transfer: Transfer): void {
  const { state, receivedBytes, totalBytes, verification, finding, quietSince } = transfer;
  summary.fileCount += 1;
  summary.counts[state] += 1;
  // What is lost is verified no more.
  if (finding !== null) summary.lostCount += 1;
  else if (state === 'done' && verification === 'checksum') summary.verifiedCount += 1;
  if (quietSince !== undefined) summary.quietCount += 1;
  if (state !== 'cancelled') {
    // What is missing has to come once more.
    if (finding === null) summary.receivedBytes += receivedBytes;
    summary.totalBytes += totalBytes ?? receivedBytes;
    if (totalBytes === null && state !== 'done') summary.unknownCount += 1;
  }
  if (!isSettled(state)) addComing(summary, transfer);
}

function addComing(summary: Sum, transfer: Transfer): void {
  const { state, receivedBytes, totalBytes, waiting } = transfer;
  const leftBytes = Math.max(0, (totalBytes ?? receivedBytes) - receivedBytes);
  summary.isSettled = false;
  summary.place = Math.min(summary.place, placeOf(transfer));
  if (waiting && isOpenEnded(waiting.error)) {
    summary.stuckCount += 1;
    summary.firstStuck ??= waiting;
    return;
  }
  if (waiting?.resumeAt) addWait(summary, waiting);
  if (state === 'queued') summary.queuedIn.add(transfer.collectionId);
  if (totalBytes === null) summary.unknownLeftCount += 1;
  summary.leftBytes += leftBytes;
}

function addWait(summary: Sum, wait: Wait): void {
  const at = wait.resumeAt ?? '';
  if (at < (summary.firstWait?.resumeAt ?? '~')) summary.firstWait = wait;
  if (at > (summary.lastResumeAt ?? '')) summary.lastResumeAt = at;
}

function emptySummary(): Sum {
  return {
    fileCount: 0,
    counts: { ...noTransfers },
    verifiedCount: 0,
    lostCount: 0,
    quietCount: 0,
    receivedBytes: 0,
    totalBytes: 0,
    unknownCount: 0,
    leftBytes: 0,
    unknownLeftCount: 0,
    stuckCount: 0,
    firstStuck: null,
    firstWait: null,
    lastResumeAt: null,
    queuedIn: new Set(),
    longestSeconds: 0,
    bytesPerSecond: 0,
    pace: 0,
    isSettled: true,
    place: Infinity,
  };
}
