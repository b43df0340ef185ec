const firstSize = 512;
const mostHashed = 8;

/**
 * Remembers at which place each text came first. As `SeenNumbers`: a Map would be made anew for every Item, and it hashes
 * the whole of a text, of which the end tells nearly always which one it is.
 */
export class SeenTexts {
  /** In the order in which they came; let go of with `clear`, so that nothing old keeps them alive. */
  #texts: string[] = [];
  #placesOfTexts: number[] = [];
  /** Which text is in a cell. */
  #cells = new Int32Array(firstSize);
  /** In which round a cell was filled: to forget all of them costs nothing. */
  #rounds = new Int32Array(firstSize);
  #round = 1;

  /** Forgets all. */
  clear(): void {
    this.#round += 1;
    this.#texts = [];
    this.#placesOfTexts = [];
  }

  /** Where the text came first; null when it is new, and its place is remembered. */
  note(text: string, place: number): number | null {
    const cell = this.#findCell(text);
    if (this.#rounds[cell] === this.#round) return this.#placesOfTexts[this.#cells[cell] ?? -1] ?? null;
    this.#fill(cell, this.#texts.push(text) - 1);
    this.#placesOfTexts.push(place);
    if (this.#texts.length * 2 > this.#cells.length) this.#grow();
    return null;
  }

  // That of the text, or the free one where it belongs.
  #findCell(text: string): number {
    const last = this.#cells.length - 1;
    let cell = hash(text) & last;
    while (this.#rounds[cell] === this.#round && this.#texts[this.#cells[cell] ?? -1] !== text)
      cell = (cell + 1) & last;
    return cell;
  }

  #fill(cell: number, index: number): void {
    this.#cells[cell] = index;
    this.#rounds[cell] = this.#round;
  }

  #grow(): void {
    const size = this.#cells.length * 2;
    this.#cells = new Int32Array(size);
    this.#rounds = new Int32Array(size);
    this.#texts.forEach((text, index) => this.#fill(this.#findCell(text), index));
  }
}

function hash(text: string): number {
  let mixed = text.length;
  for (let at = Math.max(0, text.length - mostHashed); at < text.length; at++)
    mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed ^ (mixed >>> 15);
}
