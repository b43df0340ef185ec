import type { Bbox } from '#shared/stac/bbox.ts';

/**
 * Boxes that wait to be written neighbour by neighbour, which mostly go to the same place of the R*Tree. As plain numbers:
 * thousands of objects that live as long as a transaction would be moved about by the garbage collection.
 */
export class WaitingBoxes {
  /** Where the sides of a box are, by the number that it is found by. */
  readonly #places = new Map<number, number>();
  /** West, south, east and north of each. */
  #sides: number[] = [];

  /** Adds a box, or puts it in the place of the one that had its number. */
  add(id: number, box: Bbox): void {
    this.#places.set(id, this.#sides.length);
    this.#sides.push(...box);
  }

  /** Takes out what was added under a number. */
  remove(id: number): void {
    this.#places.delete(id);
  }

  /** Gives all of them and lets go of them. */
  takeInOrder(take: (id: number, box: Bbox) => void): void {
    const sides = this.#sides;
    const ids = Int32Array.from(this.#places.keys());
    const places = Int32Array.from(this.#places.values());
    this.clear();
    const keys = Float64Array.from(places, (at) => Math.floor(sides[at + 1] ?? 0) * 360 + (sides[at] ?? 0));
    for (const index of Int32Array.from(ids.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0)))
      take(ids[index] ?? 0, boxAt(sides, places[index] ?? 0));
  }

  /** Lets go of all. */
  clear(): void {
    this.#places.clear();
    this.#sides = [];
  }
}

function boxAt(sides: readonly number[], at: number): Bbox {
  const [west = 0, south = 0, east = 0, north = 0] = sides.slice(at, at + 4);
  return [west, south, east, north];
}
