import { bboxOf, propertiesOf, timeOf, type StacItem } from '#shared/stac/item.ts';
import { blockSize } from './column-chunk.ts';
import { builtIn, propertyColumn } from './column-names.ts';
import { encodeChunk, encodeMicros, encodeNumbers } from './encode-chunk.ts';
import { encodeFootprints, toFootprintCell, type FootprintCell } from './footprint-chunk.ts';
import type { ItemCells } from './slice-cells.ts';

/** A longer name is a mistake. */
const maxNameLength = 200;

/** An Item with the row number of its collection. */
export interface BlockItem {
  pk: number;
  collectionPk: number;
  item: StacItem;
}

/** What the row of an Item says of it; not a number where it doesn't. */
export interface PlacedFigures {
  pk: number;
  collectionPk: number;
  figures: Readonly<Record<'datetime' | 'start' | 'end' | 'west' | 'south' | 'east' | 'north', number>>;
}

/** Gathers the Items of a block in columns. An Item that is put again takes the place of the former. */
export class BlockBuilder {
  readonly #hasColumn: (name: string) => boolean;
  readonly #properties = new Map<string, unknown[]>();
  readonly #footprints: FootprintCell[] = new Array<FootprintCell>(blockSize);
  readonly #numbers = {
    collection: noNumbers(),
    datetime: noNumbers(),
    start: noNumbers(),
    end: noNumbers(),
    west: noNumbers(),
    south: noNumbers(),
    east: noNumbers(),
    north: noNumbers(),
  };
  #isOverflowing = false;

  /** `hasColumn` says whether there is, or may be, a column of that name. */
  constructor(hasColumn: (name: string) => boolean) {
    this.#hasColumn = hasColumn;
  }

  /** Whether a property of an Item has no column. */
  get isOverflowing(): boolean {
    return this.#isOverflowing;
  }

  put({ pk, collectionPk, item }: BlockItem): void {
    const time = timeOf(item);
    const [west = NaN, south = NaN, east = NaN, north = NaN] = bboxOf(item) ?? [];
    const figures = {
      datetime: time.datetimeMicros ?? NaN,
      start: time.startMicros ?? NaN,
      end: time.endMicros ?? NaN,
      ...{ west, south, east, north },
    };
    const properties = propertiesOf(item);
    this.putCells(
      { pk, collectionPk, figures },
      {
        footprint: toFootprintCell(item),
        forEachProperty(see) {
          for (const name of Object.keys(properties)) {
            const value = properties[name];
            if (value !== null && value !== undefined) see(name, value);
          }
        },
      },
    );
  }

  /** Puts an Item of which its cells are known. */
  putCells({ pk, collectionPk, figures }: PlacedFigures, cells: ItemCells): void {
    const slot = pk % blockSize;
    const { collection, datetime, start, end, west, south, east, north } = this.#numbers;
    if (!Number.isNaN(collection[slot])) for (const cells of this.#properties.values()) cells[slot] = null;
    collection[slot] = collectionPk;
    datetime[slot] = figures.datetime;
    start[slot] = figures.start;
    end[slot] = figures.end;
    west[slot] = figures.west;
    south[slot] = figures.south;
    east[slot] = figures.east;
    north[slot] = figures.north;
    this.#footprints[slot] = cells.footprint;
    cells.forEachProperty((name, value) => this.#putProperty(name, slot, value));
  }

  /** The chunks of the block by column; null where no Item has a value. */
  encode(): Map<string, Buffer | null> {
    const { collection, datetime, start, end, west, south, east, north } = this.#numbers;
    const chunks = new Map<string, Buffer | null>([
      [builtIn.collection, encodeNumbers(collection)],
      [builtIn.datetime, encodeMicros(datetime, { digits: 6, blockTimes: null })],
      [builtIn.start, encodeMicros(start, { digits: 6, blockTimes: datetime })],
      [builtIn.end, encodeMicros(end, { digits: 6, blockTimes: datetime })],
      [builtIn.west, encodeNumbers(west)],
      [builtIn.south, encodeNumbers(south)],
      [builtIn.east, encodeNumbers(east)],
      [builtIn.north, encodeNumbers(north)],
      [builtIn.footprint, encodeFootprints(this.#footprints)],
    ]);
    for (const [name, cells] of this.#properties) {
      chunks.set(propertyColumn(name), encodeChunk(cells, datetime));
    }
    return chunks;
  }

  #putProperty(name: string, slot: number, value: unknown): void {
    let cells = this.#properties.get(name);
    if (!cells) {
      if (name.length > maxNameLength || !this.#hasColumn(propertyColumn(name))) {
        this.#isOverflowing = true;
        return;
      }
      cells = new Array<unknown>(blockSize).fill(null);
      this.#properties.set(name, cells);
    }
    cells[slot] = value;
  }
}

function noNumbers(): Float64Array {
  return new Float64Array(blockSize).fill(NaN);
}
