import { AppError } from '#shared/errors/app-error.ts';
import { createRecentMap } from '../recent-map.ts';
import {
  openSearch,
  type OpenSearch,
  type SearchAnswer,
  type SearchParts,
  type SearchStart,
} from './open-search.ts';

/** Searches that can be gone on with; older ones are forgotten. Each keeps the names of all its rows. */
const maxOpenSearches = 32;
const maxOpenRows = 200_000;
/** Searches that are kept with their columns, however many rows: a window shows one, and there may be a few windows. */
const maxShown = 4;
const maxColumnBytes = 160_000_000;

/** The searches that a window can go on with. */
export interface OpenSearches {
  /** Puts a question, and gives the first page of its answer. */
  begin(start: SearchStart, signal: AbortSignal): Promise<SearchAnswer>;
  /** @throws AppError `input.invalid` when it was forgotten */
  get(searchId: string): OpenSearch;
  find(searchId: string): OpenSearch | null;
}

/** None yet. */
export function createOpenSearches(parts: Omit<SearchParts, 'maxColumnBytes'>): OpenSearches {
  const searches = createRecentMap<OpenSearch>({
    maxSize: maxOpenSearches,
    weigh: ({ given }) => given.length,
    maxWeight: maxOpenRows,
    lightSize: maxShown,
  });
  let withColumns: OpenSearch[] = [];
  const find = (searchId: string): OpenSearch | null => searches.get(searchId) ?? null;
  return {
    async begin(start, signal) {
      const search = await openSearch(start, { ...parts, maxColumnBytes });
      const answer = await search.next({ afterRows: null, signal });
      searches.set(search.searchId, search);
      withColumns = [search, ...withColumns];
      for (const older of withColumns.slice(maxShown)) older.forgetColumns();
      withColumns = withColumns.slice(0, maxShown);
      return answer;
    },
    get(searchId) {
      const search = find(searchId);
      if (search) return search;
      const why = 'that search is no longer open; search again';
      throw new AppError('input.invalid', `searchId: ${why}`, { details: { field: 'searchId', why } });
    },
    find,
  };
}
