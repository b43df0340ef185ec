import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { isCutByFields } from '#shared/search/is-cut-by-fields.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { CatalogClient, ItemPage, ItemPages } from '../catalog/catalog-client.ts';
import type { Library } from '../library/library.ts';
import { openLibrary } from '../library/open-library.ts';
import type { Clock, Logger } from '../ports.ts';
import { logNotKept } from './kept-answers.ts';
import { SearchRecord } from './searches/search-record.ts';

/** A catalog whose answers are kept on their way to whoever asked. */
export interface KeptCatalog {
  catalog: CatalogClient;
  /** Resolves when all is written: with why something is not kept, or null. */
  close(): Promise<AppError | null>;
}

const emptyPage: ItemPage = { items: [], matched: null, skipped: [] };

/**
 * Keeps what a catalog answers in the library in a file, as the window does. The library is opened with the first answer;
 * whatever it can't take, the answer reaches whoever asked.
 */
export function keepAnswers(
  catalog: CatalogClient,
  parts: { filePath: string; clock: Clock; logger: Logger },
): KeptCatalog {
  const { filePath, clock } = parts;
  let library: Library | null = null;
  let failure: AppError | null = null;
  const fail = (thrown: unknown): void => {
    failure ??= toAppError(thrown);
    logNotKept(parts.logger, thrown);
  };

  async function keep(work: (opened: Library) => void | Promise<void>): Promise<void> {
    try {
      library ??= openLibrary({ filePath });
      await work(library);
    } catch (thrown) {
      fail(thrown);
    }
  }

  function keepPages(pages: ItemPages, query: SearchQuery): ItemPages {
    let record: SearchRecord | null = null;
    let lastPage = Promise.resolve();
    let isAtEnd = false;
    return {
      async next(options) {
        const page = await pages.next(options);
        if (isAtEnd) return page;
        // The last page may have led to an empty one, which isn't given: only now it is known that it was the last.
        const { items: came, matched, skipped } = page ?? emptyPage;
        const items = came.map((one) =>
          query.fields && isCutByFields(one.item, query.fields) ? { ...one, isPartial: true } : one,
        );
        isAtEnd = !pages.hasMore;
        const isLast = isAtEnd && !pages.isIncomplete;
        // Pages that come faster than they are written wait.
        await lastPage;
        lastPage = keep((opened) => {
          record ??= new SearchRecord(opened, { query, localFilter: null }, fail);
          const hasGap = skipped.length > 0;
          return record.keep({ items, leftOutCount: 0, matched, fetchedAtMs: clock.now(), hasGap, isLast });
        });
        return page;
      },
      get hasMore() {
        return pages.hasMore;
      },
      get position() {
        return pages.position;
      },
      get isIncomplete() {
        return pages.isIncomplete;
      },
    };
  }

  return {
    catalog: {
      get baseUrl() {
        return catalog.baseUrl;
      },
      get serverAheadMs() {
        return catalog.serverAheadMs;
      },
      landingPage: (options) => catalog.landingPage(options),
      async collections(options) {
        const collections = await catalog.collections(options);
        await keep((opened) => opened.saveCollections(collections, clock.now()));
        return collections;
      },
      collection: (collectionId, options) => catalog.collection(collectionId, options),
      async queryables(collectionIds, options) {
        const answer = await catalog.queryables(collectionIds, options);
        await keep((opened) => opened.saveQueryables(collectionIds, answer, clock.now()));
        return answer;
      },
      items: (collectionId, options) => catalog.items(collectionId, options),
      search: (query, options) => keepPages(catalog.search(query, options), query),
      async item(ref, options) {
        const item = await catalog.item(ref, options);
        await keep((opened) => opened.saveItems([item], clock.now()));
        return item;
      },
    },
    async close() {
      await library?.settle().catch(fail);
      await library?.close().catch(fail);
      return failure;
    },
  };
}
