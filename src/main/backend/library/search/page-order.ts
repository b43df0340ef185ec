import type { Database } from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { Matches, MatchSieve } from './decider.ts';
import { createRun } from './order-runs.ts';
import { OrderWalk } from './order-walk.ts';
import { comesBefore, sortColumn, toOrderBy, type RowPosition, type SortOrder } from './sort-order.ts';

/** More Items than this are not sorted by SQLite. */
const maxSorted = 5000;

/** Where a page begins, and how many Items it has. */
export interface PageWish {
  order: SortOrder;
  after: RowPosition | null;
  limit: number;
}

/** The first Items of a page, by row number in order, out of matches in no order. */
export function orderPage(database: Database, matches: Matches, wish: PageWish): number[] {
  const { order, after, limit } = wish;
  const { pks: near, sortValues } = nearest(matches, wish);
  if (near.length > maxSorted) return pickInOrder(database, { pks: near, sortValues }, wish);
  const told = orderByValues({ pks: near, sortValues }, wish);
  if (told) return told;
  // All that come before by their value are out already.
  const condition = `(${sortColumn(order)} <> ? OR (item.id, item.collection_pk) > (?, ?))`;
  const parameters = after ? [after.sortValue, after.id, after.collectionPk] : [];
  const sql = `SELECT item.pk FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value
     ${after ? `WHERE ${condition}` : ''} ${toOrderBy(order)} LIMIT ${limit}`;
  return prepared<(string | number)[], number>(database, sql)
    .pluck()
    .all(JSON.stringify(near), ...parameters);
}

// Null where Items of the page have the same value: then their ids tell, which have to be read.
function orderByValues({ pks, sortValues }: Matches, { order, after, limit }: PageWish): number[] | null {
  const valueAt = (place: number) => sortValues[place] ?? NaN;
  const sign = order.direction === 'desc' ? -1 : 1;
  const places = Array.from(pks.keys()).sort((a, b) => sign * (valueAt(a) - valueAt(b)));
  const hasTie = places
    .slice(0, limit)
    .some((place, index) => valueAt(place) === valueAt(places[index + 1] ?? -1));
  if (hasTie || (after && sortValues.includes(after.sortValue))) return null;
  return places.slice(0, limit).map((place) => pks[place] ?? -1);
}

// Thousands have the same value: they are met in the order of the index of ids.
function pickInOrder(database: Database, matches: Matches, { order, after, limit }: PageWish): number[] {
  const placed = matches.pks.map((pk, index) => [pk, matches.sortValues[index] ?? NaN] as const);
  const valueByPk = new Map(placed);
  const sortValueOf = (pk: number) => valueByPk.get(pk) ?? NaN;
  const runs = [createRun(placed)];
  const walk = new OrderWalk(database, { runs, order, after, collectionPk: null, sortValueOf });
  const picked: number[] = [];
  while (!walk.isAtEnd && picked.length < limit) picked.push(...walk.next(limit));
  return picked.slice(0, limit);
}

/**
 * Of some Items those among which the page is, if all of them match: none that is left out comes before one that is in.
 * `last` is the value that none of the page comes after; null where none that is left out comes after these.
 */
export function nearest({ pks, sortValues }: Matches, wish: PageWish): Matches & { last: number | null } {
  const { order, after } = wish;
  const isPast = (value: number) => after !== null && comesBefore(order, value, after.sortValue);
  const last = findLast(sortValues, wish);
  const near: Matches = { pks: [], sortValues: [] };
  for (const [index, pk] of pks.entries()) {
    const value = sortValues[index] ?? NaN;
    if (isPast(value) || (last !== null && comesBefore(order, last, value))) continue;
    near.pks.push(pk);
    near.sortValues.push(value);
  }
  return { ...near, last };
}

/** Leaves out what comes after the page, as far as the matches so far tell. */
export function createPageSieve(wish: PageWish): MatchSieve {
  const sign = wish.order.direction === 'desc' ? -1 : 1;
  let last = Infinity;
  return {
    isOut: (sortValue) => sign * sortValue > last,
    thin(matches) {
      const near = nearest(matches, wish);
      if (near.last !== null) last = sign * near.last;
      return near;
    },
  };
}

// The value that no Item of the page comes after; null where all that there are may be on the page.
function findLast(sortValues: readonly number[], { order, after, limit }: PageWish): number | null {
  const sign = order.direction === 'desc' ? -1 : 1;
  const start = after === null ? -Infinity : sign * after.sortValue;
  // The best so far, ascending. Those that tie with the position may be before it, and don't count.
  const best: number[] = [];
  let worst = Infinity;
  for (const sortValue of sortValues) {
    const value = sign * sortValue;
    if (value <= start || value >= worst) continue;
    best.splice(findPlace(best, value), 0, value);
    if (best.length > limit) best.pop();
    if (best.length === limit) worst = best[limit - 1] ?? Infinity;
  }
  return best.length < limit ? null : sign * worst;
}

function findPlace(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
