import { giveBack } from '../../http/bulk/blocks.ts';
import type { DiskFile } from './disk.ts';
import { floorToPage, joinNeighbours } from './whole-pages.ts';

/** How writes are gathered. */
export interface WriteSizes {
  /** A stretch is written once it has this many bytes. */
  writeBytes: number;
  /** And never more than this at once. */
  mostWriteBytes: number;
  /** Where more than this waits to be written, whoever gives has to wait as well. */
  mostBufferedBytes: number;
}

/** Writes under way to one file: bytes are gathered into few large positional writes. */
export interface WriteQueue {
  /** Takes bytes for a position. Wait for the promise, if there is one, before giving more. */
  push(positionBytes: number, bytes: Uint8Array): Promise<void> | null;
  /** Writes what is gathered however little it is, without waiting for it. */
  flush(): void;
  /** Resolves when nothing waits or is under way any more. @throws the file system's error */
  drain(): Promise<void>;
  /** Resolves when nothing is under way any more; what failed or was only gathered is forgotten. */
  abandon(): Promise<void>;
}

// One write fills the gap while the other's end is being heard of.
const mostInFlight = 2;

interface Stretch {
  start: number;
  end: number;
  buffers: Uint8Array[];
}

/** What is done with bytes beside writing them. */
export interface WriteFollower {
  /** Offers what is about to be written, as `FileTrail.take`: what is taken need not be read back. */
  take(startBytes: number, buffers: readonly Uint8Array[]): Promise<void> | null;
  /** Tells of what was written. */
  note(startBytes: number, buffers: readonly Uint8Array[]): void;
}

/** A queue onto an open file. */
export function createWriteQueue(file: DiskFile, sizes: WriteSizes, follower: WriteFollower): WriteQueue {
  const stretches: Stretch[] = [];
  const inFlight = new Set<Promise<void>>();
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let bufferedBytes = 0;
  let isFlushing = false;
  let failure: { error: unknown } | null = null;

  function pump(): void {
    while (inFlight.size < mostInFlight && failure === null) {
      // The first of them brings the file's beginning on, which alone counts after a crash.
      const stretch = stretches
        .filter(({ start, end }) => isFlushing || waiting.length > 0 || end - start >= sizes.writeBytes)
        .sort((left, right) => left.start - right.start)[0];
      if (stretch === undefined) break;
      const { start } = stretch;
      const buffers = joinNeighbours(takeFront(stretch, mostOf(stretch)));
      if (stretch.buffers.length === 0) stretches.splice(stretches.indexOf(stretch), 1);
      const writing = write(start, buffers)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          inFlight.delete(writing);
          pump();
        });
      inFlight.add(writing);
    }
    if (stretches.length === 0) isFlushing = false;
    letGo();
  }

  // Up to the end of a page, unless all is wanted on the disk: the rest of it is about to come.
  function mostOf({ start, end }: Stretch): number {
    const until = Math.min(end, start + sizes.mostWriteBytes);
    const wholePages = floorToPage(until) - start;
    return wholePages > 0 && !(isFlushing && until === end) ? wholePages : until - start;
  }

  async function write(start: number, buffers: Uint8Array[]): Promise<void> {
    const taken = follower.take(start, buffers);
    let position = start;
    let left = buffers;
    while (left.length > 0) {
      const written = await file.write(left, position, { skipsCache: taken !== null });
      if (written === 0) throw new Error('The disk takes no bytes');
      const { done, rest } = splitAt(left, written);
      follower.note(position, done);
      if (taken === null) release(done);
      else void taken.then(() => release(done)).then(letGo);
      position += written;
      left = rest;
    }
  }

  function release(buffers: readonly Uint8Array[]): void {
    for (const bytes of buffers) {
      bufferedBytes -= bytes.length;
      giveBack(bytes);
    }
  }

  function letGo(): void {
    if (waiting.length === 0) return;
    if (failure === null && bufferedBytes > sizes.mostBufferedBytes / 2) return;
    const held = waiting;
    waiting = [];
    for (const { resolve, reject } of held) {
      if (failure === null) resolve();
      else reject(failure.error);
    }
  }

  function flush(): void {
    isFlushing = stretches.length > 0;
    pump();
  }

  function throwFailure(): void {
    if (failure !== null) throw failure.error;
  }

  return {
    push(positionBytes, bytes) {
      throwFailure();
      const stretch = stretches.find(({ end }) => end === positionBytes);
      if (stretch === undefined) {
        stretches.push({ start: positionBytes, end: positionBytes + bytes.length, buffers: [bytes] });
      } else {
        stretch.buffers.push(bytes);
        stretch.end += bytes.length;
      }
      bufferedBytes += bytes.length;
      const room =
        bufferedBytes < sizes.mostBufferedBytes
          ? null
          : new Promise<void>((resolve, reject) => void waiting.push({ resolve, reject }));
      pump();
      return room;
    },
    flush,
    async drain() {
      while (failure === null && (inFlight.size > 0 || stretches.length > 0)) {
        flush();
        await Promise.race(inFlight);
      }
      throwFailure();
    },
    async abandon() {
      stretches.length = 0;
      while (inFlight.size > 0) await Promise.race(inFlight);
    },
  };
}

function takeFront(stretch: Stretch, mostBytes: number): Uint8Array[] {
  const { done, rest } = splitAt(stretch.buffers, Math.min(mostBytes, stretch.end - stretch.start));
  stretch.buffers = rest;
  stretch.start += done.reduce((bytes, { length }) => bytes + length, 0);
  return done;
}

function splitAt(buffers: readonly Uint8Array[], bytes: number): { done: Uint8Array[]; rest: Uint8Array[] } {
  let left = bytes;
  for (const [index, buffer] of buffers.entries()) {
    if (left >= buffer.length) {
      left -= buffer.length;
      if (left > 0) continue;
      return { done: buffers.slice(0, index + 1), rest: buffers.slice(index + 1) };
    }
    return {
      done: left === 0 ? buffers.slice(0, index) : [...buffers.slice(0, index), buffer.subarray(0, left)],
      rest: [buffer.subarray(left), ...buffers.slice(index + 1)],
    };
  }
  return { done: [...buffers], rest: [] };
}
