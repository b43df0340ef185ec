import { parseDatetimeInterval } from '#shared/stac/datetime-interval.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { readArea, type Area } from './area.ts';
import type { ItemTest, SqlCondition } from './condition.ts';
import { readPropertyQuery, type QueryablesOf } from './property-conditions.ts';
import { readSortOrder, sortConditions, type SortOrder } from './sort-order.ts';

/** A query as SQL conditions, and as tests for what SQL can't decide. */
export interface CompiledQuery {
  conditions: SqlCondition[];
  tests: ItemTest[];
  area: Area | null;
  order: SortOrder;
  /**
   * Whether no Item can match. Then nothing is asked: SQLite's planner finds no use for an index it is told to use
   * where a condition is always false.
   */
  isImpossible: boolean;
  /** Whether ids are named, so that their index leads. */
  hasIds: boolean;
  /** Whether all matching Items are in one collection, so that its own index leads. */
  hasOneCollection: boolean;
}

interface LibraryFacts {
  collections: readonly { pk: number; id: string }[];
  queryablesOf: QueryablesOf;
}

/**
 * Compiles a query; everything in it is combined with AND.
 * @throws AppError `stac.query-rejected`, `input.invalid`
 */
export function compileQuery(query: SearchQuery, { collections, queryablesOf }: LibraryFacts): CompiledQuery {
  const order = readSortOrder(query.sortby);
  const area = readArea(query);
  const named = isGiven(query.collections) ? new Set(query.collections) : null;
  const asked = collections.filter(({ id }) => named === null || named.has(id));
  const askedIds = asked.map(({ id }) => id);
  const properties = readPropertyQuery(query.query ?? {}, askedIds, queryablesOf);
  const answering = asked.filter(({ id }) => properties.collectionIds.includes(id));
  const isEveryCollection = answering.length === collections.length;
  return {
    order,
    area,
    isImpossible: (answering.length === 0 && !isEveryCollection) || area?.boxes.length === 0,
    hasIds: isGiven(query.ids),
    hasOneCollection: answering.length === 1 && !isEveryCollection,
    conditions: [
      ...(isEveryCollection ? [] : [inCollections(answering.map(({ pk }) => pk))]),
      ...identityAndTime(query),
      ...(area ? [area.condition] : []),
      ...properties.conditions,
      ...sortConditions(order),
    ],
    tests: [properties.test, area?.test ?? null].filter((test) => test !== null),
  };
}

function identityAndTime(query: SearchQuery): SqlCondition[] {
  return [
    ...(isGiven(query.ids) ? [withIds(query.ids)] : []),
    ...(query.datetime === undefined ? [] : [within(query.datetime)]),
  ];
}

// An empty list restricts nothing.
function isGiven(list: readonly string[] | undefined): list is readonly string[] {
  return list !== undefined && list.length > 0;
}

function inCollections(pks: readonly number[]): SqlCondition {
  return { sql: `item.collection_pk IN (${pks.map(() => '?').join(', ')})`, parameters: pks };
}

function withIds(ids: readonly string[]): SqlCondition {
  return { sql: 'item.id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(ids)] };
}

// Both ends are included (field notes §3.4); an Item without any time matches no interval.
function within(datetime: string): SqlCondition {
  const { startMicros, endMicros } = parseDatetimeInterval(datetime);
  const parts: SqlCondition[] = [
    ...(endMicros === null ? [] : [{ sql: 'item.start_us <= ?', parameters: [endMicros] }]),
    ...(startMicros === null ? [] : [{ sql: 'item.end_us >= ?', parameters: [startMicros] }]),
  ];
  return {
    sql: ['item.start_us IS NOT NULL', ...parts.map(({ sql }) => sql)].join(' AND '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}
