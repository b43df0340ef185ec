import type { ItemRow } from '#shared/stac/item-row.ts';
import { FilterMask, createTest, type ResultFilters } from './results-filter.ts';
import { createCompare, sortRows, sortRowsIn, type ResultOrder } from './results-order.ts';
import type { SlicedWork } from './results-slices.ts';
import type { ResultTable } from './results-table.ts';

/** How rows are to be shown. */
export interface ViewWish {
  filters: ResultFilters;
  order: ResultOrder;
  isByDay: boolean;
}

/** The rows of one day in UTC; the day null holds those without a date. */
export interface ResultDay {
  day: string | null;
  /** Position of its first row in `shown`. */
  start: number;
  count: number;
  /** Per cent; null when no row of the day has a cloud cover. */
  minCloud: number | null;
  maxCloud: number | null;
}

/** What is shown of an answer, and all that is needed to show more of it. */
export interface ResultsView {
  wish: ViewWish;
  table: ResultTable;
  /** Rows of the table that it was made of; more may have come since. */
  rowCount: number;
  mask: FilterMask;
  /** All row indexes in order, filtered or not; null in the catalog's own order. */
  sorted: Uint32Array | null;
  /** Row indexes in the order in which they are shown. */
  indexes: Uint32Array;
  shown: readonly ItemRow[];
  /** Empty unless rows are grouped by day. */
  days: readonly ResultDay[];
}

/** Rows that a view is made of, and what may be used of the one before. */
interface Extent {
  rowCount: number;
  before: ResultsView | null;
}

/** Rows looked at before others have their turn. */
const stride = 4096;

/** Makes the view that is wished for, out of an earlier one as far as that still holds. */
export function* buildView(
  table: ResultTable,
  wish: ViewWish,
  before: ResultsView | null,
): SlicedWork<ResultsView> {
  const rowCount = table.rows.length;
  const mask = yield* buildMask(table, wish, { rowCount, before });
  const sorted = yield* buildOrder(table, wish.order, { rowCount, before });
  const isReversed = sorted === null && wish.order.isDescending;
  const passing = new Uint32Array(rowCount);
  let count = 0;
  for (let place = 0; place < rowCount; place++) {
    const index = sorted ? (sorted[place] ?? 0) : isReversed ? rowCount - 1 - place : place;
    if (mask.passes(index, 0)) passing[count++] = index;
    if (place % stride === 0) yield;
  }
  const flat = passing.subarray(0, count);
  const { indexes, days } = wish.isByDay ? yield* groupByDay(table, flat) : { indexes: flat, days: [] };
  const shown = new Array<ItemRow>(count);
  for (let position = 0; position < count; position++) {
    const row = table.rows[indexes[position] ?? 0];
    if (row) shown[position] = row;
    if (position % stride === 0) yield;
  }
  return { wish, table, rowCount, mask, sorted, indexes, shown, days };
}

function* buildMask(
  table: ResultTable,
  { filters }: ViewWish,
  { rowCount, before }: Extent,
): SlicedWork<FilterMask> {
  const mask = before?.wish.filters === filters ? before.mask : new FilterMask();
  const tests = new Map([...filters].map(([name, filter]) => [name, createTest(filter, table.column(name))]));
  for (let from = mask.length; from < rowCount; from += stride) {
    mask.update(from, Math.min(rowCount, from + stride), tests);
    yield;
  }
  return mask;
}

function* buildOrder(
  table: ResultTable,
  { column: name, isDescending }: ResultOrder,
  { rowCount: count, before }: Extent,
): SlicedWork<Uint32Array | null> {
  const column = name === null ? null : table.column(name);
  if (column === null) return null;
  const compare = createCompare(column, isDescending);
  const isSame =
    before?.sorted && before.wish.order.column === name && before.wish.order.isDescending === isDescending;
  if (isSame && before.sorted) {
    return before.sorted.length === count ? before.sorted : yield* sortRowsIn(before.sorted, count, compare);
  }
  return yield* sortRows(count, compare);
}

/** Days stand in the order of their first rows; within a day the order is kept. */
function* groupByDay(
  table: ResultTable,
  flat: Uint32Array,
): SlicedWork<{ indexes: Uint32Array; days: ResultDay[] }> {
  const counts = new Map<number, { count: number; next: number; minCloud: number; maxCloud: number }>();
  for (const [position, index] of flat.entries()) {
    const code = table.day.codeAt(index);
    let group = counts.get(code);
    if (!group) counts.set(code, (group = { count: 0, next: 0, minCloud: Infinity, maxCloud: -Infinity }));
    group.count += 1;
    const cloud = table.cloud.at(index);
    if (cloud < group.minCloud) group.minCloud = cloud;
    if (cloud > group.maxCloud) group.maxCloud = cloud;
    if (position % stride === 0) yield;
  }
  let start = 0;
  const days: ResultDay[] = [];
  for (const [code, group] of counts) {
    const { count, minCloud, maxCloud } = group;
    group.next = start;
    const hasCloud = minCloud <= maxCloud;
    days.push({
      day: table.day.texts[code] ?? null,
      start,
      count,
      minCloud: hasCloud ? minCloud : null,
      maxCloud: hasCloud ? maxCloud : null,
    });
    start += count;
  }
  const indexes = new Uint32Array(flat.length);
  for (const [position, index] of flat.entries()) {
    const group = counts.get(table.day.codeAt(index));
    if (group) indexes[group.next++] = index;
    if (position % stride === 0) yield;
  }
  return { indexes, days };
}

/** Whether a view depends on a column, so that new values in it make another view. */
export function dependsOn({ filters, order }: ViewWish, column: string): boolean {
  return order.column === column || filters.has(column);
}
