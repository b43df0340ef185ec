import type * as DuckDb from '@duckdb/node-api';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bboxOf, cloudCoverOf, propertiesOf, timeOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { millionCount, openMillionLibrary } from './million-library.ts';

/** The Items of the large library in a Parquet file, newest first, and DuckDB to ask it. */
export interface DuckDbItems {
  /** The rows of an answer; `items` stands for the file. */
  ask(sql: string): Promise<unknown[][]>;
  close(): void;
}

const rowsPerFlush = 5000;
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

/** A place beside the library, which goes when that goes. */
async function writeParquet(duckdb: typeof DuckDb): Promise<string> {
  const million = await openMillionLibrary();
  await million.close();
  const file = join(million.filePath, '..', 'items.parquet');
  const databaseFile = `${file}.duckdb`;
  const instance = await duckdb.DuckDBInstance.create(databaseFile);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE item (collection VARCHAR, id VARCHAR, datetime BIGINT, cloud_cover DOUBLE, sun_elevation DOUBLE,
       platform VARCHAR, west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE, json VARCHAR)`,
  );
  const appender = await connection.createAppender('item');
  for (let number = 0; number < millionCount; number++) {
    appendItem(appender, million.itemAt(number));
    if (number % rowsPerFlush === 0) appender.flushSync();
  }
  appender.closeSync();
  await connection.run(
    `COPY (SELECT * FROM item ORDER BY datetime DESC, id) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`,
  );
  connection.closeSync();
  instance.closeSync();
  rmSync(databaseFile);
  return file;
}

type Appender = Awaited<ReturnType<DuckDb.DuckDBConnection['createAppender']>>;

function appendItem(appender: Appender, { ref, item }: IdentifiedItem): void {
  const { platform, 'view:sun_elevation': sunElevation } = propertiesOf(item);
  const appendNumber = (value: unknown) =>
    typeof value === 'number' ? appender.appendDouble(value) : appender.appendNull();
  appender.appendVarchar(ref.collectionId);
  appender.appendVarchar(ref.itemId);
  appender.appendBigInt(BigInt(timeOf(item).datetimeMicros ?? 0));
  appendNumber(cloudCoverOf(item));
  appendNumber(sunElevation);
  appender.appendVarchar(typeof platform === 'string' ? platform : '');
  for (const side of bboxOf(item) ?? [null, null, null, null]) appendNumber(side);
  appender.appendVarchar(JSON.stringify(item));
  appender.endRow();
}
