import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Bench } from './bench.ts';
import { openDuckDbItems } from './duckdb-items.ts';
import { openMillionLibrary } from './million-library.ts';

interface Question {
  name: string;
  query: SearchQuery;
  /** The same question to DuckDB, without what is selected. */
  where: string;
  order: string;
}

const newest = 'datetime DESC, id';
const questions: readonly Question[] = [
  { name: 'no-aoi', query: {}, where: 'true', order: newest },
  {
    name: 'box',
    query: { bbox: [4, 46, 6, 48] },
    where: 'west <= 6 AND east >= 4 AND south <= 48 AND north >= 46',
    order: newest,
  },
  {
    name: 'two-filters',
    query: { query: { 'eo:cloud_cover': { lt: 20 }, 'view:sun_elevation': { gt: 30 } } },
    where: 'cloud_cover < 20 AND sun_elevation > 30',
    order: newest,
  },
  {
    name: 'by-cloud-cover',
    query: { sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] },
    where: 'cloud_cover IS NOT NULL',
    order: 'cloud_cover, id',
  },
];

/** Pages of 100 Items out of the library, against DuckDB over the same Items in Parquet. */
export const duckDbPages: readonly Bench[] = questions.map(({ name, query, where, order }) => ({
  name: `duckdb-pages:${name}`,
  unit: 'ms',
  target: { ratio: 0.2 },
  async prepare() {
    const items = await openDuckDbItems();
    if ('unavailable' in items) return items;
    const million = await openMillionLibrary();
    const sql = `SELECT json FROM items WHERE ${where} ORDER BY ${order} LIMIT 100`;
    return {
      rounds: 15,
      ours: () => million.library.engine.search(query, { limit: 100 }).then(() => undefined),
      reference: async () => {
        for (const [json] of await items.ask(sql)) JSON.parse(json as string);
      },
      close: async () => {
        items.close();
        await million.close();
      },
    };
  },
}));

/** Exact counts, against DuckDB's. The ratio is told; nothing is asked of it. */
export const duckDbCount: Bench = {
  name: 'duckdb-count',
  unit: 'ms',
  target: { limit: 60 },
  async prepare() {
    const items = await openDuckDbItems();
    if ('unavailable' in items) return items;
    const million = await openMillionLibrary();
    const query = { query: { 'eo:cloud_cover': { lt: 20 }, 'view:sun_elevation': { gt: 30 } } };
    return {
      rounds: 15,
      ours: () => million.library.engine.count(query, { maxCandidates: 1000 }).then(() => undefined),
      reference: () =>
        items
          .ask('SELECT count(*) FROM items WHERE cloud_cover < 20 AND sun_elevation > 30')
          .then(() => undefined),
      close: async () => {
        items.close();
        await million.close();
      },
    };
  },
};
