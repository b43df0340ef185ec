import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { parseSearchQuery } from '#shared/search/search-query.ts';
import type { ApiParts } from './api-parts.ts';
import type { OpenSearches } from './searches/open-searches.ts';

/** Handlers of `search`. What comes is in the window first, and then in the library if that has room for it. */
export function createSearchApi(
  { catalogs, notebook }: ApiParts,
  searches: OpenSearches,
): Handlers<typeof contract>['search'] {
  const findLook = (connectionId: string, savedSearchId: number | null) => {
    if (savedSearchId === null) return null;
    const saved = notebook.savedSearches.find(connectionId, savedSearchId);
    if (!saved) throw new AppError('saved.not-found', `There is no saved search ${String(savedSearchId)}`);
    return { savedSearchId, sinceMs: saved.lookedAtMs };
  };
  return {
    run: ({ query: unchecked, localFilter, savedSearchId }, { signal }) => {
      const query = parseSearchQuery(unchecked);
      const source = catalogs.current;
      const look = findLook(source.id, savedSearchId);
      return searches.begin({ source, query, localFilter, look }, signal);
    },
    more: ({ searchId, afterRows }, { signal }) => searches.get(searchId).next({ afterRows, signal }),
    columns: ({ searchId }) => {
      const { columns, given } = searches.get(searchId);
      return {
        columns: columns.summaries(),
        rowCount: given.length,
        coveredCount: columns.coveredCount,
      };
    },
    column: ({ searchId, name }) => {
      const { columns, given } = searches.get(searchId);
      const cells = columns.values(name);
      const values = Array.from(given, (_, index) => cells[index] ?? null);
      return { values, rowCount: given.length, coveredCount: columns.coveredCount };
    },
  };
}
