import type { Database } from 'better-sqlite3';

/** What one collection takes in a library. */
export interface CollectionUsage {
  collectionId: string;
  itemCount: number;
  sizeBytes: number;
}

/** What uses how much of a library's file. The sizes add up to the file's, but for what waits in its journal. */
export interface LibraryUsage {
  itemCount: number;
  itemBytes: number;
  /** The largest first. Their sizes add up to `itemBytes`. */
  collections: CollectionUsage[];
  thumbnailCount: number;
  thumbnailBytes: number;
  searchCount: number;
  searchBytes: number;
  /** What makes it fast: indexes, columns of properties, full text. */
  indexBytes: number;
  /** Collections, queryables, the record of upkeep. */
  otherBytes: number;
  /** Pages that are kept for what comes next; compacting gives them back to the disk. */
  freeBytes: number;
  oldestFetchedAtMs: number | null;
  newestFetchedAtMs: number | null;
}

type Part = 'itemBytes' | 'thumbnailBytes' | 'searchBytes' | 'otherBytes' | 'indexBytes';

const parts: Readonly<Record<string, Part>> = {
  item: 'itemBytes',
  item_json: 'itemBytes',
  item_shape: 'itemBytes',
  item_shape_copy: 'itemBytes',
  thumbnail: 'thumbnailBytes',
  search: 'searchBytes',
  search_by_key: 'searchBytes',
  search_item: 'searchBytes',
  search_item_by_item: 'searchBytes',
  collection: 'otherBytes',
  queryables: 'otherBytes',
  upkeep_record: 'otherBytes',
  gone_item: 'otherBytes',
  import: 'otherBytes',
  imported_item: 'otherBytes',
  sqlite_schema: 'otherBytes',
};

/** Reads every page once: seconds for a library of a million Items, so not on the event loop. */
export function measureUsage(database: Database): LibraryUsage {
  const usage: LibraryUsage = {
    itemCount: 0,
    itemBytes: 0,
    collections: [],
    ...countRows(database),
    thumbnailBytes: 0,
    searchBytes: 0,
    indexBytes: 0,
    otherBytes: 0,
    freeBytes: measureFile(database).freeBytes,
  };
  const pages = database
    .prepare<[], { name: string; sizeBytes: number }>(
      'SELECT name, sum(pgsize) AS sizeBytes FROM dbstat GROUP BY name',
    )
    .all();
  for (const { name, sizeBytes } of pages) usage[parts[name] ?? 'indexBytes'] += sizeBytes;
  return { ...usage, ...shareItems(database, usage.itemBytes) };
}

/** The file by its pages: quick at any size. */
export function measureFile(database: Database): { usedBytes: number; freeBytes: number } {
  const read = (name: string): number => Number(database.pragma(name, { simple: true }));
  const pageBytes = read('page_size');
  const freeCount = read('freelist_count');
  return { usedBytes: (read('page_count') - freeCount) * pageBytes, freeBytes: freeCount * pageBytes };
}

function countRows(database: Database) {
  return database
    .prepare<
      [],
      Pick<LibraryUsage, 'thumbnailCount' | 'searchCount' | 'oldestFetchedAtMs' | 'newestFetchedAtMs'>
    >(
      `SELECT (SELECT count(*) FROM thumbnail) AS thumbnailCount, (SELECT count(*) FROM search) AS searchCount,
         min(fetched_at_ms) AS oldestFetchedAtMs, max(fetched_at_ms) AS newestFetchedAtMs FROM item`,
    )
    .get() as Pick<
    LibraryUsage,
    'thumbnailCount' | 'searchCount' | 'oldestFetchedAtMs' | 'newestFetchedAtMs'
  >;
}

// Pages hold Items of several collections; each collection is given its share of the JSON.
function shareItems(database: Database, itemBytes: number): Pick<LibraryUsage, 'itemCount' | 'collections'> {
  const rows = database
    .prepare<[], { collectionId: string; itemCount: number; jsonBytes: number }>(
      `SELECT collection.id AS collectionId, count(*) AS itemCount, sum(length(zstd)) AS jsonBytes
       FROM item_json JOIN item ON item.pk = item_pk JOIN collection ON collection.pk = collection_pk
       GROUP BY collection_pk ORDER BY jsonBytes DESC`,
    )
    .all();
  const all = rows.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  return {
    itemCount: rows.reduce((sum, { itemCount }) => sum + itemCount, 0),
    collections: rows.map(({ collectionId, itemCount, jsonBytes }) => ({
      collectionId,
      itemCount,
      sizeBytes: all === 0 ? 0 : Math.round((itemBytes * jsonBytes) / all),
    })),
  };
}
