/** Bytes of a part file beyond the first gap in it, on disk. */
export interface Island {
  startBytes: number;
  endBytes: number;
  crc32: number;
}

/** What is known of some part files, by their paths. */
export type KnownIslands = readonly (readonly [partPath: string, islands: readonly Island[]])[];

/**
 * What lies beyond the gaps of part files that are closed for a while, by their paths: for a pause, a network that was away,
 * and the end of the program. The journal knows nothing of it, and after a crash nobody does.
 */
export interface Islands {
  /** Takes what is known of a part file, which is nothing from then on. */
  take(partPath: string): readonly Island[];
  put(partPath: string, islands: readonly Island[]): void;
  /** All of it. */
  list(): KnownIslands;
}

/** Begins with what the last process knew when it ended. */
export function createIslands(before: KnownIslands = []): Islands {
  const known = new Map(before);
  return {
    take(partPath) {
      const islands = known.get(partPath) ?? [];
      known.delete(partPath);
      return islands;
    },
    put(partPath, islands) {
      if (islands.length > 0) known.set(partPath, islands);
    },
    list: () => [...known],
  };
}
