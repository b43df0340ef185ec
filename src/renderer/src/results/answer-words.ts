import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatLongDate, splitUtc } from '../format/format-time.ts';
import type { EvictedAnswer, SearchResult } from '../state/search-state.svelte.ts';

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

/** How much of a past search was evicted: `172 of its 183 items are no longer here: they were evicted.` */
export function describeEvicted({ count, evictedCount }: EvictedAnswer): string {
  const all = count === null ? 'the items that it brought' : `its ${formatPlural(count, 'item')}`;
  const fate = evictedCount === 1 ? 'is no longer here: it was' : 'are no longer here: they were';
  return `${formatCount(evictedCount)} of ${all} ${fate} evicted.`;
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

/** What is not known of a box within a shape that was fetched. */
const butForBoxes = 'but for items whose bounding box alone reaches into the area, not their footprint';

/** What is known to be complete of an answer of the library: all of it, in a few words, or a sentence about what isn't. */
export function describeCoverage(
  coverage: Coverage,
  { titleOf, now }: { titleOf: (collectionId: string) => string; now: Date },
): { isComplete: boolean; words: string } {
  const known = coverage.filter(({ asOf }) => asOf !== null);
  const outlined = coverage.filter(({ asOf, outlinesAsOf }) => asOf === null && outlinesAsOf !== null);
  const rest = coverage.filter(({ outlinesAsOf }) => outlinesAsOf === null);
  const asOf = (parts: Coverage): string => {
    const [oldest = ''] = parts.map((part) => part.outlinesAsOf ?? '').sort();
    return `complete as of ${formatMoment(oldest, now)}`;
  };
  if (rest.length === coverage.length)
    return { isComplete: false, words: 'May be incomplete: only what was seen is here.' };
  if (known.length === coverage.length) return { isComplete: true, words: asOf(known) };
  const said = [
    { parts: known, words: () => `${asOf(known)}.` },
    { parts: outlined, words: () => `${asOf(outlined)}, ${butForBoxes}.` },
    { parts: rest, words: () => 'only what was seen is here.' },
  ].filter(({ parts }) => parts.length > 0);
  const sentences = said.map(({ parts, words }) =>
    said.length === 1
      ? toSentence(words())
      : `${parts.map(({ collectionId }) => titleOf(collectionId ?? '')).join(', ')}: ${words()}`,
  );
  return { isComplete: false, words: sentences.join(' ') };
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
