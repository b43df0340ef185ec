import type * as DuckDb from '@duckdb/node-api';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openMillionLibrary } from './million-library.ts';

/** The Items of the large library in a Parquet file, newest first, and DuckDB to ask it. */
export interface DuckDbItems {
  /** The rows of an answer; `items` stands for the file. */
  ask(sql: string): Promise<unknown[][]>;
  close(): void;
}

let made: Promise<string> | null = null;

/** Opens the file, after writing it for the first bench that asks; the reason when DuckDB isn't here. */
export async function openDuckDbItems(): Promise<DuckDbItems | { unavailable: string }> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (!duckdb) return { unavailable: '@duckdb/node-api is not installed for this system' };
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  made ??= writeParquet(duckdb);
  const file = await made;
  return {
    ask: async (sql) => {
      const reader = await connection.runAndReadAll(sql.replaceAll('items', `'${file}'`));
      return reader.getRows();
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const columns = `
  json->>'$.collection' AS collection,
  json->>'$.id' AS id,
  epoch_us((json->>'$.properties.datetime')::TIMESTAMP) AS datetime,
  (json->>'$.properties."eo:cloud_cover"')::DOUBLE AS cloud_cover,
  (json->>'$.properties."view:sun_elevation"')::DOUBLE AS sun_elevation,
  coalesce(json->>'$.properties.platform', '') AS platform,
  (json->>'$.bbox[0]')::DOUBLE AS west,
  (json->>'$.bbox[1]')::DOUBLE AS south,
  (json->>'$.bbox[2]')::DOUBLE AS east,
  (json->>'$.bbox[3]')::DOUBLE AS north,
  json::VARCHAR AS json`;

/** A place beside the library, which goes when that goes. */
async function writeParquet(duckdb: typeof DuckDb): Promise<string> {
  const million = await openMillionLibrary();
  await million.close();
  const file = join(million.filePath, '..', 'items.parquet');
  const instance = await duckdb.DuckDBInstance.create(`${file}.duckdb`);
  const connection = await instance.connect();
  // Sorting has to go to the disk where there is little memory.
  await connection.run(`SET temp_directory = '${file}.tmp'`);
  await connection.run(
    `COPY (SELECT ${columns} FROM read_ndjson_objects('${million.textPath}') ORDER BY datetime DESC, id)
       TO '${file}' (FORMAT parquet, COMPRESSION zstd)`,
  );
  connection.closeSync();
  instance.closeSync();
  rmSync(`${file}.duckdb`);
  return file;
}
