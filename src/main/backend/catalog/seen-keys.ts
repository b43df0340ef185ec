import { hash } from 'node:crypto';

/** An answer of more pages than a person looks at. */
const mostWhole = 2000;
/** Any two of a million keys have the same 72 bits once in 10^10 times. */
const shortBytes = 9;

/**
 * Keys of what came already. Those of a long answer are kept as their hashes: whole, with the ids in them, they took 40 MB
 * of 300,000 Items.
 */
export class SeenKeys {
  #keys = new Set<string>();
  #isShort = false;

  /** Takes a key; false when it was taken before. */
  add(key: string): boolean {
    if (!this.#isShort && this.#keys.size >= mostWhole) {
      this.#keys = new Set([...this.#keys].map(shorten));
      this.#isShort = true;
    }
    const known = this.#isShort ? shorten(key) : key;
    if (this.#keys.has(known)) return false;
    this.#keys.add(known);
    return true;
  }
}

function shorten(key: string): string {
  return hash('sha1', key, 'buffer').toString('latin1', 0, shortBytes);
}
