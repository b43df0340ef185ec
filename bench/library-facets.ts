import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Bench } from './bench.ts';
import { openDuckDbItems } from './duckdb-items.ts';
import { openMillionLibrary } from './million-library.ts';

/** Half a year of ten: some 50,000 of a million Items. */
const query: SearchQuery = { datetime: '2020-01-01T00:00:00Z/2020-07-01T00:00:00Z' };
const properties = ['platform', 'eo:cloud_cover', 'view:sun_elevation'];
const from = `FROM items WHERE datetime BETWEEN ${String(Date.UTC(2020, 0) * 1000)} AND ${String(Date.UTC(2020, 6) * 1000)}`;

/** Facets and timeline of such an answer, against DuckDB grouping the same Items. The ratio is told; nothing is asked of it. */
export const libraryFacets: Bench = {
  name: 'library-facets',
  unit: 'ms',
  target: { limit: 150 },
  async prepare() {
    const items = await openDuckDbItems();
    if ('unavailable' in items) return items;
    const million = await openMillionLibrary();
    return {
      rounds: 15,
      ours: () => million.library.engine.summarise(query, { properties }).then(() => undefined),
      reference: async () => {
        await items.ask(`SELECT collection, count(*) ${from} GROUP BY 1`);
        await items.ask(
          `SELECT date_trunc('month', make_timestamp(datetime)) AS month, count(*) ${from} GROUP BY 1`,
        );
        await items.ask(`SELECT platform, count(*) ${from} GROUP BY 1`);
        for (const column of ['cloud_cover', 'sun_elevation'])
          await items.ask(
            `SELECT floor(${column} / 5), count(*), min(${column}), max(${column}) ${from} GROUP BY 1`,
          );
      },
      close: async () => {
        items.close();
        await million.close();
      },
    };
  },
};
