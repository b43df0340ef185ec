import type { PartSizes } from '../file/part-file.ts';

// What a connection waits for its answer, of the time that the answer takes.
const waitShare = 0.02;
// Bytes are handed on some 20 ms after they came, however near they came from.
const nearWaitMs = 30;
// The shortest of some waits: a busy moment must not make a way look long for more than one request.
const mostWaits = 6;
// What lies beyond a gap is given up where a server's ranges turn out to be wrong, and should come again within a minute.
const longestChunkMs = 8000;
// The reference's window (downloads.md b.4), for connections that each bring one chunk. Where each brings more, one that
// is done first has as many again to begin with.
const nearWindow = 4;

type ChunkSizes = Pick<PartSizes, 'chunkBytes' | 'windowChunks'>;

/** How a request for some chunks went. */
export interface RangeTimes {
  /** From the question to the first byte. */
  waitMs: number;
  /** From there to the last. */
  bodyMs: number;
  bytes: number;
}

/**
 * Finds out how many chunks should be asked for in one request. One as a rule; more where the way is long and the line
 * fast, so that connections don't spend their time waiting for answers.
 */
export interface ClaimSize {
  note(times: RangeTimes): void;
  /** For what is asked for next. */
  readonly limits: { chunkCount: number; windowChunks: number };
}

/** Begins with one chunk; `windowChunks` is what the part file takes at most. */
export function createClaimSize({ chunkBytes, windowChunks }: ChunkSizes): ClaimSize {
  const mostChunks = Math.max(1, windowChunks / nearWindow - 1);
  let wanted = 1;
  let waitsMs: number[] = [];
  return {
    note({ waitMs, bodyMs, bytes }) {
      waitsMs = [...waitsMs, waitMs].slice(-mostWaits);
      const chunkMs = (bodyMs / bytes) * chunkBytes;
      const gaining = Math.ceil((Math.min(...waitsMs) - nearWaitMs) / Math.max(1, chunkMs * waitShare));
      wanted = chunkMs <= longestChunkMs ? Math.min(Math.max(1, gaining), mostChunks) : 1;
    },
    get limits() {
      return { chunkCount: wanted, windowChunks: wanted === 1 ? nearWindow : (wanted + 1) * nearWindow };
    },
  };
}
