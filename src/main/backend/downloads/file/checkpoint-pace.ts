import { elapsedMsOf, type Clock } from '../../ports.ts';

const longestMs = 5000;
const leastMs = 500;
// What comes in this time may be lost whatever amount it is.
const lossMs = 1000;

/** When a part file has to be synced, by what came since and how long ago that was, wherever it belongs in the file. */
export interface CheckpointPace {
  noteTaken(bytes: number): void;
  noteWritten(bytes: number): void;
  /** A sync begins: gives what to call once what was written by then is journalled, as far as it has CRCs. */
  begin(): () => void;
  /** Whether it is time for one. */
  readonly isDue: boolean;
  /** Whether a crash would cost more than the bytes of a checkpoint, or those of a second. */
  readonly isTooFarAhead: boolean;
}

/** The pace of a file that was opened now. */
export function createCheckpointPace(clock: Clock, checkpointBytes: number): CheckpointPace {
  const openedAtMs = elapsedMsOf(clock);
  let takenBytes = 0;
  let writtenBytes = 0;
  /** The last sync that was begun, and the last whose bytes are journalled. */
  let begun = { atMs: openedAtMs, bytes: 0 };
  let settled = begun;

  const since = (atMs: number): number => elapsedMsOf(clock) - atMs;

  return {
    noteTaken: (bytes) => void (takenBytes += bytes),
    noteWritten: (bytes) => void (writtenBytes += bytes),
    begin() {
      const own = { atMs: elapsedMsOf(clock), bytes: writtenBytes };
      begun = own;
      return () => void (settled = own);
    },
    get isDue() {
      const sinceMs = since(begun.atMs);
      // Half of what may be lost, so that the other half can come while this one is synced.
      const isHalf = writtenBytes - begun.bytes >= checkpointBytes / 2;
      return sinceMs >= longestMs || (isHalf && sinceMs >= leastMs);
    },
    get isTooFarAhead() {
      return takenBytes - settled.bytes >= checkpointBytes && since(settled.atMs) >= lossMs;
    },
  };
}
