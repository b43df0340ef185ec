import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { isSettled, transferStates, type TransferState } from './transfer.ts';

const count = z.number().int();

/** The queue as a whole. */
export const queueStatusSchema = z.object({
  /** Whether a person has stopped all of it; holds until they go on, through restarts. */
  isPaused: z.boolean(),
  /**
   * Why nothing runs now: hours, connection or power that a person has ruled out, no network, or a pause that the servers
   * have asked for. `resumeAt` is when it goes on, or is looked at again (RFC 3339); null: as soon as that ends. Queued
   * transfers wait for it.
   */
  hold: z.object({ error: errorDataSchema, resumeAt: z.string().nullable() }).nullable(),
  /**
   * Collections whose queued files wait because each server that they may come from has asked for a pause: the one that
   * ends first, and when (RFC 3339). Others go on.
   */
  pauses: z.array(
    z.object({ connectionId: z.string(), collectionId: z.string(), host: z.string(), resumeAt: z.string() }),
  ),
  counts: z.object(ofEachState(count)),
  /** Of all transfers that go on by themselves: bytes to come as far as known, and how many have no known size. */
  leftBytes: z.number(),
  unknownCount: count,
  bytesPerSecond: z.number(),
  /** At the present rate, and not before the last that waits for a time goes on; null while nothing flows. */
  secondsLeft: z.number().nullable(),
  /**
   * Of each order that something is under way of: how fast its bytes come now, and over a while, by which its time is told
   * (bytes per second). A sum of its transfers would leave out those that are done: small files, above all. And how long
   * the one file takes that will take longest of those that come now, in seconds.
   */
  flows: z.array(
    z.object({ downloadId: count, bytesPerSecond: z.number(), pace: z.number(), longestSeconds: z.number() }),
  ),
  /** What happened to the queue's own file, until it was read; null when nothing. */
  notice: z
    .object({
      kind: z.literal('rebuilt'),
      /** RFC 3339. */
      at: z.string(),
      /** Where the damaged file is now; null when it was gone. */
      asidePath: z.string().nullable(),
      /** Time of the backup that took its place (RFC 3339); null when there was none. */
      backupAt: z.string().nullable(),
      /** Part files that were found and taken up again. */
      adoptedCount: count,
    })
    .nullable(),
});

/** The queue as a whole. */
export type QueueStatus = z.infer<typeof queueStatusSchema>;

/** No transfer in any state. */
export const noTransfers: Readonly<QueueStatus['counts']> = ofEachState(0);

/** A queue with nothing in it. */
export const emptyQueueStatus: QueueStatus = {
  isPaused: false,
  hold: null,
  pauses: [],
  counts: noTransfers,
  leftBytes: 0,
  unknownCount: 0,
  bytesPerSecond: 0,
  secondsLeft: null,
  flows: [],
  notice: null,
};

/** How many transfers still go on by themselves. */
export function countUnsettled(counts: QueueStatus['counts']): number {
  return transferStates.reduce((sum, state) => sum + (isSettled(state) ? 0 : counts[state]), 0);
}

function ofEachState<Value>(value: Value): Record<TransferState, Value> {
  return Object.fromEntries(transferStates.map((state) => [state, value])) as Record<TransferState, Value>;
}
