import type { SearchQuery } from '#shared/search/search-query.ts';
import { propertiesOf } from '#shared/stac/item.ts';
import type { Queryable } from '#shared/stac/queryables.ts';
import Database from 'better-sqlite3';
import type { Library } from '../src/main/backend/library/library.ts';
import type { Bench } from './bench.ts';
import { continent, percentile, queryablesIn } from './library-questions.ts';
import { openMillionLibrary, type MillionLibrary } from './million-library.ts';

/**
 * The slowest of all queryable properties as the only filter, for a value that some Item has and for one that none has,
 * against going through all rows of a narrow table.
 */
export const libraryProperty: Bench = {
  name: 'library-property',
  unit: 'ms',
  target: { limit: 100 },
  async prepare() {
    const million = await openMillionLibrary();
    const { library, filePath } = million;
    const scan = createScan(filePath);
    const queries = queryablesIn(library).flatMap((queryable) => questionsAbout(queryable, million));
    return {
      rounds: 1,
      ours: async () => {
        let slowest = { name: '', ms: 0 };
        for (const query of queries) {
          const ms = await percentile(0.5, 3, () => library.engine.search(query, { limit: 100 }));
          if (ms > slowest.ms) slowest = { name: JSON.stringify(query.query), ms };
        }
        console.error(`  slowest of ${String(queries.length)}: ${slowest.name}`);
        return slowest.ms;
      },
      reference: () => percentile(0.5, 3, () => Promise.resolve(scan.run())),
      close: async () => {
        scan.close();
        await million.close();
      },
    };
  },
};

/** The slowest exact count, against SQLite's count over all rows. */
export const libraryCount: Bench = {
  name: 'library-count',
  unit: 'ms',
  target: { limit: 60 },
  async prepare() {
    const million = await openMillionLibrary();
    const { library, filePath } = million;
    const scan = createScan(filePath);
    return {
      rounds: 5,
      ours: async () => Math.max(...(await countEach(library))),
      reference: () => percentile(0.5, 1, () => Promise.resolve(scan.run())),
      close: async () => {
        scan.close();
        await million.close();
      },
    };
  },
};

async function countEach(library: Library): Promise<number[]> {
  const intersects = structuredClone(continent) as unknown as NonNullable<SearchQuery['intersects']>;
  const queries: SearchQuery[] = [
    {},
    { bbox: [-17, -34, 51, 37] },
    { intersects },
    { query: { 'eo:cloud_cover': { lt: 20 }, 'view:sun_elevation': { gt: 30 } } },
    { datetime: '2018-01-01T00:00:00Z/2020-01-01T00:00:00Z', query: { platform: { eq: 'sentinel-2a' } } },
  ];
  const times: number[] = [];
  for (const query of queries) {
    times.push(await percentile(0.5, 1, () => library.engine.count(query, { maxCandidates: 1000 })));
  }
  return times;
}

// A value that no Item has, the value of one, and for what has an order a good part of all.
function questionsAbout({ name, type }: Queryable, million: MillionLibrary): SearchQuery[] {
  const own = Array.from(
    { length: 200 },
    (_, number) => propertiesOf(million.itemAt(number * 37).item)[name],
  ).find((value) => value !== undefined && value !== null);
  const nothing = {
    number: -12_345.678,
    datetime: '1999-01-01T00:00:00Z',
    boolean: true,
    string: 'nothing',
    any: 'nothing',
  };
  const operands = [nothing[type], own].filter(
    (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  );
  const hasOrder = type === 'number' || type === 'datetime';
  return operands.flatMap((operand) => [
    { query: { [name]: { eq: operand } } },
    ...(hasOrder ? [{ query: { [name]: { lt: operand } } }] : []),
  ]);
}

function createScan(filePath: string): { run: () => unknown; close: () => void } {
  const database = new Database(filePath, { readonly: true });
  const statement = database.prepare(
    'SELECT count(*) FROM item NOT INDEXED WHERE west <= 51 AND east >= -17 AND south <= 37 AND north >= -34',
  );
  return { run: () => statement.get(), close: () => void database.close() };
}
