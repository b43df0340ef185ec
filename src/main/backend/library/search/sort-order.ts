import { AppError } from '#shared/errors/app-error.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { PagePosition } from '../library.ts';
import type { SqlCondition } from './condition.ts';

/** The order of an answer: one column, then id ascending, then collection so that it is total. */
export interface SortOrder {
  column: 'item.datetime_us' | 'item.cloud_cover';
  direction: 'asc' | 'desc';
}

const columnByField: ReadonlyMap<string, SortOrder['column']> = new Map([
  ['datetime', 'item.datetime_us'],
  ['eo:cloud_cover', 'item.cloud_cover'],
]);

/**
 * Reads `sortby`; the default is datetime descending, then id ascending (catalog-service.md §4.6, Sortby Extension).
 * @throws AppError `stac.query-rejected` for another field or for more than one
 */
export function readSortOrder(sortby: SearchQuery['sortby']): SortOrder {
  const [term, second] = sortby ?? [];
  if (!term) return { column: 'item.datetime_us', direction: 'desc' };
  const column = columnByField.get(term.field.replace(/^properties\./, ''));
  if (!column) throw rejected(`sorting by "${term.field.slice(0, 80)}" is not supported`);
  if (second) throw rejected('sorting by more than one field is not supported');
  return { column, direction: term.direction };
}

/** The ORDER BY clause. */
export function toOrderBy({ column, direction }: SortOrder): string {
  return `ORDER BY ${column} ${direction}, item.id, item.collection_pk`;
}

/** Items without the value are left out when sorting by cloud cover, as the service does it. */
export function sortConditions(order: SortOrder): SqlCondition[] {
  return order.column === 'item.cloud_cover' ? [{ sql: 'item.cloud_cover IS NOT NULL', parameters: [] }] : [];
}

/** Only what comes after a position (keyset paging): stable when Items are added or removed between pages. */
export function afterCondition(order: SortOrder, after: PagePosition, collectionPk: number): SqlCondition {
  const beyond = order.direction === 'desc' ? '<' : '>';
  const { column } = order;
  return {
    // The first comparison alone lets SQLite start at the right place of the index.
    sql: `${column} ${beyond}= ? AND (${column} ${beyond} ? OR item.id > ? OR (item.id = ? AND item.collection_pk > ?))`,
    parameters: [after.sortValue, after.sortValue, after.itemId, after.itemId, collectionPk],
  };
}

function rejected(reason: string): AppError {
  return new AppError('stac.query-rejected', `sortby: ${reason}`, { details: { field: 'sortby', reason } });
}
