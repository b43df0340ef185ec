import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { parseSearchQuery } from '#shared/search/search-query.ts';
import { judgeReachability } from '../connection/reachability.ts';
import type { Library, PastSearch } from '../library/library.ts';
import type { ApiParts } from './api-parts.ts';
import { toRunView } from './saved-api.ts';
import type { SearchAnswer, SearchStart } from './searches/open-search.ts';
import type { OpenSearches } from './searches/open-searches.ts';

/** Handlers of `search`. What comes is in the window first, and then in the library if that has room for it. */
export function createSearchApi(
  parts: ApiParts,
  searches: OpenSearches,
): Handlers<typeof contract>['search'] {
  const { catalogs, notebook } = parts;
  const findLook = (connectionId: string, savedSearchId: number | null) => {
    if (savedSearchId === null) return null;
    const saved = notebook.savedSearches.find(connectionId, savedSearchId);
    if (!saved) throw new AppError('saved.not-found', `There is no saved search ${String(savedSearchId)}`);
    return { savedSearchId, sinceMs: saved.lookedAtMs };
  };
  return {
    run: ({ query: unchecked, localFilter, savedSearchId, from }, { signal }) => {
      const query = parseSearchQuery(unchecked);
      const source = catalogs.current;
      const look = findLook(source.id, savedSearchId);
      const question = { source, query, localFilter, look };
      const begin = (kind: 'catalog' | 'library') =>
        searches.begin({ ...question, answerer: { kind } }, signal);
      return from === 'auto' ? answerByReach(parts, question, begin) : begin(from);
    },
    more: ({ searchId, afterRows, fromLibrary }, { signal }) => {
      const search = searches.get(searchId);
      if (fromLibrary) search.goOnFromLibrary();
      return search.next({ afterRows, signal });
    },
    openPast: ({ searchNumber }, { signal }) => {
      const source = catalogs.current;
      const { query, localFilter } = findPast(source.library, searchNumber);
      const answerer = { kind: 'record', searchNumber } as const;
      return searches.begin({ source, query, localFilter, look: null, answerer }, signal);
    },
    compare: async ({ olderNumber, newerNumber }, { signal }) => {
      const source = catalogs.current;
      await source.library.settle();
      const older = findPast(source.library, olderNumber);
      const newer = findPast(source.library, newerNumber);
      const { added, changed, missing } = source.library.runs.compare(olderNumber, newerNumber);
      const { query, fetchedAtMs: asOfMs } = newer;
      const answerer = { kind: 'refs', refs: [...added, ...changed, ...missing], asOfMs } as const;
      // The whole difference is shown: what a local filter left out of a run is part of it.
      const start = { source, query, localFilter: null, look: null, answerer };
      return {
        page: await searches.begin(start, signal),
        older: toRunView(older),
        newer: toRunView(newer),
        addedCount: added.length,
        changedCount: changed.length,
        missingCount: missing.length,
      };
    },
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

function findPast(library: Library, searchNumber: number): PastSearch {
  const past = library.pastSearch(searchNumber);
  if (past) return past;
  throw new AppError('saved.not-found', `There is no past search ${String(searchNumber)}`);
}

/** The catalog's answer; the library's while the catalog is known to be out of reach, or turns out to be. */
async function answerByReach(
  { access }: ApiParts,
  { source }: Pick<SearchStart, 'source'>,
  begin: (kind: 'catalog' | 'library') => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  if (judgeReachability(source.connection.status, access.network.isOff).isOffline) return begin('library');
  try {
    return await begin('catalog');
  } catch (thrown) {
    if (!isAppError(thrown) || !thrown.code.startsWith('network.')) throw thrown;
    await source.library.settle();
    // An empty library would only hide why nothing comes.
    if (source.library.countItems() === 0) throw thrown;
    return begin('library');
  }
}
