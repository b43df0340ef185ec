import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { readFieldsObject, selectFields } from '../service/fields.ts';

/**
 * Items of the library with only the members that a question asks for, as a catalog would answer it: what Swath can't do
 * without stays.
 */
export function withFields(
  items: readonly IdentifiedItem[],
  query: SearchQuery,
  localFilter: LocalFilter | null,
): IdentifiedItem[] {
  const { fields } = toSentQuery(query, localFilter);
  if (!fields) return [...items];
  const selection = readFieldsObject(fields);
  return items.map((one) => ({
    ...one,
    item: { ...selectFields(one.item, selection), id: one.ref.itemId },
  }));
}
