import type { Database } from 'better-sqlite3';
import { openEndedCodes } from '#shared/transfer/open-ended-codes.ts';
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

interface StateTotal {
  state: TransferState;
  count: number;
  leftBytes: number;
  stuckBytes: number;
  unknownCount: number;
  lastResumeAtMs: number | null;
}

/** Totals of an open queue. */
export function createQueueTotals(database: Database): QueueTotals {
  const left = 'max(coalesce(total_bytes, announced_bytes, durable_bytes) - durable_bytes, 0)';
  const codes = openEndedCodes.map((code) => `'${code}'`).join();
  const isStuck = `state = 'waiting' AND json_extract(error_json, '$.code') IN (${codes})`;
  const select = database.prepare<[], StateTotal>(
    `SELECT state, count(*) AS count, sum(${left}) AS leftBytes,
       sum(CASE WHEN ${isStuck} THEN ${left} ELSE 0 END) AS stuckBytes,
       max(CASE WHEN state = 'waiting' AND NOT (${isStuck}) THEN resume_at_ms END) AS lastResumeAtMs,
       sum(total_bytes IS NULL AND announced_bytes IS NULL) AS unknownCount
     FROM transfer WHERE ${isInQueue} GROUP BY state`,
  );
  return () => {
    const totals: Totals = {
      counts: { ...noTransfers },
      leftBytes: 0,
      stuckBytes: 0,
      unknownCount: 0,
      lastResumeAtMs: null,
    };
    for (const { state, count, leftBytes, stuckBytes, unknownCount, lastResumeAtMs } of select.all()) {
      totals.counts[state] = count;
      totals.lastResumeAtMs ??= lastResumeAtMs;
      if (isSettled(state)) continue;
      totals.leftBytes += leftBytes;
      totals.stuckBytes += stuckBytes;
      totals.unknownCount += unknownCount;
    }
    return totals;
  };
}
