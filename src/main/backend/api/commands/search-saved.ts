import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { cloudCoverOf, type IdentifiedItem } from '#shared/stac/item.ts';
import type { CatalogClient } from '../../catalog/catalog-client.ts';

/** The Items of a saved search, asked anew. @throws AppError as the catalog's */
export async function* searchSaved(
  catalog: CatalogClient,
  { query, localFilter, maxItems }: SavedQuestion,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedItem> {
  // Whole Items: what was saved may have asked for what a list needs alone.
  const { fields: _, ...whole } = query;
  const pages = catalog.search(whole);
  let left = maxItems ?? Infinity;
  while (left > 0) {
    const page = await pages.next({ signal });
    if (!page) return;
    for (const one of page.items) {
      if (left <= 0) return;
      if (!passesLocalFilter(cloudCoverOf(one.item), localFilter)) continue;
      left -= 1;
      yield one;
    }
  }
}
