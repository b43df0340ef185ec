import { parseDatetimeInterval } from '#shared/stac/datetime-interval.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { readArea, type Area } from './area.ts';
import { never, type ItemTest, type SqlCondition } from './condition.ts';
import { readPropertyQuery, type QueryablesOf } from './property-conditions.ts';
import { readSortOrder, sortConditions, type SortOrder } from './sort-order.ts';

/** A query as SQL conditions, and as tests for what SQL can't decide. */
export interface CompiledQuery {
  conditions: SqlCondition[];
  tests: ItemTest[];
  area: Area | null;
  order: SortOrder;
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
  const asked = collections.filter(({ id }) => !query.collections?.length || query.collections.includes(id));
  const askedIds = asked.map(({ id }) => id);
  const properties = readPropertyQuery(query.query ?? {}, askedIds, queryablesOf);
  const answering = asked.filter(({ id }) => properties.collectionIds.includes(id));
  const isEveryCollection = answering.length === collections.length;
  return {
    order,
    area,
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
    ...(query.ids?.length ? [withIds(query.ids)] : []),
    ...(query.datetime === undefined ? [] : [within(query.datetime)]),
  ];
}

function inCollections(pks: readonly number[]): SqlCondition {
  if (pks.length === 0) return never;
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
