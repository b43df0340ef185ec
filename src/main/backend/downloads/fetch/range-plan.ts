import type { PartFile } from '../file/part-file.ts';

/** A stretch of one chunk, or of some that follow one another, that one connection brings. */
export interface Claim {
  startBytes: number;
  endBytes: number;
}

/** Who brings which chunk of a file's window (downloads.md b.4). */
export interface RangePlan {
  /** Reserves the file for the body at its prefix; gives how far, which is less where others are at it. */
  reserve(wantedBytes: number): number;
  /** The body at the prefix has ended. */
  releaseMain(): void;
  /** The next chunk that nobody brings, and such as follow it; null while there is none in the window. */
  claim(limits: ClaimLimits): Claim | null;
  release(claim: Claim): void;
}

/** How much one connection may be given at once. */
export interface ClaimLimits {
  /** At least one. */
  chunkCount: number;
  /** Those of the file; towards its end all of them are to have something to do. */
  connections: number;
  /** Chunks from that of the prefix on that may be under way. */
  windowChunks: number;
}

/** Nothing claimed, and the body at the prefix under way; where that ends within the window, all up to there is its own. */
export function createRangePlan(
  part: Pick<PartFile, 'prefixBytes' | 'windowEndBytes' | 'takenUntil'>,
  { totalBytes, endBytes, chunkBytes }: { totalBytes: number; endBytes: number | null; chunkBytes: number },
): RangePlan {
  const claimed = new Set<number>();
  const hasOwn = endBytes !== null && endBytes < totalBytes && endBytes <= part.windowEndBytes;
  let reservedUntil: number | null = hasOwn ? endBytes - 1 : part.prefixBytes;

  function firstTakenFrom(position: number, until: number): number {
    for (let start = position; start < until; start = (Math.floor(start / chunkBytes) + 1) * chunkBytes) {
      const index = Math.floor(start / chunkBytes);
      // What another left unfinished is there already as well.
      if (
        claimed.has(index) ||
        part.takenUntil(index * chunkBytes) > Math.max(index * chunkBytes, position)
      ) {
        return start;
      }
    }
    return until;
  }

  /** What is missing of a chunk that nobody brings; null where somebody does, or all of it is there. */
  function findMissing(index: number): Claim | null {
    const chunkStart = index * chunkBytes;
    const endBytes = Math.min(chunkStart + chunkBytes, totalBytes);
    const startBytes = Math.max(
      part.takenUntil(chunkStart),
      Math.min(part.prefixBytes, endBytes),
      chunkStart,
    );
    return claimed.has(index) || startBytes >= endBytes ? null : { startBytes, endBytes };
  }

  // All that is to come, divided: so they come to their ends together, though they don't begin together.
  function shareOf(connections: number): number {
    let missingBytes = totalBytes - part.prefixBytes;
    const first = Math.floor(part.prefixBytes / chunkBytes) + 1;
    for (let start = first * chunkBytes; start < part.windowEndBytes; start += chunkBytes)
      missingBytes -= Math.min(chunkBytes, part.takenUntil(start) - start);
    return Math.max(1, Math.round(missingBytes / chunkBytes / connections));
  }

  return {
    reserve(wantedBytes) {
      const granted = firstTakenFrom(part.prefixBytes, wantedBytes);
      reservedUntil = Math.max(reservedUntil ?? 0, granted);
      return granted;
    },
    releaseMain: () => void (reservedUntil = null),
    claim({ chunkCount, connections, windowChunks }) {
      const prefixChunk = Math.floor(part.prefixBytes / chunkBytes);
      const first =
        reservedUntil === null
          ? prefixChunk
          : Math.floor(Math.max(part.prefixBytes, reservedUntil) / chunkBytes) + 1;
      const windowEndBytes = Math.min(part.windowEndBytes, (prefixChunk + windowChunks) * chunkBytes);
      const beyond = Math.ceil(Math.min(Math.max(windowEndBytes, part.prefixBytes), totalBytes) / chunkBytes);
      for (let index = first; index < beyond; index += 1) {
        const claim = findMissing(index);
        if (claim === null) continue;
        claimed.add(index);
        const end = Math.min(beyond, index + Math.min(chunkCount, shareOf(connections)));
        for (let next = index + 1; next < end; next += 1) {
          const following = findMissing(next);
          // A piece that is there already would be asked for once more.
          if (following?.startBytes !== claim.endBytes) break;
          claimed.add(next);
          claim.endBytes = following.endBytes;
        }
        return claim;
      }
      return null;
    },
    release({ startBytes, endBytes }) {
      for (let start = startBytes; start < endBytes; start += chunkBytes)
        claimed.delete(Math.floor(start / chunkBytes));
      claimed.delete(Math.floor((endBytes - 1) / chunkBytes));
    },
  };
}
