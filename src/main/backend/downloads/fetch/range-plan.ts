import type { PartFile } from '../file/part-file.ts';

/** A stretch of one piece, or of some that follow one another, that one connection brings. */
export interface Claim {
  startBytes: number;
  endBytes: number;
}

/** Who brings which pieces of a file's window (downloads.md b.4). */
export interface RangePlan {
  /** Reserves the file for the body at its prefix; gives how far, which is less where others are at it. */
  reserve(wantedBytes: number): number;
  /** The body at the prefix has ended. */
  releaseMain(): void;
  /** The next piece that nobody brings, and such as follow it; null while there is none in the window. */
  claim(limits: ClaimLimits): Claim | null;
  release(claim: Claim): void;
}

/** How much one connection may be given at once. */
export interface ClaimLimits {
  /** At least one. */
  pieceCount: number;
  /** Those of the file; towards its end all of them are to have something to do. */
  connections: number;
  /** Pieces from that of the prefix on that may be under way. */
  windowPieces: number;
}

/** Nothing claimed, and the body at the prefix under way; where that ends within the window, all up to there is its own. */
export function createRangePlan(
  part: Pick<PartFile, 'prefixBytes' | 'windowEndBytes' | 'takenUntil'>,
  { totalBytes, endBytes, pieceBytes }: { totalBytes: number; endBytes: number | null; pieceBytes: number },
): RangePlan {
  const claimed = new Set<number>();
  const hasOwn = endBytes !== null && endBytes < totalBytes && endBytes <= part.windowEndBytes;
  let reservedUntil: number | null = hasOwn ? endBytes - 1 : part.prefixBytes;

  function firstTakenFrom(position: number, until: number): number {
    for (let start = position; start < until; start = (Math.floor(start / pieceBytes) + 1) * pieceBytes) {
      const index = Math.floor(start / pieceBytes);
      // What another left unfinished is there already as well.
      if (
        claimed.has(index) ||
        part.takenUntil(index * pieceBytes) > Math.max(index * pieceBytes, position)
      ) {
        return start;
      }
    }
    return until;
  }

  /** What is missing of a piece that nobody brings; null where somebody does, or all of it is there. */
  function findMissing(index: number): Claim | null {
    const pieceStart = index * pieceBytes;
    const endBytes = Math.min(pieceStart + pieceBytes, totalBytes);
    const startBytes = Math.max(
      part.takenUntil(pieceStart),
      Math.min(part.prefixBytes, endBytes),
      pieceStart,
    );
    return claimed.has(index) || startBytes >= endBytes ? null : { startBytes, endBytes };
  }

  // All that is to come, divided: so they come to their ends together, though they don't begin together.
  function shareOf(connections: number): number {
    let missingBytes = totalBytes - part.prefixBytes;
    const first = Math.floor(part.prefixBytes / pieceBytes) + 1;
    for (let start = first * pieceBytes; start < part.windowEndBytes; start += pieceBytes)
      missingBytes -= Math.min(pieceBytes, part.takenUntil(start) - start);
    return Math.max(1, Math.round(missingBytes / pieceBytes / connections));
  }

  // A body that may go on to the end is broken off where others have begun: it has its share as well.
  function firstBehindMain(prefixPiece: number, share: number): number {
    if (reservedUntil === null) return prefixPiece;
    const next = Math.floor(Math.max(part.prefixBytes, reservedUntil) / pieceBytes) + 1;
    return hasOwn ? next : Math.max(next, prefixPiece + share);
  }

  return {
    reserve(wantedBytes) {
      // What others have brought meanwhile would be read, and compared, at the speed at which it comes once more.
      const isBehind = reservedUntil !== null && part.prefixBytes > reservedUntil;
      if (isBehind && reservedUntil !== null && wantedBytes > reservedUntil) return reservedUntil;
      const granted = firstTakenFrom(part.prefixBytes, wantedBytes);
      reservedUntil = Math.max(reservedUntil ?? 0, granted);
      return granted;
    },
    releaseMain: () => void (reservedUntil = null),
    claim({ pieceCount, connections, windowPieces }) {
      const prefixPiece = Math.floor(part.prefixBytes / pieceBytes);
      const share = Math.min(pieceCount, shareOf(connections));
      const first = firstBehindMain(prefixPiece, share);
      const windowEndBytes = Math.min(part.windowEndBytes, (prefixPiece + windowPieces) * pieceBytes);
      const beyond = Math.ceil(Math.min(Math.max(windowEndBytes, part.prefixBytes), totalBytes) / pieceBytes);
      for (let index = first; index < beyond; index += 1) {
        const claim = findMissing(index);
        if (claim === null) continue;
        claimed.add(index);
        const end = Math.min(beyond, index + share);
        for (let next = index + 1; next < end; next += 1) {
          const following = findMissing(next);
          // What is there already would be asked for once more.
          if (following?.startBytes !== claim.endBytes) break;
          claimed.add(next);
          claim.endBytes = following.endBytes;
        }
        return claim;
      }
      return null;
    },
    release({ startBytes, endBytes }) {
      for (let start = startBytes; start < endBytes; start += pieceBytes)
        claimed.delete(Math.floor(start / pieceBytes));
      claimed.delete(Math.floor((endBytes - 1) / pieceBytes));
    },
  };
}
