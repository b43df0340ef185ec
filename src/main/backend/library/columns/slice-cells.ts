import { propertiesOf, type StacItem } from '#shared/stac/item.ts';
import { toDictionaryValue } from './encode-chunk.ts';
import { footprintKinds, type FootprintCell } from './footprint-chunk.ts';

/** What columns hold of the Items of a slice beside their figures, for the thread that doesn't have the Items. */
export interface SliceCells {
  /** 1 for an Item whose cells are here; another one has to be looked at. */
  isTold: Uint8Array;
  /** By property, and by the Item's index; null where it has no value. */
  properties: Map<string, unknown[]>;
  footprintKinds: Uint8Array;
  /** Corners of all footprints, one behind the other. */
  corners: Uint16Array;
}

/** Cells of one Item. */
export interface ItemCells {
  footprint: FootprintCell;
  /** Gives each property that has a value. */
  forEachProperty(see: (name: string, value: unknown) => void): void;
}

/** Gathers the cells of a slice. */
export class CellGatherer {
  readonly #count: number;
  readonly #isTold: Uint8Array;
  readonly #properties = new Map<string, unknown[]>();
  readonly #kinds: Uint8Array;
  readonly #corners: number[] = [];

  /** For so many Items. */
  constructor(count: number) {
    this.#count = count;
    this.#isTold = new Uint8Array(count);
    this.#kinds = new Uint8Array(count);
  }

  /** Notes an Item as it is stored: without signed links. */
  put(index: number, item: StacItem, { kind, corners }: FootprintCell): void {
    this.#isTold[index] = 1;
    this.#kinds[index] = kind;
    for (const corner of corners) this.#corners.push(corner);
    const properties = propertiesOf(item);
    for (const name of Object.keys(properties)) {
      const cell = toCell(properties[name]);
      if (cell === null) continue;
      let cells = this.#properties.get(name);
      if (!cells) this.#properties.set(name, (cells = new Array<unknown>(this.#count).fill(null)));
      cells[index] = cell;
    }
  }

  /** What was noted. */
  take(): SliceCells {
    return {
      isTold: this.#isTold,
      properties: this.#properties,
      footprintKinds: this.#kinds,
      corners: Uint16Array.from(this.#corners),
    };
  }
}

/** Reads the cells of a slice, one Item after the other. */
export class CellReader {
  readonly #cells: SliceCells;
  readonly #columns: readonly (readonly [string, unknown[]])[];
  readonly #starts: Uint32Array;

  constructor(cells: SliceCells) {
    this.#cells = cells;
    this.#columns = [...cells.properties];
    this.#starts = new Uint32Array(cells.isTold.length);
    let start = 0;
    cells.footprintKinds.forEach((kind, index) => {
      this.#starts[index] = start;
      start += countCorners(kind);
    });
  }

  /** The cells of an Item; null for one that has to be looked at. */
  read(index: number): ItemCells | null {
    if (this.#cells.isTold[index] !== 1) return null;
    const kind = this.#cells.footprintKinds[index] ?? footprintKinds.none;
    const start = this.#starts[index] ?? 0;
    const corners = this.#cells.corners.subarray(start, start + countCorners(kind));
    return {
      footprint: { kind, corners },
      forEachProperty: (see) => {
        for (const [name, cells] of this.#columns) {
          const value = cells[index];
          if (value !== null) see(name, value);
        }
      },
    };
  }
}

function countCorners(kind: number): number {
  return kind >= footprintKinds.firstRing ? 2 * kind : 0;
}

// What is neither text, number nor boolean doesn't cross threads; a number that JSON can't say isn't stored.
function toCell(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return toDictionaryValue(value);
  // Zero is stored without a sign.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  return value ?? null;
}
