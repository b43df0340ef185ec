import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { parseSearchQuery, type SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import type { ItemPage, ItemPages } from '../catalog/catalog-client.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import type { ApiParts } from './api-parts.ts';
import { toTimestamp, tryToKeep } from './kept-answers.ts';
import { createRecentMap } from './recent-map.ts';

/** Searches that `search.more` can go on with; older ones are forgotten. */
const maxOpenSearches = 32;

/** Items written in one task, so that the event loop is free again within a frame. */
const itemsPerSlice = 50;

interface OpenSearch {
  /** The catalog that it was put to; another may be in use by now. */
  source: OpenCatalog;
  query: SearchQuery;
  pages: ItemPages;
  /** Number of its record in the library; null before the first page. */
  searchNumber: number | null;
  /** Whether the library lacks Items of it: they could not be read, or not be kept. */
  hasGap: boolean;
  /** Pages are asked for one after the other, whoever asks. */
  lastTurn: Promise<unknown>;
}

const noPage: Pick<ItemPage, 'items' | 'skipped' | 'matched'> = { items: [], skipped: [], matched: null };

/** Handlers of `search`. What comes is in the library, if that has room for it, before it is in the window. */
export function createSearchApi(parts: ApiParts): Handlers<typeof contract>['search'] {
  const { catalogs, ports } = parts;
  const searches = createRecentMap<OpenSearch>(maxOpenSearches);

  const answerNext = (searchId: string, search: OpenSearch, signal: AbortSignal) => {
    const turn = search.lastTurn.then(async () => {
      // A page that was announced may turn out not to be there; then at least the record is known to be whole.
      const page = (await search.source.connection.ask(() => search.pages.next({ signal }))) ?? noPage;
      const fetchedAtMs = ports.clock.now();
      search.hasGap ||= page.skipped.length > 0;
      const isKept = await tryToKeep(ports.logger, () => keepPage(search, { page, fetchedAtMs }));
      search.hasGap ||= !isKept;
      return {
        searchId,
        rows: page.items.map(toItemRow),
        matched: page.matched,
        hasMore: search.pages.hasMore,
        isIncomplete: search.pages.isIncomplete,
        skipped: page.skipped,
        asOf: toTimestamp(fetchedAtMs),
      };
    });
    search.lastTurn = turn.catch(() => undefined);
    return turn;
  };

  return {
    run: async ({ query: unchecked }, { signal }) => {
      const query = parseSearchQuery(unchecked);
      const source = catalogs.current;
      const { catalog } = await source.connection.access();
      const pages = catalog.search(query);
      const search = { source, query, pages, searchNumber: null, hasGap: false, lastTurn: Promise.resolve() };
      const searchId = randomUUID();
      const answer = await answerNext(searchId, search, signal);
      searches.set(searchId, search);
      return answer;
    },
    more: async ({ searchId }, { signal }) => {
      const search = searches.get(searchId);
      if (!search) {
        const why = 'that search is no longer open; search again';
        throw new AppError('input.invalid', `searchId: ${why}`, { details: { field: 'searchId', why } });
      }
      return answerNext(searchId, search, signal);
    },
  };
}

async function keepPage(
  search: OpenSearch,
  { page, fetchedAtMs }: { page: typeof noPage; fetchedAtMs: number },
): Promise<void> {
  // Items cut down by `fields` must not take the place of whole ones.
  if (search.query.fields) return;
  const { library } = search.source;
  await saveInSlices(page.items, (slice) => library.saveItems(slice, fetchedAtMs));
  const { hasMore, isIncomplete } = search.pages;
  const part = {
    items: page.items.map(({ ref }) => ref),
    matched: page.matched,
    isComplete: !hasMore && !isIncomplete && !search.hasGap,
  };
  if (search.searchNumber !== null) library.extendSearch(search.searchNumber, part);
  else search.searchNumber = library.saveSearch({ query: search.query, ...part }, fetchedAtMs);
}

async function saveInSlices(
  items: readonly IdentifiedItem[],
  save: (slice: readonly IdentifiedItem[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += itemsPerSlice) {
    if (start > 0) await yieldToOthers();
    save(items.slice(start, start + itemsPerSlice));
  }
}
