import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { isOpenEnded } from '#shared/transfer/is-open-ended.ts';
import { noTransfers } from '#shared/transfer/queue-status.ts';
import { isSettled, type TransferState } from '#shared/transfer/transfer.ts';
import { isInQueue } from './select-transfers.ts';

/** What the queue adds up to, by what is on disk. */
export interface Totals {
  counts: Record<TransferState, number>;
  /** Of transfers that go on by themselves: bytes to come as far as known, and how many of unknown size. */
  leftBytes: number;
  /** Of these, what waits for room, its folder, a login: nobody knows for how long. */
  stuckBytes: number;
  unknownCount: number;
  /** When the last of the others that wait goes on, in milliseconds since 1970; null when none waits. */
  lastResumeAtMs: number | null;
}

/** Adds the queue up. */
export type QueueTotals = () => Totals;

interface Group {
  state: TransferState;
  /** Of those that wait, what their errors have in common, as JSON: code, status, and whether it is another server's. */
  cause: string | null;
  count: number;
  leftBytes: number;
  unknownCount: number;
  lastResumeAtMs: number | null;
}

/** Totals of an open queue. */
export function createQueueTotals(database: Database): QueueTotals {
  const cause = "json_extract(error_json, '$.code', '$.details.status', '$.details.isElsewhere')";
  const select = database.prepare<[], Group>(
    `SELECT state, CASE WHEN state = 'waiting' THEN ${cause} END AS cause, count(*) AS count,
       sum(max(coalesce(total_bytes, announced_bytes, durable_bytes) - durable_bytes, 0)) AS leftBytes,
       sum(total_bytes IS NULL AND announced_bytes IS NULL) AS unknownCount,
       max(resume_at_ms) AS lastResumeAtMs
     FROM transfer WHERE ${isInQueue} GROUP BY 1, 2`,
  );
  return () => {
    const totals: Totals = {
      counts: { ...noTransfers },
      leftBytes: 0,
      stuckBytes: 0,
      unknownCount: 0,
      lastResumeAtMs: null,
    };
    for (const group of select.all()) add(totals, group);
    return totals;
  };
}

function add(totals: Totals, { state, cause, count, leftBytes, unknownCount, lastResumeAtMs }: Group): void {
  totals.counts[state] += count;
  if (isSettled(state)) return;
  totals.leftBytes += leftBytes;
  totals.unknownCount += unknownCount;
  if (isStuck(cause)) totals.stuckBytes += leftBytes;
  else if (state === 'waiting' && lastResumeAtMs !== null)
    totals.lastResumeAtMs = Math.max(totals.lastResumeAtMs ?? 0, lastResumeAtMs);
}

function isStuck(cause: string | null): boolean {
  if (cause === null) return false;
  const [code, status, isElsewhere] = JSON.parse(cause) as [ErrorCode, number | null, boolean | null];
  return isOpenEnded({ code, details: { status, isElsewhere } });
}
