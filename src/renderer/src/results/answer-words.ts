import { formatLongDate, splitUtc } from '../format/format-time.ts';
import type { SearchResult } from '../state/search-state.svelte.ts';

type Coverage = NonNullable<SearchResult['coverage']>;

/** `14:02 UTC` of today, `18 November 2026, 14:02 UTC` of another day. */
export function formatMoment(timestamp: string, now: Date): string {
  const parts = splitUtc(timestamp);
  if (!parts) return 'an unknown time';
  const clock = `${parts.time.slice(0, 5)} UTC`;
  return parts.date === now.toISOString().slice(0, 10) ? clock : `${formatLongDate(parts.date)}, ${clock}`;
}

/** When a past search was made: `today at 14:02 UTC`, `on 18 November 2026, 14:02 UTC`. */
export function describePast(timestamp: string, now: Date): string {
  const moment = formatMoment(timestamp, now);
  return moment.includes(',') ? `on ${moment}` : `today at ${moment}`;
}

/** When what the library answers came from the catalog. */
export function describeAge(
  { asOf, oldestAsOf }: Pick<SearchResult, 'asOf' | 'oldestAsOf'>,
  now: Date,
): string {
  const [newest, oldest] = [splitUtc(asOf), splitUtc(oldestAsOf)];
  if (!newest || !oldest || newest.date === oldest.date) return `as of ${formatMoment(asOf, now)}`;
  return `fetched from ${formatLongDate(oldest.date)} to ${formatLongDate(newest.date)}`;
}

/** What is known to be complete of an answer of the library: all of it, in a few words, or a sentence about what isn't. */
export function describeCoverage(
  coverage: Coverage,
  { titleOf, now }: { titleOf: (collectionId: string) => string; now: Date },
): { isComplete: boolean; words: string } {
  const known = coverage.filter(({ asOf }) => asOf !== null);
  const dates = known.flatMap(({ asOf }) => (asOf === null ? [] : [asOf]));
  const oldest = dates.toSorted()[0];
  if (oldest === undefined)
    return { isComplete: false, words: 'May be incomplete: only what was seen is here.' };
  const asOf = `complete as of ${formatMoment(oldest, now)}`;
  if (known.length === coverage.length) return { isComplete: true, words: asOf };
  const names = (parts: Coverage): string =>
    parts.map(({ collectionId }) => titleOf(collectionId ?? '')).join(', ');
  const rest = coverage.filter((part) => part.asOf === null);
  return {
    isComplete: false,
    words: `${names(known)}: ${asOf}. ${names(rest)}: only what was seen is here.`,
  };
}
