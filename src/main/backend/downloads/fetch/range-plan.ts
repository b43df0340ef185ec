import type { PartFile } from '../file/part-file.ts';

/** A stretch of a chunk that one connection brings. */
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
  /** The next chunk that nobody brings; null while there is none in the window. */
  claim(): Claim | null;
  release(claim: Claim): void;
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

  return {
    reserve(wantedBytes) {
      const granted = firstTakenFrom(part.prefixBytes, wantedBytes);
      reservedUntil = Math.max(reservedUntil ?? 0, granted);
      return granted;
    },
    releaseMain: () => void (reservedUntil = null),
    claim() {
      const first =
        reservedUntil === null
          ? Math.floor(part.prefixBytes / chunkBytes)
          : Math.floor(Math.max(part.prefixBytes, reservedUntil) / chunkBytes) + 1;
      for (let index = first; index * chunkBytes < totalBytes; index += 1) {
        const endBytes = Math.min((index + 1) * chunkBytes, totalBytes);
        if (endBytes > Math.max(part.windowEndBytes, part.prefixBytes)) return null;
        const startBytes = Math.max(
          part.takenUntil(index * chunkBytes),
          Math.min(part.prefixBytes, endBytes),
        );
        if (claimed.has(index) || startBytes >= endBytes) continue;
        claimed.add(index);
        return { startBytes: Math.max(startBytes, index * chunkBytes), endBytes };
      }
      return null;
    },
    release: ({ endBytes }) => void claimed.delete(Math.floor((endBytes - 1) / chunkBytes)),
  };
}
