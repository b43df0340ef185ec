import type { Database } from 'better-sqlite3';
import type { Matches } from './decider.ts';
import { OrderWalk } from './order-walk.ts';
import { comesBefore, sortColumn, toOrderBy, type RowPosition, type SortOrder } from './sort-order.ts';

/** More Items than this are not sorted by SQLite. */
const maxSorted = 5000;
const batchSize = 2000;

/** Where a page begins, and how many Items it has. */
export interface PageWish {
  order: SortOrder;
  after: RowPosition | null;
  limit: number;
}

/** The first Items of a page, by row number in order, out of matches in no order. */
export function orderPage(database: Database, matches: Matches, wish: PageWish): number[] {
  const { order, after, limit } = wish;
  const { pks: near } = nearest(matches, wish);
  if (near.length > maxSorted) return pickInOrder(database, matches, wish);
  // All that come before by their value are out already.
  const condition = `(${sortColumn(order)} <> ? OR (item.id, item.collection_pk) > (?, ?))`;
  const parameters = after ? [after.sortValue, after.id, after.collectionPk] : [];
  return database
    .prepare<(string | number)[], number>(
      `SELECT item.pk FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value
       ${after ? `WHERE ${condition}` : ''} ${toOrderBy(order)} LIMIT ${limit}`,
    )
    .pluck()
    .all(JSON.stringify(near), ...parameters);
}

// Thousands have the same value: they are met in the order of the index.
function pickInOrder(
  database: Database,
  { pks, sortValues }: Matches,
  { order, after, limit }: PageWish,
): number[] {
  const valueByPk = new Map(pks.map((pk, index) => [pk, sortValues[index] ?? NaN]));
  const sortValueOf = (pk: number) => valueByPk.get(pk) ?? NaN;
  const walk = new OrderWalk(database, { order, after, collectionPk: null, sortValueOf });
  const picked: number[] = [];
  while (!walk.isAtEnd && picked.length < limit) {
    for (const pk of walk.next(batchSize)) if (valueByPk.has(pk)) picked.push(pk);
  }
  return picked.slice(0, limit);
}

/**
 * Of some Items those among which the page is, if all of them match: none that is left out comes before one that is in.
 * `isAll` says that none comes after these.
 */
export function nearest({ pks, sortValues }: Matches, wish: PageWish): { pks: number[]; isAll: boolean } {
  const { order, after } = wish;
  const isPast = (value: number) => after !== null && comesBefore(order, value, after.sortValue);
  const last = findLast(sortValues, wish);
  const near = pks.filter((_pk, index) => {
    const value = sortValues[index] ?? NaN;
    return !isPast(value) && (last === null || !comesBefore(order, last, value));
  });
  return { pks: near, isAll: last === null };
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
