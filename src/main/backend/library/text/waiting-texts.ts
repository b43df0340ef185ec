const firstBytes = 64 * 1024;
const mostKeptBytes = 1024 * 1024;

/**
 * Texts of Items that wait to be written in the order of the index. As bytes: thousands of objects that live as long as a
 * transaction would be moved about by the garbage collection, again and again.
 */
export class WaitingTexts {
  /** Which text is an Item's, by its pk. */
  readonly #places = new Map<number, number>();
  #rowids: number[] = [];
  /** Where each text ends in the bytes. */
  #ends: number[] = [];
  #bytes = Buffer.alloc(0);

  /** Adds the text of an Item, in parts: joined, one letter beyond Latin would make all of it slow to write. */
  add({ pk, rowid, parts }: { pk: number; rowid: number; parts: readonly string[] }): void {
    let end = this.#ends.at(-1) ?? 0;
    for (const part of parts) {
      // No text takes more bytes in UTF-8.
      if (end + part.length * 3 > this.#bytes.length) this.#grow(end + part.length * 3);
      end += this.#bytes.write(part, end);
    }
    this.#places.set(pk, this.#ends.length);
    this.#rowids.push(rowid);
    this.#ends.push(end);
  }

  /** Takes out that of an Item; false when it has none here. */
  remove(pk: number): boolean {
    return this.#places.delete(pk);
  }

  /** All of them as UTF-8, the least row number first. */
  *inOrder(): Generator<[rowid: number, text: Buffer]> {
    const [rowids, ends] = [this.#rowids, this.#ends];
    const places = Int32Array.from(this.#places.values());
    for (const place of places.sort((a, b) => (rowids[a] ?? 0) - (rowids[b] ?? 0)))
      yield [rowids[place] ?? 0, this.#bytes.subarray(ends[place - 1] ?? 0, ends[place])];
  }

  /** Lets go of all. */
  clear(): void {
    this.#places.clear();
    this.#rowids = [];
    this.#ends = [];
    if (this.#bytes.length > mostKeptBytes) this.#bytes = Buffer.alloc(0);
  }

  #grow(leastBytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(leastBytes, this.#bytes.length * 2, firstBytes));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
