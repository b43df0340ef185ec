import type { DatetimeInterval } from '../../stac/datetime-interval.ts';
import type { SearchQuery } from '../search-query.ts';
import { coversButTime, coversCollections, timeOf } from './covers-question.ts';

/** A search that brought all there was to its question. */
export interface CompleteRecord {
  query: SearchQuery;
  /** When the catalog answered, in milliseconds since 1970 UTC. */
  fetchedAtMs: number;
}

/** What is known of one part of a question. */
export interface CoverageOfPart {
  /** Null for all collections at once. */
  collectionId: string | null;
  /** As of when all of it is here; null where only what happened to be seen is. */
  asOfMs: number | null;
}

/**
 * Whether all that a catalog has for a question is known to be here: as of when for each of its collections. A part is
 * complete where one complete record covers it, or several one after the other in time; then the oldest of these tells
 * as of when.
 */
export function findCoverage(question: SearchQuery, records: readonly CompleteRecord[]): CoverageOfPart[] {
  const fitting = records.filter(({ query }) => coversButTime(query, question));
  const { collections = [] } = question;
  const parts = collections.length > 0 ? [...new Set(collections)] : [null];
  return parts.map((collectionId) => {
    const asked = collectionId === null ? undefined : [collectionId];
    const ofPart = fitting.filter(({ query }) => coversCollections(query, asked));
    return { collectionId, asOfMs: findAsOf(timeOf(question), ofPart) };
  });
}

/** As of when a whole question is known to be answered; null where a part of it isn't. */
export function completeAsOf(parts: readonly CoverageOfPart[]): number | null {
  const known = parts.map(({ asOfMs }) => asOfMs).filter((asOfMs) => asOfMs !== null);
  return known.length === parts.length && known.length > 0 ? Math.min(...known) : null;
}

/** A moment far outside of what can be asked, for an end that is open. */
const endless = Number.MAX_SAFE_INTEGER;

function findAsOf(asked: DatetimeInterval | null, records: readonly CompleteRecord[]): number | null {
  const spans = records.flatMap(({ query, fetchedAtMs }) => {
    const time = timeOf(query);
    // Items without any time are in no span of time.
    if (!asked && time) return [];
    return [{ start: time?.startMicros ?? -endless, end: time?.endMicros ?? endless, fetchedAtMs }];
  });
  const start = asked?.startMicros ?? -endless;
  const end = asked?.endMicros ?? endless;
  // The newest records first: whichever date makes the chain whole is the best there is.
  const dates = [...new Set(spans.map(({ fetchedAtMs }) => fetchedAtMs))].sort((a, b) => b - a);
  return binaryFind(dates, (asOfMs) =>
    isCovered(
      { start, end },
      spans.filter((span) => span.fetchedAtMs >= asOfMs),
    ),
  );
}

// With every older record more is covered, never less.
function binaryFind(dates: readonly number[], isEnough: (asOfMs: number) => boolean): number | null {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(dates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return dates[low] ?? null;
}

function isCovered(
  asked: { start: number; end: number },
  spans: readonly { start: number; end: number }[],
): boolean {
  let reached: number | null = null;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > (reached ?? asked.start)) break;
    reached = Math.max(reached ?? end, end);
  }
  return reached !== null && reached >= asked.end;
}
