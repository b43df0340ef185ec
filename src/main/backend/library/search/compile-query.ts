import type { SearchQuery } from '#shared/search/search-query.ts';
import { readArea, type Area } from './area.ts';
import { readPropertyQuery, type QueryablesOf } from './property-conditions.ts';
import { createPropertyTerm, type PropertyCondition } from './property-term.ts';
import { cloudCoverTerm, createCollectionTerm, createTimeTerm } from './query-terms.ts';
import { readSortOrder, type SortOrder } from './sort-order.ts';
import type { Term } from './term.ts';

/** A query taken apart; everything in it is combined with AND. */
export interface CompiledQuery {
  /** All that has to be met beside `ids`. The first leaves out slots without an Item, the last costs most. */
  terms: readonly Term[];
  /** Only Items with one of these ids; null for any. */
  ids: readonly string[] | null;
  area: Area | null;
  order: SortOrder;
  /** Whether no Item can match. */
  isImpossible: boolean;
  /** The only collection that can match, so that its own index leads; null for several. */
  onlyCollectionPk: number | null;
}

interface LibraryFacts {
  collections: readonly { pk: number; id: string }[];
  queryablesOf: QueryablesOf;
}

/**
 * Compiles a query.
 * @throws AppError `stac.query-rejected`, `input.invalid`
 */
export function compileQuery(query: SearchQuery, { collections, queryablesOf }: LibraryFacts): CompiledQuery {
  const order = readSortOrder(query.sortby);
  const area = readArea(query);
  const named = isGiven(query.collections) ? new Set(query.collections) : null;
  const asked = collections.filter(({ id }) => named === null || named.has(id));
  const properties = readPropertyQuery(
    query.query ?? {},
    asked.map(({ id }) => id),
    queryablesOf,
  );
  const answering = asked.filter(({ id }) => properties.collectionIds.includes(id)).map(({ pk }) => pk);
  const isEveryCollection = answering.length === collections.length;
  return {
    order,
    area,
    ids: isGiven(query.ids) ? query.ids : null,
    isImpossible: (answering.length === 0 && !isEveryCollection) || area?.boxes.length === 0,
    onlyCollectionPk: isEveryCollection || answering.length > 1 ? null : (answering[0] ?? null),
    terms: compileTerms(query, { collectionPks: answering, conditions: properties.conditions, order, area }),
  };
}

function compileTerms(
  query: SearchQuery,
  read: {
    collectionPks: readonly number[];
    conditions: readonly PropertyCondition[];
    order: SortOrder;
    area: Area | null;
  },
): Term[] {
  return [
    createCollectionTerm(read.collectionPks),
    query.datetime === undefined ? null : createTimeTerm(query.datetime),
    ...read.conditions.map(createPropertyTerm),
    read.order.field === 'cloudCover' ? cloudCoverTerm : null,
    read.area?.term ?? null,
  ].filter((term) => term !== null);
}

// An empty list restricts nothing.
function isGiven(list: readonly string[] | undefined): list is readonly string[] {
  return list !== undefined && list.length > 0;
}
