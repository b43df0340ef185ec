import type { Bbox } from '#shared/stac/bbox.ts';
import type { SliceCells } from './columns/slice-cells.ts';
import { bboxOf, cloudCoverOf, timeOf, type StacItem } from '#shared/stac/item.ts';

/** Sort key of Items that name no time: they come last, newest first. Before any year that RFC 3339 can write. */
export const missingDatetimeMicros = -(2 ** 62);

/** What an Item's row says of it. Nulls where the Item doesn't. */
export interface ItemFigures {
  datetime: number;
  start: number | null;
  end: number | null;
  cloudCover: number | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
}

/** A shape that Items of a slice are told by. */
export interface SliceShape {
  number: number;
  collectionId: string;
  /** Its row number, where it has one already. */
  pk: number | null;
  json: string;
}

/**
 * Items on their way to the writing thread, column by column, because that crosses threads at a tenth of the cost of the
 * Items themselves.
 */
export interface ItemSlice {
  fetchedAtMs: number;
  collectionIds: string[];
  itemIds: string[];
  /** One behind the other: what differs from the shape, or the whole JSON of an Item without one. */
  bytes: Uint8Array;
  /** Where each ends in them. */
  ends: Uint32Array;
  /** What the Item is found by. */
  words: string[];
  /** `figuresEach` numbers for each Item; NaN for null. */
  figures: Float64Array;
  /** What columns hold of them. */
  cells: SliceCells;
  /** By their index: Items whose box doesn't say where their footprint is, with a box around both. */
  astrayBoxes: Map<number, Bbox>;
  /** The number of the shape; 0 for none, -1 for a partial Item, which has none. */
  shapeNumbers: Int32Array;
  /** Shapes of these Items; on the way to the thread those that it hasn't been told of before. */
  shapes: SliceShape[];
}

/** How many figures an Item has. */
export const figuresEach = 8;

/** Reads what an Item's row says of it. */
export function toItemFigures(item: StacItem): ItemFigures {
  const { datetimeMicros, startMicros, endMicros } = timeOf(item);
  const [west = null, south = null, east = null, north = null] = bboxOf(item) ?? [];
  return {
    datetime: datetimeMicros ?? missingDatetimeMicros,
    start: startMicros,
    end: endMicros,
    cloudCover: cloudCoverOf(item),
    west,
    south,
    east,
    north,
  };
}

/** Puts the figures of an Item into a slice. */
export function putFigures(figures: Float64Array, index: number, item: StacItem): void {
  const { datetime, start, end, cloudCover, west, south, east, north } = toItemFigures(item);
  const at = index * figuresEach;
  figures[at] = datetime;
  figures[at + 1] = start ?? NaN;
  figures[at + 2] = end ?? NaN;
  figures[at + 3] = cloudCover ?? NaN;
  figures[at + 4] = west ?? NaN;
  figures[at + 5] = south ?? NaN;
  figures[at + 6] = east ?? NaN;
  figures[at + 7] = north ?? NaN;
}

/** Takes the figures of an Item out of a slice. */
export function takeFigures(figures: Float64Array, index: number): ItemFigures {
  const take = (offset: number): number | null => {
    const figure = figures[index * figuresEach + offset] ?? NaN;
    return Number.isNaN(figure) ? null : figure;
  };
  return {
    datetime: take(0) ?? missingDatetimeMicros,
    start: take(1),
    end: take(2),
    cloudCover: take(3),
    west: take(4),
    south: take(5),
    east: take(6),
    north: take(7),
  };
}
