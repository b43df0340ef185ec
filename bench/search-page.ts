import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSearch } from '../src/main/backend/api/searches/open-search.ts';
import { createItemPages } from '../src/main/backend/catalog/item-pages.ts';
import type { CatalogClient } from '../src/main/backend/catalog/catalog-client.ts';
import type { Connection } from '../src/main/backend/connection/connection.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { openNotebook } from '../src/main/backend/notebook/notebook.ts';
import { silentLogger, systemClock } from '../src/main/backend/ports.ts';
import type { Bench, Comparison } from './bench.ts';
import { noRecordedPage, readRecordedPage } from './recorded-page.ts';

/**
 * A recorded page from its bytes to the message that leaves for the window, with everything that the program does before
 * that, against `JSON.parse` of the same bytes. What it does afterwards, keeping the page in the library, is done between
 * the rounds.
 */
export const searchPage: Bench = {
  name: 'search-page',
  unit: 'ms',
  target: { ratio: 2 },
  prepare() {
    const page = readRecordedPage();
    return Promise.resolve(page ? compare(page) : noRecordedPage);
  },
};

function compare(page: Buffer): Comparison {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
  const library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  const notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
  const connection = connectTo(page);
  const begin = () =>
    openSearch(
      {
        source: { id: 'bench', connection, library },
        query: {},
        localFilter: null,
        look: null,
        answerer: { kind: 'catalog' },
      },
      { ...notebook, clock: systemClock, logger: silentLogger, maxColumnBytes: 1e9 },
    );
  return {
    rounds: 40,
    ours: async () => {
      const startMs = performance.now();
      const search = await begin();
      const output = await search.next({ afterRows: null, signal: new AbortController().signal });
      JSON.stringify({ type: 'result', id: 1, output });
      const tookMs = performance.now() - startMs;
      await library.settle();
      return tookMs;
    },
    reference: () => void JSON.parse(page.toString()),
    close: async () => {
      await library.close();
      notebook.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A connection whose every search is answered with the one page. */
function connectTo(page: Buffer): Connection {
  const url = 'https://catalog.example/search';
  const catalog = {
    search: () =>
      createItemPages({
        reader: {
          read: () => Promise.resolve({ json: JSON.parse(page.toString()) as unknown, url }),
          serverAheadMs: null,
        },
        first: { method: 'POST', url, headers: {} },
        onStatus: () => null,
      }),
  } as unknown as CatalogClient;
  return {
    access: () => Promise.resolve({ catalog }),
    ask: (work: (asked: CatalogClient) => Promise<unknown>) => work(catalog),
  } as unknown as Connection;
}
