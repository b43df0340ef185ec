/** Which stretches of a file were given to be written. */
export interface TakenMap {
  /** End of the stretch that begins with the first byte. */
  readonly prefixBytes: number;
  /** Where the next stretch beyond it begins; null where there is none. */
  readonly gapEndBytes: number | null;
  /** False when any byte of the stretch was taken before. */
  take(start: number, end: number): boolean;
  /** End of what is taken from a position on without a gap. */
  endFrom(position: number): number;
  /** Everything up to a length is taken, and nothing after it. */
  reset(prefixBytes: number): void;
}

/** A map of few stretches: those of a window. */
export function createTakenMap(): TakenMap {
  let stretches: { start: number; end: number }[] = [{ start: 0, end: 0 }];
  return {
    get prefixBytes() {
      return stretches[0]?.end ?? 0;
    },
    get gapEndBytes() {
      return stretches.length > 1 ? Math.min(...stretches.slice(1).map(({ start }) => start)) : null;
    },
    take(start, end) {
      if (stretches.some((other) => other.start < end && other.end > start)) return false;
      const before = stretches.find((other) => other.end === start);
      if (before === undefined) stretches.push({ start, end });
      else before.end = end;
      const after = stretches.find((other) => other.start === end && other !== before && other.end > end);
      const grown = before ?? stretches.at(-1);
      if (after !== undefined && grown !== undefined) {
        grown.end = after.end;
        stretches = stretches.filter((other) => other !== after);
      }
      return true;
    },
    endFrom: (position) =>
      stretches.find(({ start, end }) => start <= position && end > position)?.end ?? position,
    reset: (prefixBytes) => void (stretches = [{ start: 0, end: prefixBytes }]),
  };
}
