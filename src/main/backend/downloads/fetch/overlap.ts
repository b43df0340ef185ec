const mostBytes = 64 * 1024;
// Whoever gives less than that at once is better asked for the whole.
const leastBytes = 16 * 1024;

/**
 * How much of what is there is asked for again: a broken connection may have left garbage at its end, and the source may
 * have another file by now (downloads.md §0.6).
 */
export interface Overlap {
  readonly bytes: number;
  /** An answer gave less than was asked for, as it said it would: with servers whose ranges are short, most would be overlap. */
  noteShort(): void;
  /** A connection broke off: none is trusted any more. */
  noteBreak(): void;
}

/** All of it, as nothing is known of the source. */
export function createOverlap(): Overlap {
  let bytes = mostBytes;
  let hasBroken = false;
  return {
    get bytes() {
      return bytes;
    },
    noteShort() {
      if (!hasBroken) bytes = Math.max(leastBytes, bytes / 2);
    },
    noteBreak() {
      hasBroken = true;
      bytes = mostBytes;
    },
  };
}
