import { splitUtc } from '../format/format-time.ts';
import { builtIn } from '../state/results-table.ts';
import { formatColumnNumber, formatColumnText } from './column-words.ts';
import { formatPercent } from './format-percent.ts';

/** Columns that a table can always have, in the order in which they are offered. */
export const usualColumns: readonly string[] = [
  builtIn.time,
  builtIn.id,
  builtIn.collection,
  builtIn.cloud,
  builtIn.coverage,
  builtIn.platform,
];

const widths = new Map<string, number>([
  [builtIn.time, 158],
  [builtIn.id, 300],
  [builtIn.collection, 180],
  [builtIn.cloud, 104],
  [builtIn.coverage, 96],
]);

/** Width of a column in pixels. */
export function widthOf(column: string): number {
  return widths.get(column) ?? 132;
}

const coverages: readonly string[] = [builtIn.coverage, builtIn.dayCoverage];

/** A cell as it is shown. */
export function formatCell(
  column: string,
  value: string | number | null,
  titleOf: (collectionId: string) => string,
): string {
  if (value === null) return '—';
  if (column === builtIn.time && typeof value === 'number') {
    const parts = splitUtc(new Date(value).toISOString());
    return parts ? `${parts.date} ${parts.time}` : '—';
  }
  if (typeof value === 'number' && coverages.includes(column)) return formatPercent(value);
  if (typeof value === 'number') return formatColumnNumber(column, value);
  return formatColumnText(column, value, titleOf);
}
