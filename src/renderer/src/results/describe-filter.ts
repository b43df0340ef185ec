import { splitUtc } from '../format/format-time.ts';
import type { ResultFilter } from '../state/results-filter.ts';
import { builtIn } from '../state/results-table.ts';
import { formatColumnNumber, formatColumnText, nameColumn } from './column-words.ts';

/** Texts that are named one by one; more are counted. */
const maxNamed = 1;

/** A condition in a few words: `Coverage ≥ 60 %`, `Platform: sentinel-2a`, `Month: 3 of them`. */
export function describeFilter(
  column: string,
  filter: ResultFilter,
  titleOf: (collectionId: string) => string,
): string {
  const name = nameColumn(column);
  if (filter.kind === 'choice') {
    const [first = null] = filter.texts;
    if (filter.texts.length > maxNamed) return `${name}: ${filter.texts.length} chosen`;
    return `${name}: ${formatColumnText(column, first, titleOf)}`;
  }
  const { min, max } = filter;
  if (column === builtIn.time) return describeSpan(min, max);
  const format = (value: number): string => formatColumnNumber(column, value);
  if (min !== null && max !== null) return `${name} ${format(min)} – ${format(max)}`;
  if (min !== null) return `${name} ≥ ${format(min)}`;
  return max === null ? name : `${name} ≤ ${format(max)}`;
}

function describeSpan(min: number | null, max: number | null): string {
  const [first, last] = [toDay(min), toDay(max)];
  if (first !== null && last !== null) return `${first} – ${last}`;
  if (first !== null) return `From ${first}`;
  return last === null ? nameColumn(builtIn.time) : `Until ${last}`;
}

function toDay(epochMs: number | null): string | null {
  return epochMs === null ? null : (splitUtc(new Date(epochMs).toISOString())?.date ?? null);
}
