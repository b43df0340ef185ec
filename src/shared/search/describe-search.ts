import { areaKm2OfBbox, areaKm2OfGeometry } from '../geo/measure-area.ts';
import { toBbox } from '../stac/bbox.ts';
import type { LocalFilter } from './local-filter.ts';
import type { Operand, SearchQuery } from './search-query.ts';

/** What a question's words depend on beside itself. */
export interface SearchWords {
  localFilter?: LocalFilter | null;
  /** What a collection is called; its id where nobody knows better. */
  titleOf?: (collectionId: string) => string;
  /** The words of its place, where the question comes without its area. */
  place?: string | null;
}

const cloudCover = 'eo:cloud_cover';
const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const signs: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '≠',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  in: 'in',
};

/** A question in words, one part a member: `Landsat`, `2026-05-01 – 2026-05-31`, `1,240 km²`, `cloud < 30 %`. */
export function describeSearch(query: SearchQuery, words: SearchWords = {}): string[] {
  const { localFilter = null, titleOf = (id) => id, place = describePlace(query) } = words;
  const parts = [
    describeCollections(query.collections ?? [], titleOf),
    describeIds(query.ids ?? []),
    describeDatetime(query.datetime),
    place,
    ...describeConditions(query, localFilter),
    ...(query.sortby ?? []).map(describeOrder),
    query.fields ? 'chosen fields' : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? ['Everything'] : parts;
}

function describeCollections(ids: readonly string[], titleOf: (id: string) => string): string | null {
  if (ids.length === 0) return null;
  return ids.length <= 2 ? ids.map(titleOf).join(', ') : `${String(ids.length)} collections`;
}

function describeIds(ids: readonly string[]): string | null {
  const [first] = ids;
  if (first === undefined) return null;
  return ids.length === 1 ? first : `${count.format(ids.length)} items by id`;
}

// Whole days in UTC are named by their dates.
function describeDatetime(datetime: string | undefined): string | null {
  if (datetime === undefined) return null;
  const [start = '', end = ''] = datetime.includes('/')
    ? datetime.split('/')
    : datetime.includes('..')
      ? datetime.split('..')
      : [datetime, datetime];
  const [from, to] = [toDay(start, /T00:00:00(?:\.0+)?Z$/), toDay(end, /T23:59:59(?:\.9+)?Z$/)];
  if (from === to) return from;
  if (from === '') return `until ${to}`;
  return to === '' ? `from ${from}` : `${from} – ${to}`;
}

function toDay(end: string, edgeOfDay: RegExp): string {
  return end === '..' ? '' : end.replace(edgeOfDay, '');
}

/** The place of a question in words; null where it has none. */
export function describePlace({ bbox, intersects }: SearchQuery): string | null {
  if (bbox) {
    const box = toBbox(bbox);
    return box && `box of ${formatKm2(areaKm2OfBbox(box))}`;
  }
  if (!intersects) return null;
  if (intersects.type === 'Point') return 'at a point';
  const km2 = areaKm2OfGeometry(intersects);
  return km2 > 0 ? `area of ${formatKm2(km2)}` : 'along a shape';
}

function formatKm2(km2: number): string {
  return `${km2 < 10 ? small.format(km2) : count.format(km2)} km²`;
}

function describeConditions({ query = {} }: SearchQuery, localFilter: LocalFilter | null): string[] {
  const asked = Object.entries(query).flatMap(([property, tests]) =>
    Object.entries(tests).map(([operator, operand]) => describeTest(property, operator, operand)),
  );
  return localFilter ? [...asked, `cloud < ${String(localFilter.cloudCoverBelow)} % or unknown`] : asked;
}

function describeTest(property: string, operator: string, operand: Operand): string {
  if (typeof operand === 'boolean' && operator === 'eq') return operand ? property : `not ${property}`;
  const isCloud = property === cloudCover;
  const value = Array.isArray(operand) ? operand.join(', ') : String(operand);
  return `${isCloud ? 'cloud' : property} ${signs[operator] ?? operator} ${value}${isCloud ? ' %' : ''}`;
}

function describeOrder({ field, direction }: { field: string; direction: 'asc' | 'desc' }): string {
  const name = field.replace(/^properties\./, '');
  const isUp = direction === 'asc';
  if (name === cloudCover) return isUp ? 'least cloud first' : 'most cloud first';
  if (name === 'datetime') return isUp ? 'oldest first' : 'newest first';
  return `by ${name}${isUp ? '' : ', descending'}`;
}
