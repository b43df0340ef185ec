import { splitWhen, type RowTime } from '../format/split-when.ts';
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
  [builtIn.time, 180],
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

/** A cell of a row as it is shown. */
export function formatCell(
  { column, row }: { column: string; row: RowTime },
  value: string | number | null,
  titleOf: (collectionId: string) => string,
): string {
  if (column === builtIn.time) return formatWhen(row);
  if (value === null) return '—';
  if (typeof value === 'number' && coverages.includes(column)) return formatPercent(value);
  if (typeof value === 'number') return formatColumnNumber(column, value);
  return formatColumnText(column, value, titleOf);
}

function formatWhen(row: RowTime): string {
  const when = splitWhen(row);
  return when ? [when.date, when.time].filter((part) => part !== null).join(' ') : '—';
}
