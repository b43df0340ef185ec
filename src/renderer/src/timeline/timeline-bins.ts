import type { NumberColumn, TextColumn } from '../state/results-columns.ts';
import type { CountedRows } from '../state/results-facets.ts';

/** What one bar stands for. */
export type TimelineUnit = 'day' | 'week' | 'month' | 'year';

/** Rows by time and by collection. */
export interface TimelineBins {
  unit: TimelineUnit;
  /** Epoch milliseconds at which the bars begin, and at which the last one ends: one more than there are bars. */
  edges: readonly number[];
  collectionIds: readonly string[];
  /** For each of these collections its rows in each bar. */
  counts: readonly (readonly number[])[];
  /** Rows of the fullest bar. */
  tallest: number;
}

const dayMs = 86_400_000;

/** Days up to which a unit is the finest that still makes bars wide enough to see. */
const limits: readonly { unit: TimelineUnit; maxDays: number }[] = [
  { unit: 'day', maxDays: 130 },
  { unit: 'week', maxDays: 900 },
  { unit: 'month', maxDays: 4500 },
];

/** Most bars that are drawn; years beyond are left out. */
const maxBins = 400;

/** The finest unit for a span of time. */
export function chooseUnit(spanMs: number): TimelineUnit {
  return limits.find(({ maxDays }) => spanMs <= maxDays * dayMs)?.unit ?? 'year';
}

/** The start in UTC of the unit that a time lies in; weeks begin on Monday. */
export function startOf(unit: TimelineUnit, epochMs: number): number {
  const date = new Date(epochMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'year') return Date.UTC(year, 0, 1);
  if (unit === 'month') return Date.UTC(year, month, 1);
  const day = Date.UTC(year, month, date.getUTCDate());
  return unit === 'day' ? day : day - ((date.getUTCDay() + 6) % 7) * dayMs;
}

/** The start of the unit after the one that begins at `startMs`. */
export function nextStart(unit: TimelineUnit, startMs: number): number {
  if (unit === 'day') return startMs + dayMs;
  if (unit === 'week') return startMs + 7 * dayMs;
  const date = new Date(startMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return unit === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year + 1, 0, 1);
}

/** The bars of rows that pass. The span is that of all rows, so that it stays while filters change. Null without dates. */
export function toBins(
  { time, collection }: { time: NumberColumn; collection: TextColumn },
  rows: CountedRows,
): TimelineBins | null {
  const [first, last] = spanOf(time, rows.count);
  if (first > last) return null;
  const unit = chooseUnit(last - first);
  const edges = toEdges(unit, first, last);
  const counts = collection.texts.map(() => new Array<number>(edges.length - 1).fill(0));
  for (let index = 0; index < rows.count; index++) {
    const bar = rows.passes(index) ? findBar(edges, time.at(index)) : -1;
    const bars = counts[collection.codeAt(index)];
    if (bar >= 0 && bars?.[bar] !== undefined) bars[bar] += 1;
  }
  const totals = edges.slice(1).map((_, bar) => counts.reduce((sum, bars) => sum + (bars[bar] ?? 0), 0));
  return { unit, edges, collectionIds: [...collection.texts], counts, tallest: Math.max(1, ...totals) };
}

/** The bar that a time lies in; -1 for none. */
export function findBar(edges: readonly number[], epochMs: number): number {
  if (!(epochMs >= (edges[0] ?? Infinity) && epochMs < (edges.at(-1) ?? -Infinity))) return -1;
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] ?? Infinity) <= epochMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many rows pass, and on how many different days in UTC. */
export function countDays(time: NumberColumn, rows: CountedRows): { rowCount: number; dayCount: number } {
  const days = new Set<number>();
  let rowCount = 0;
  for (let index = 0; index < rows.count; index++) {
    const value = time.at(index);
    if (Number.isNaN(value) || !rows.passes(index)) continue;
    rowCount += 1;
    days.add(Math.floor(value / dayMs));
  }
  return { rowCount, dayCount: days.size };
}

function spanOf(time: NumberColumn, count: number): [first: number, last: number] {
  let first = Infinity;
  let last = -Infinity;
  for (let index = 0; index < count; index++) {
    const value = time.at(index);
    if (value < first) first = value;
    if (value > last) last = value;
  }
  return [first, last];
}

function toEdges(unit: TimelineUnit, first: number, last: number): number[] {
  const edges = [startOf(unit, first)];
  for (let end = edges[0] ?? first; end <= last && edges.length <= maxBins;) {
    end = nextStart(unit, end);
    edges.push(end);
  }
  return edges;
}
