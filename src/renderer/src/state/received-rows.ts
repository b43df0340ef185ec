import type { ItemRow } from '#shared/stac/item-row.ts';
import { toItemKey } from '#shared/stac/item-key.ts';

/** Rows that were just added to an answer, and what is known of each. */
export interface ReceivedBatch {
  rows: readonly ItemRow[];
  /** For each row its place among all rows that the program gave for this search. */
  givenIndexes: readonly number[];
  /** Whether no earlier look at the saved search had it. */
  isNewSince: readonly boolean[];
}

interface HeldRow {
  row: ItemRow;
  givenIndex: number;
  isNewSince: boolean;
}

/** The rows of one answer, each once. What comes beyond a maximum is held until it is raised. */
export class ReceivedRows {
  readonly rows: ItemRow[] = [];
  readonly #known = new Set<string>();
  #held: HeldRow[] = [];
  #givenCount = 0;

  /** How many rows the program has given, those that came twice included. */
  get givenCount(): number {
    return this.#givenCount;
  }

  get hasHeld(): boolean {
    return this.#held.length > 0;
  }

  /** Takes a page in. `newIndexes` are places within it. */
  take(page: { rows: readonly ItemRow[]; newIndexes: readonly number[] }): void {
    const newPlaces = new Set(page.newIndexes);
    for (const [place, row] of page.rows.entries()) {
      const givenIndex = this.#givenCount++;
      const key = toItemKey(row);
      // A catalog that gains items between two pages may send one twice.
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      this.#held.push({ row, givenIndex, isNewSince: newPlaces.has(place) });
    }
  }

  /** Adds what is held to the rows, as far as the maximum allows. */
  release(maxItems: number): ReceivedBatch {
    const released = this.#held.splice(0, Math.max(0, maxItems - this.rows.length));
    const rows = released.map(({ row }) => row);
    for (const row of rows) this.rows.push(row);
    return {
      rows,
      givenIndexes: released.map(({ givenIndex }) => givenIndex),
      isNewSince: released.map(({ isNewSince }) => isNewSince),
    };
  }
}
