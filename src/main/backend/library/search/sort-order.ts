import { AppError } from '#shared/errors/app-error.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';

/** The order of an answer: one value, then id ascending, then collection so that it is total. */
export interface SortOrder {
  field: 'datetime' | 'cloudCover';
  direction: 'asc' | 'desc';
}

const fieldByName: ReadonlyMap<string, SortOrder['field']> = new Map([
  ['datetime', 'datetime'],
  ['eo:cloud_cover', 'cloudCover'],
]);

const columns: Record<SortOrder['field'], string> = {
  datetime: 'item.datetime_us',
  cloudCover: 'item.cloud_cover',
};

/** A place in an order. */
export interface RowPosition {
  sortValue: number;
  id: string;
  collectionPk: number;
}

/**
 * Reads `sortby`; the default is datetime descending, then id ascending (catalog-service.md §4.6, Sortby Extension).
 * @throws AppError `stac.query-rejected` for another field or for more than one
 */
export function readSortOrder(sortby: SearchQuery['sortby']): SortOrder {
  const [term, second] = sortby ?? [];
  if (!term) return { field: 'datetime', direction: 'desc' };
  const field = fieldByName.get(term.field.replace(/^properties\./, ''));
  if (!field) throw rejected(`sorting by "${term.field.slice(0, 80)}" is not supported`);
  if (second) throw rejected('sorting by more than one field is not supported');
  return { field, direction: term.direction };
}

/** The column of the `item` table that holds the value. */
export function sortColumn({ field }: SortOrder): string {
  return columns[field];
}

/** The ORDER BY clause. */
export function toOrderBy(order: SortOrder): string {
  return `ORDER BY ${sortColumn(order)} ${order.direction}, item.id, item.collection_pk`;
}

/** Whether a value stands before another one. */
export function comesBefore({ direction }: SortOrder, value: number, other: number): boolean {
  return direction === 'desc' ? value > other : value < other;
}

function rejected(reason: string): AppError {
  return new AppError('stac.query-rejected', `sortby: ${reason}`, { details: { field: 'sortby', reason } });
}
