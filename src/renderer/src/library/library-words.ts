import { formatClock, formatLongDate, splitUtc } from '../format/format-time.ts';
import type { CollectionOverview } from '../state/library-state.svelte.ts';

/** When a collection's items were fetched: `fetched 14:02 UTC`, `fetched 3 March 2026 to today, 14:02 UTC`. */
export function describeFetches(
  { oldestFetch, newestFetch }: Pick<CollectionOverview, 'oldestFetch' | 'newestFetch'>,
  now: Date,
): string {
  const [oldest, newest] = [splitUtc(oldestFetch)?.date, splitUtc(newestFetch)?.date];
  if (oldest === undefined || newest === undefined || oldest === newest) {
    return `Fetched ${describeMoment(newestFetch, now)}`;
  }
  return `Fetched from ${formatLongDate(oldest)} to ${describeMoment(newestFetch, now)}`;
}

/** What is known of whether all there is is here. */
export function describeCompleteness(completeAsOf: string | null, now: Date): string {
  return completeAsOf === null
    ? 'What was seen; not known to be all there is'
    : `Complete as of ${describeMoment(completeAsOf, now)}`;
}

/** `today, 14:02 UTC`, or `3 March 2026`. */
export function describeMoment(timestamp: string, now: Date): string {
  const parts = splitUtc(timestamp);
  if (!parts) return 'at an unknown time';
  const isToday = parts.date === now.toISOString().slice(0, 10);
  return isToday ? `today, ${formatClock(timestamp, now)}` : formatLongDate(parts.date);
}
