import { parseDatetimeInterval, type DatetimeInterval } from '../../stac/datetime-interval.ts';
import type { SearchQuery } from '../search-query.ts';
import { impliesConditions, namesIn } from './implies-condition.ts';
import { isWithinArea } from '../../geo/is-within-area.ts';

/** Whether whatever a catalog has for a question is among what it has for a wider one. In doubt it says no. */
export function coversQuestion(wide: SearchQuery, question: SearchQuery): boolean {
  return (
    coversCollections(wide, question.collections) &&
    coversButTime(wide, question) &&
    coversTime(timeOf(wide), timeOf(question))
  );
}

/** The same without regard to time and collections. */
export function coversButTime(wide: SearchQuery, question: SearchQuery): boolean {
  const isAmongIds = !isGiven(wide.ids) || (isGiven(question.ids) && isSubset(question.ids, wide.ids));
  return (
    isAmongIds &&
    coversOrder(wide, question) &&
    keepsWhatIsAsked(wide, question) &&
    impliesConditions(question.query ?? {}, wide.query ?? {}) &&
    isWithinArea(question, wide)
  );
}

/** Whether a question's collections name all of these; undefined and none are all there are. */
export function coversCollections(wide: SearchQuery, collectionIds: readonly string[] | undefined): boolean {
  if (!isGiven(wide.collections)) return true;
  return isGiven(collectionIds) && isSubset(collectionIds, wide.collections);
}

/** The time that a question asks about; null for any, which takes in Items without a time. */
export function timeOf({ datetime }: SearchQuery): DatetimeInterval | null {
  return datetime === undefined ? null : parseDatetimeInterval(datetime);
}

function coversTime(wide: DatetimeInterval | null, asked: DatetimeInterval | null): boolean {
  if (!wide) return true;
  if (!asked) return false;
  const { startMicros, endMicros } = wide;
  const startsInTime =
    startMicros === null || (asked.startMicros !== null && startMicros <= asked.startMicros);
  return startsInTime && (endMicros === null || (asked.endMicros !== null && endMicros >= asked.endMicros));
}

// An answer in the order of a property leaves out Items that don't have it, with the service and with others.
function coversOrder({ sortby = [] }: SearchQuery, question: SearchQuery): boolean {
  const asked = new Set([...namesIn(question.query ?? {}), ...orderNames(question)]);
  return orderNames({ sortby }).every((name) => name === 'datetime' || name === 'id' || asked.has(name));
}

function orderNames({ sortby = [] }: SearchQuery): string[] {
  return sortby.map(({ field }) => field.replace(/^properties\./, ''));
}

/** What the default set of the Fields Extension has of what can be asked for. */
const defaultPaths = ['bbox', 'geometry', 'properties.datetime'];
/** Items of a span of time have no `datetime`. */
const timePaths = ['datetime', 'start_datetime', 'end_datetime'].map((name) => `properties.${name}`);

// Of Items that `fields` cut down, only what was kept can be asked here.
function keepsWhatIsAsked({ fields }: SearchQuery, question: SearchQuery): boolean {
  if (!fields) return true;
  const { include = [], exclude = [] } = fields;
  const needed = [
    ...[...namesIn(question.query ?? {}), ...orderNames(question)].map((name) => `properties.${name}`),
    ...(question.datetime === undefined ? [] : timePaths),
    // An Item without a box is found by its footprint.
    ...(question.bbox ? ['bbox', 'geometry'] : []),
    ...(question.intersects ? ['geometry'] : []),
  ];
  const isNamed = (paths: readonly string[], path: string): boolean =>
    paths.some((one) => one === path || path.startsWith(`${one}.`) || path === `properties.${one}`);
  // Fields Extension 1.0.0: an object that names nothing asks for the default set.
  const kept = include.length > 0 ? include : exclude.length > 0 ? null : defaultPaths;
  return needed.every((path) => !isNamed(exclude, path) && (kept === null || isNamed(kept, path)));
}

function isGiven(list: readonly string[] | undefined): list is readonly string[] {
  return list !== undefined && list.length > 0;
}

function isSubset(inner: readonly string[], outer: readonly string[]): boolean {
  const names = new Set(outer);
  return inner.every((one) => names.has(one));
}
