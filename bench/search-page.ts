import { readItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { createColumnStore } from '../src/main/backend/api/searches/column-store.ts';
import type { Bench } from './bench.ts';
import { noRecordedPage, readRecordedPage } from './recorded-page.ts';

/** A recorded page from its bytes to rows and columns that are ready for the window, against `JSON.parse` of the same bytes. */
export const searchPage: Bench = {
  name: 'search-page',
  unit: 'ms',
  target: { ratio: 2 },
  prepare() {
    const page = readRecordedPage();
    if (!page) return Promise.resolve(noRecordedPage);
    return Promise.resolve({
      rounds: 40,
      ours: () => {
        const { features } = JSON.parse(page.toString()) as { features: unknown[] };
        const readings = features.map((feature) => readItem(feature)).filter((reading) => 'item' in reading);
        createColumnStore({ maxBytes: 1e9 }).add(readings.map(({ item }) => item));
        JSON.stringify(readings.map(toItemRow));
      },
      reference: () => void JSON.parse(page.toString()),
    });
  },
};
