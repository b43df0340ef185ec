/**
 * Remembers at which place each number came first. A Map would do; but it makes an object of every fraction, and has to
 * grow anew for every Item.
 */
export class SeenNumbers {
  #numbers = new Float64Array(512);
  #places = new Int32Array(512);
  /** In which round a cell was filled: to forget all of them costs nothing. */
  #rounds = new Int32Array(512);
  #round = 1;
  #count = 0;

  /** Forgets all. */
  clear(): void {
    this.#round += 1;
    this.#count = 0;
  }

  /** Where the number came first; null when it is new, and its place is remembered. */
  note(number: number, place: number): number | null {
    const cell = this.#findCell(number);
    if (this.#rounds[cell] === this.#round) return this.#places[cell] ?? null;
    this.#fill(cell, number, place);
    if (this.#count * 2 > this.#numbers.length) this.#grow();
    return null;
  }

  // That of the number, or the free one where it belongs.
  #findCell(number: number): number {
    const last = this.#numbers.length - 1;
    let cell = hash(number) & last;
    while (this.#rounds[cell] === this.#round && this.#numbers[cell] !== number) cell = (cell + 1) & last;
    return cell;
  }

  #fill(cell: number, number: number, place: number): void {
    this.#numbers[cell] = number;
    this.#places[cell] = place;
    this.#rounds[cell] = this.#round;
    this.#count += 1;
  }

  #grow(): void {
    const [numbers, places, rounds] = [this.#numbers, this.#places, this.#rounds];
    const size = numbers.length * 2;
    this.#numbers = new Float64Array(size);
    this.#places = new Int32Array(size);
    this.#rounds = new Int32Array(size);
    this.#count = 0;
    for (let cell = 0; cell < numbers.length; cell++) {
      const number = numbers[cell] ?? 0;
      if (rounds[cell] === this.#round) this.#fill(this.#findCell(number), number, places[cell] ?? 0);
    }
  }
}

const one = new Float64Array(1);
const halves = new Int32Array(one.buffer);

function hash(number: number): number {
  one[0] = number;
  const mixed = Math.imul((halves[0] ?? 0) ^ Math.imul(halves[1] ?? 0, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
