const cellCount = 2 ** 18;
const mostCounted = 8 * cellCount;

/**
 * Counts about how often words came, in a quarter of a megabyte however many there are: two that share a cell are counted
 * together. Most words of ids come once, and a Map of them would be all that a garbage collection finds to do.
 */
export class WordCounts {
  readonly #cells = new Uint8Array(cellCount);
  #counted = 0;

  /** Counts a word, told by a hash of 32 bits; gives how often it came at most, up to 255. */
  add(hash: number): number {
    // With too many of them, chance would make frequent words of rare ones.
    if (this.#counted++ >= mostCounted) {
      this.#cells.fill(0);
      this.#counted = 1;
    }
    const cell = (hash ^ (hash >>> 15)) & (cellCount - 1);
    const count = Math.min(255, (this.#cells[cell] ?? 0) + 1);
    this.#cells[cell] = count;
    return count;
  }
}
