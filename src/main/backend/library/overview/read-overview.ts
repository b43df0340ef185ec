import type { Database } from 'better-sqlite3';
import { missingDatetimeMicros } from '../item-slice.ts';

/** What is kept of one collection. */
export interface CollectionOverview {
  collectionId: string;
  itemCount: number;
  /** Items that are known in part only. */
  partialCount: number;
  /** Items whose picture is kept. */
  pictureCount: number;
  /** When its Items were taken, microseconds since 1970 UTC; null where none says. */
  firstMicros: number | null;
  lastMicros: number | null;
  oldestFetchMs: number;
  newestFetchMs: number;
  /** Items in equal parts of the time from the first to the last Item of all collections. */
  timeCounts: number[];
}

/** How many Items have their middle in a cell. */
export interface CellCount {
  /** West and south edge of the cell, in degrees. */
  west: number;
  south: number;
  count: number;
}

/** What is in a library. */
export interface LibraryOverview {
  itemCount: number;
  /** Those with most Items first. */
  collections: CollectionOverview[];
  firstMicros: number | null;
  lastMicros: number | null;
  cells: CellCount[];
}

/** Parts of the time in `timeCounts`. */
export const timeParts = 32;
/** Edge of a cell in degrees. */
export const cellDegrees = 2;

interface Row {
  pk: number;
  collectionId: string;
  itemCount: number;
  partialCount: number;
  firstMicros: number | null;
  lastMicros: number | null;
  oldestFetchMs: number;
  newestFetchMs: number;
}

/** Goes through all Items: a second for each million of them. Not for the event loop. */
export function readOverview(database: Database): LibraryOverview {
  const collections = database
    .prepare<[number], Row>(
      `SELECT collection_pk AS pk, collection.id AS collectionId, count(*) AS itemCount,
         sum(is_partial) AS partialCount, min(nullif(datetime_us, ?)) AS firstMicros,
         max(datetime_us) AS lastMicros, min(item.fetched_at_ms) AS oldestFetchMs,
         max(item.fetched_at_ms) AS newestFetchMs
       FROM item JOIN collection ON collection.pk = collection_pk
       GROUP BY collection_pk ORDER BY itemCount DESC, collectionId`,
    )
    .all(missingDatetimeMicros);
  const timed = collections.filter(({ firstMicros }) => firstMicros !== null);
  const firstMicros =
    timed.length === 0 ? null : Math.min(...timed.map((one) => one.firstMicros ?? Infinity));
  const lastMicros = timed.length === 0 ? null : Math.max(...timed.map((one) => one.lastMicros ?? -Infinity));
  const times = readTimes(database, { firstMicros, lastMicros });
  const pictures = readPictures(database);
  return {
    itemCount: collections.reduce((sum, { itemCount }) => sum + itemCount, 0),
    collections: collections.map(({ pk, ...one }) => ({
      ...one,
      lastMicros: one.firstMicros === null ? null : one.lastMicros,
      pictureCount: pictures.get(pk) ?? 0,
      timeCounts: times.get(pk) ?? Array.from({ length: timeParts }, () => 0),
    })),
    firstMicros,
    lastMicros,
    cells: readCells(database),
  };
}

function readTimes(
  database: Database,
  { firstMicros, lastMicros }: { firstMicros: number | null; lastMicros: number | null },
): Map<number, number[]> {
  const times = new Map<number, number[]>();
  if (firstMicros === null || lastMicros === null) return times;
  const partMicros = Math.max(1, (lastMicros - firstMicros + 1) / timeParts);
  const rows = database
    .prepare<number[], { pk: number; part: number; count: number }>(
      `SELECT collection_pk AS pk, CAST((datetime_us - ?) / ? AS INTEGER) AS part, count(*) AS count
       FROM item WHERE datetime_us <> ? GROUP BY 1, 2`,
    )
    .all(firstMicros, partMicros, missingDatetimeMicros);
  for (const { pk, part, count } of rows) {
    const counts = times.get(pk) ?? Array.from({ length: timeParts }, () => 0);
    const index = Math.min(part, timeParts - 1);
    counts[index] = (counts[index] ?? 0) + count;
    times.set(pk, counts);
  }
  return times;
}

function readPictures(database: Database): Map<number, number> {
  const rows = database
    .prepare<[], { pk: number; count: number }>(
      'SELECT collection_pk AS pk, count(*) AS count FROM thumbnail JOIN item ON item.pk = item_pk GROUP BY 1',
    )
    .all();
  return new Map(rows.map(({ pk, count }) => [pk, count]));
}

// The middle of a box across the antimeridian, whose west is above its east, may lie beyond 180.
function readCells(database: Database): CellCount[] {
  const rows = database
    .prepare<[], { column: number; row: number; count: number }>(
      `SELECT CAST(floor((CASE WHEN east < west THEN (west + east + 360) / 2 ELSE (west + east) / 2 END) / ${String(cellDegrees)}) AS INTEGER) AS column,
         CAST(floor((south + north) / 2 / ${String(cellDegrees)}) AS INTEGER) AS row, count(*) AS count
       FROM item WHERE west IS NOT NULL GROUP BY 1, 2`,
    )
    .all();
  const columns = 360 / cellDegrees;
  return rows.map(({ column, row, count }) => ({
    west: (column >= columns / 2 ? column - columns : column) * cellDegrees,
    south: row * cellDegrees,
    count,
  }));
}
