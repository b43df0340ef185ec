import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';

/** As many as the window asks for: catalogs often give ten, and each page is a request of the account's. */
const itemsPerPage = 100;

/** What the catalog is asked: a question that names no size of its pages gets no more in one than are wanted in all. */
export function toSentQuestion({ query, localFilter, maxItems }: SavedQuestion): SearchQuery {
  const limit = Math.max(1, Math.min(itemsPerPage, maxItems ?? itemsPerPage));
  return { limit, ...toSentQuery(query, localFilter) };
}
