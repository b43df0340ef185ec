import type { StacItem } from '#shared/stac/item.ts';
import { missingDatetimeMicros, type ItemFigures } from '../item-slice.ts';
import { blockBits, blockSize } from './column-chunk.ts';
import type { ColumnWriter, GatheredBlock } from './column-writer.ts';
import type { ItemCells } from './slice-cells.ts';

/** An Item that was added to the library a moment ago. */
export interface AddedItem {
  pk: number;
  collectionPk: number;
  figures: ItemFigures;
  /** Null where the Item itself has to be looked at. */
  cells: ItemCells | null;
  item: () => StacItem;
}

/**
 * Gathers the columns of new Items while these are written, so that nobody has to read a block again that was filled
 * from its first Item to its last. What changes before it is full is noted by the triggers as ever. All in the
 * transaction of the Items.
 */
export class BlockGathering {
  readonly #columns: ColumnWriter;
  #current: GatheredBlock | null = null;
  #lastCoveredPk = -1;

  constructor(columns: ColumnWriter) {
    this.#columns = columns;
  }

  /** Looks at what the columns tell of, with each transaction: other programs write them too. */
  begin(): void {
    this.#lastCoveredPk = this.#columns.lastCoveredPk();
  }

  /** Takes a new Item; with the first one beyond a block the columns of that are written. */
  add({ pk, collectionPk, figures, cells, item }: AddedItem): void {
    // Not by a trigger: beside one, SQLite copies each page that an Item's row goes to until the row is in.
    if (pk <= this.#lastCoveredPk) this.#columns.noteStale(pk);
    const block = pk >> blockBits;
    if (this.#current?.block !== block) {
      if (this.#current) this.#columns.finishBlock(this.#current);
      // Row numbers begin with 1.
      const isFirst = pk === Math.max(1, block * blockSize);
      this.#current = isFirst ? this.#columns.beginBlock(block) : null;
    }
    if (!this.#current) return;
    // Another program added some in between.
    if (pk > Math.max(this.#current.lastPk, 0) + 1) {
      this.clear();
      return;
    }
    const { builder } = this.#current;
    if (cells) builder.putCells({ pk, collectionPk, figures: toNumbers(figures) }, cells);
    else builder.put({ pk, collectionPk, item: item() });
    this.#current.lastPk = pk;
  }

  /** Forgets what was gathered, as after a transaction that failed. */
  clear(): void {
    this.#current = null;
    this.#columns.forgetBlock();
  }
}

// As reading them again gives them: zero is stored without a sign.
function toNumbers({ datetime, start, end, west, south, east, north }: ItemFigures) {
  return {
    datetime: datetime === missingDatetimeMicros ? NaN : datetime,
    start: start ?? NaN,
    end: end ?? NaN,
    west: (west ?? NaN) + 0,
    south: (south ?? NaN) + 0,
    east: (east ?? NaN) + 0,
    north: (north ?? NaN) + 0,
  };
}
