import type { Column, TextColumn } from './results-columns.ts';
import type { SlicedWork } from './results-slices.ts';

/** What rows are ordered by; the name null is the catalog's own order. */
export interface ResultOrder {
  column: string | null;
  isDescending: boolean;
}

/** Compares two rows by their index. */
export type CompareRows = (a: number, b: number) => number;

/** Rows sorted at once before they are merged: well below a millisecond. */
const runLength = 512;

/** Different texts that are put in the order of the language, all in one go. */
const maxRanked = 500;

/** Puts rows in order by a column. Rows without a value come last both ways; equal ones stay as the catalog gave them. */
export function createCompare(column: Column, isDescending: boolean): CompareRows {
  const sign = isDescending ? -1 : 1;
  if (column.kind === 'text' && column.texts.length > maxRanked) return createTextCompare(column, sign);
  const rankOf = column.kind === 'number' ? (index: number) => column.at(index) : createRank(column);
  return (a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    if (left === right) return a - b;
    if (Number.isNaN(left)) return Number.isNaN(right) ? a - b : 1;
    if (Number.isNaN(right)) return -1;
    return sign * (left - right);
  };
}

// Ids: they are many, and so alike that the order of their characters is the order people expect.
function createTextCompare(column: TextColumn, sign: number): CompareRows {
  return (a, b) => {
    const [left, right] = [column.at(a), column.at(b)];
    if (left === right) return a - b;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -sign : sign;
  };
}

/** Texts compared once, so that comparing rows is comparing numbers. */
function createRank(column: TextColumn): (index: number) => number {
  const collator = new Intl.Collator('en', { numeric: true });
  const places = column.texts
    .map((text, code) => ({ text, code }))
    .sort((a, b) => collator.compare(a.text, b.text));
  const ranks = new Float64Array(places.length);
  for (const [rank, { code }] of places.entries()) ranks[code] = rank;
  return (index) => {
    const code = column.codeAt(index);
    return Number.isNaN(code) ? NaN : (ranks[code] ?? NaN);
  };
}

/** Row indexes in order, by a merge sort that gives way. */
export function* sortRows(count: number, compare: CompareRows): SlicedWork<Uint32Array> {
  let sorted = new Uint32Array(count);
  for (let index = 0; index < count; index++) sorted[index] = index;
  yield;
  for (let from = 0; from < count; from += runLength) {
    sorted.subarray(from, from + runLength).sort(compare);
    yield;
  }
  let spare = new Uint32Array(count);
  for (let width = runLength; width < count; width *= 2) {
    for (let from = 0; from < count; from += width * 2) {
      yield* mergeRuns(
        { source: sorted, target: spare, compare },
        { from, middle: from + width, to: from + width * 2 },
      );
    }
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
}

/** Puts rows that were added since into an order that was made of the first ones. */
export function* sortRowsIn(
  before: Uint32Array,
  count: number,
  compare: CompareRows,
): SlicedWork<Uint32Array> {
  const joined = new Uint32Array(count);
  joined.set(before);
  const added = yield* sortRows(count - before.length, (a, b) =>
    compare(a + before.length, b + before.length),
  );
  for (const [place, index] of added.entries()) joined[before.length + place] = index + before.length;
  const sorted = new Uint32Array(count);
  yield* mergeRuns(
    { source: joined, target: sorted, compare },
    { from: 0, middle: before.length, to: count },
  );
  return sorted;
}

function* mergeRuns(
  { source, target, compare }: { source: Uint32Array; target: Uint32Array; compare: CompareRows },
  run: { from: number; middle: number; to: number },
): SlicedWork<void> {
  const middle = Math.min(run.middle, source.length);
  const end = Math.min(run.to, source.length);
  let left = run.from;
  let right = middle;
  for (let at = run.from; at < end; at++) {
    const [a, b] = [source[left] ?? 0, source[right] ?? 0];
    const takesLeft = left < middle && (right >= end || compare(a, b) <= 0);
    target[at] = takesLeft ? a : b;
    if (takesLeft) left += 1;
    else right += 1;
    if (at % runLength === 0) yield;
  }
}
