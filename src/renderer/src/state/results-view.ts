import type { ItemRow } from '#shared/stac/item-row.ts';
import { groupByDay, type ResultDay } from './results-days.ts';
import { FilterMask, createTest, noFilters, type ResultFilters } from './results-filter.ts';
import { createCompare, sortRows, sortRowsIn, type ResultOrder } from './results-order.ts';
import type { SlicedWork } from './results-slices.ts';
import { ResultTable } from './results-table.ts';

/** How rows are to be shown. */
export interface ViewWish {
  filters: ResultFilters;
  order: ResultOrder;
  isByDay: boolean;
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

/** The order in which the catalog gave the rows. */
export const catalogOrder: ResultOrder = { column: null, isDescending: false };

/** The view of no rows. */
export function createEmptyView(): ResultsView {
  return {
    wish: { filters: noFilters, order: catalogOrder, isByDay: false },
    table: new ResultTable(),
    rowCount: 0,
    mask: new FilterMask(),
    sorted: null,
    indexes: new Uint32Array(0),
    shown: [],
    days: [],
  };
}

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
    const index = sorted?.[place] ?? (isReversed ? rowCount - 1 - place : place);
    if (mask.passes(index, 0)) passing[count++] = index;
    if (place % stride === 0) yield;
  }
  const flat = passing.subarray(0, count);
  const { indexes, days } = wish.isByDay ? yield* groupByDay(table, flat) : { indexes: flat, days: [] };
  const shown = yield* pickRows(table, indexes, before);
  return { wish, table, rowCount, mask, sorted, indexes, shown, days };
}

/** The rows of indexes; the earlier array when they are the same, since a new one is drawn anew on the map. */
function* pickRows(
  table: ResultTable,
  indexes: Uint32Array,
  before: ResultsView | null,
): SlicedWork<readonly ItemRow[]> {
  if (before && isSame(before.indexes, indexes)) return before.shown;
  const shown = new Array<ItemRow>(indexes.length);
  for (const [position, index] of indexes.entries()) {
    const row = table.rows[index];
    if (row) shown[position] = row;
    if (position % stride === 0) yield;
  }
  return shown;
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
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
  const sorted = before?.sorted ?? null;
  const order = before?.wish.order;
  if (sorted === null || order?.column !== name || order.isDescending !== isDescending) {
    return yield* sortRows(count, compare);
  }
  return sorted.length === count ? sorted : yield* sortRowsIn(sorted, count, compare);
}

/** Whether a view depends on a column, so that new values in it make another view. */
export function dependsOn({ filters, order }: ViewWish, column: string): boolean {
  return order.column === column || filters.has(column);
}
