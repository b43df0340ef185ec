import type { NumberColumn, TextColumn } from './results-columns.ts';

/** Rows that a facet counts: `passes` says which, `count` how many there are to ask about. */
export interface CountedRows {
  count: number;
  passes: (index: number) => boolean;
}

/** How many rows have a text; null stands for none. */
export interface TextCount {
  text: string | null;
  count: number;
}

/** Counts rows by their text. Every text that any row has is listed, so that the list doesn't jump while filters change. */
export function countTexts(column: TextColumn, rows: CountedRows): TextCount[] {
  const counts = new Uint32Array(column.texts.length);
  const present = { none: false, noneCount: 0 };
  for (let index = 0; index < rows.count; index++) {
    const code = column.codeAt(index);
    if (Number.isNaN(code)) {
      present.none = true;
      if (rows.passes(index)) present.noneCount += 1;
    } else if (rows.passes(index)) counts[code] = (counts[code] ?? 0) + 1;
  }
  const texts = column.texts.map((text, code): TextCount => ({ text, count: counts[code] ?? 0 }));
  return present.none ? [...texts, { text: null, count: present.noneCount }] : texts;
}

/** Numbers of rows in bins of equal width. */
export interface NumberHistogram {
  min: number;
  max: number;
  counts: readonly number[];
  /** Rows without a number. */
  noneCount: number;
}

/** The spread of a column's numbers over all rows, counting those that pass; null when no row has a number. */
export function countNumbers(
  column: NumberColumn,
  rows: CountedRows,
  binCount: number,
): NumberHistogram | null {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < rows.count; index++) {
    const value = column.at(index);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return null;
  const counts = Array.from({ length: binCount }, () => 0);
  const scale = max === min ? 0 : binCount / (max - min);
  let noneCount = 0;
  for (let index = 0; index < rows.count; index++) {
    if (!rows.passes(index)) continue;
    const value = column.at(index);
    if (Number.isNaN(value)) noneCount += 1;
    else {
      const bin = Math.min(binCount - 1, Math.floor((value - min) * scale));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return { min, max, counts, noneCount };
}
