/** Bytes of a part file beyond the first gap in it, on disk. */
export interface Island {
  startBytes: number;
  endBytes: number;
  crc32: number;
}

/**
 * What lies beyond the gaps of part files that are closed for a while, by their paths. The journal knows nothing of it: it is
 * for a pause and a network that was away, and ends with the process.
 */
export interface Islands {
  /** Takes what is known of a part file, which is nothing from then on. */
  take(partPath: string): readonly Island[];
  put(partPath: string, islands: readonly Island[]): void;
}

/** None yet. */
export function createIslands(): Islands {
  const known = new Map<string, readonly Island[]>();
  return {
    take(partPath) {
      const islands = known.get(partPath) ?? [];
      known.delete(partPath);
      return islands;
    },
    put(partPath, islands) {
      if (islands.length > 0) known.set(partPath, islands);
    },
  };
}
