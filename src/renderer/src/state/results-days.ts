import type { CountedRows } from './results-facets.ts';
import type { ResultTable } from './results-table.ts';
import type { SlicedWork } from './results-slices.ts';

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

interface OpenDay {
  count: number;
  next: number;
  minCloud: number;
  maxCloud: number;
}

/** Rows looked at before others have their turn. */
const stride = 4096;

/** Rows by day. Days stand in the order of their first rows; within a day the order is kept. */
export function* groupByDay(
  table: ResultTable,
  flat: Uint32Array,
): SlicedWork<{ indexes: Uint32Array; days: ResultDay[] }> {
  const open = new Map<number, OpenDay>();
  for (const [position, index] of flat.entries()) {
    addToDay(open, table, index);
    if (position % stride === 0) yield;
  }
  const days = closeDays(open, table);
  const indexes = new Uint32Array(flat.length);
  for (const [position, index] of flat.entries()) {
    const day = open.get(keyOf(table, index));
    if (day) indexes[day.next++] = index;
    if (position % stride === 0) yield;
  }
  return { indexes, days };
}

/** Row indexes of each day, of the rows that pass. */
export function rowsByDay(table: ResultTable, { count, passes }: CountedRows): Map<string, Uint32Array> {
  const byDay = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const day = table.day.at(index);
    if (day === null || !passes(index)) continue;
    const indexes = byDay.get(day);
    if (indexes) indexes.push(index);
    else byDay.set(day, [index]);
  }
  return new Map([...byDay].map(([day, indexes]) => [day, Uint32Array.from(indexes)]));
}

function addToDay(open: Map<number, OpenDay>, table: ResultTable, index: number): void {
  const key = keyOf(table, index);
  let day = open.get(key);
  if (!day) {
    day = { count: 0, next: 0, minCloud: Infinity, maxCloud: -Infinity };
    open.set(key, day);
  }
  day.count += 1;
  const cloud = table.cloud.at(index);
  if (cloud < day.minCloud) day.minCloud = cloud;
  if (cloud > day.maxCloud) day.maxCloud = cloud;
}

function closeDays(open: ReadonlyMap<number, OpenDay>, table: ResultTable): ResultDay[] {
  let start = 0;
  return [...open].map(([key, day]) => {
    const { count, minCloud, maxCloud } = day;
    const hasCloud = minCloud <= maxCloud;
    day.next = start;
    start += count;
    return {
      day: table.day.texts[key] ?? null,
      start: day.next,
      count,
      minCloud: hasCloud ? minCloud : null,
      maxCloud: hasCloud ? maxCloud : null,
    };
  });
}

// NaN is one key in a Map, whatever it is for `===`.
function keyOf(table: ResultTable, index: number): number {
  return table.day.codeAt(index);
}
