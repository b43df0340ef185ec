import type { DatetimeInterval } from '../../stac/datetime-interval.ts';
import { geometryOfBox } from '../../geo/box-geometry.ts';
import { toBbox } from '../../stac/bbox.ts';
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
  /**
   * The same for all whose outline reaches into the place. A box asks for Items' boxes, which may reach where no outline
   * does: of a box within a shape that was fetched, only the outlines are known to be all here.
   */
  outlinesAsOfMs: number | null;
}

/**
 * Whether all that a catalog has for a question is known to be here: as of when for each of its collections. A part is
 * complete where one complete record covers it, or several one after the other in time; then the oldest of these tells
 * as of when.
 */
export function findCoverage(question: SearchQuery, records: readonly CompleteRecord[]): CoverageOfPart[] {
  const { collections = [] } = question;
  const ids = collections.length > 0 ? [...new Set(collections)] : [null];
  const asked = findEach(question, { ids, records });
  const byOutline = asked.includes(null) ? toQuestionOfOutlines(question) : null;
  const outlines = byOutline && findEach(byOutline, { ids, records });
  return ids.map((collectionId, index) => {
    const asOfMs = asked[index] ?? null;
    return { collectionId, asOfMs, outlinesAsOfMs: asOfMs ?? outlines?.[index] ?? null };
  });
}

function findEach(
  question: SearchQuery,
  { ids, records }: { ids: readonly (string | null)[]; records: readonly CompleteRecord[] },
): (number | null)[] {
  const fitting = records.filter(({ query }) => coversButTime(query, question));
  return ids.map((collectionId) => {
    const asked = collectionId === null ? undefined : [collectionId];
    const ofPart = fitting.filter(({ query }) => coversCollections(query, asked));
    return findAsOf(timeOf(question), ofPart);
  });
}

function toQuestionOfOutlines({ bbox, ...rest }: SearchQuery): SearchQuery | null {
  const box = toBbox(bbox);
  return box && { ...rest, intersects: geometryOfBox(box) as NonNullable<SearchQuery['intersects']> };
}

/** As of when a whole question is known to be answered; null where a part of it isn't. */
export function completeAsOf(parts: readonly CoverageOfPart[]): number | null {
  return oldestOf(parts.map(({ asOfMs }) => asOfMs));
}

/** The same for all whose outline reaches into the place. */
export function outlinesCompleteAsOf(parts: readonly CoverageOfPart[]): number | null {
  return oldestOf(parts.map(({ outlinesAsOfMs }) => outlinesAsOfMs));
}

function oldestOf(dates: readonly (number | null)[]): number | null {
  const known = dates.filter((date) => date !== null);
  return known.length === dates.length && known.length > 0 ? Math.min(...known) : null;
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
    if (end < asked.start) continue;
    if (start > (reached ?? asked.start)) break;
    reached = Math.max(reached ?? end, end);
  }
  return reached !== null && reached >= asked.end;
}
