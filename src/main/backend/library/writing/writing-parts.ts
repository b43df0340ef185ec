import type { Database } from 'better-sqlite3';
import { createCollectionKeys } from '../collection-keys.ts';
import { createCollectionStore } from '../collection-store.ts';
import { ColumnWriter } from '../columns/column-writer.ts';
import { createGoneStore } from '../gone-store.ts';
import { createImportWriter } from '../import-store.ts';
import { createItemStore } from '../item-store.ts';
import { ItemWriter } from '../item-writer.ts';
import { createSearchStore } from '../search-store.ts';
import { createThumbnailStore } from '../thumbnail-store.ts';

/** What a writing task works with: the only connection that writes, and the stores on it. */
export interface WritingParts extends ReturnType<typeof createWritingParts> {
  database: Database;
  /** Whether tasks are part of one transaction that was begun by another task. */
  isTogether: boolean;
}

/** Prepares the stores on the writing connection. */
export function createWritingParts(database: Database) {
  const keys = createCollectionKeys(database);
  const items = createItemStore(database, keys);
  const columns = new ColumnWriter(database);
  return {
    database,
    isTogether: false,
    keys,
    items,
    itemWriter: new ItemWriter({ database, keys, items, columns }),
    collections: createCollectionStore(database, keys),
    searches: createSearchStore(database, items),
    gone: createGoneStore(database, keys),
    imports: createImportWriter(database, items),
    thumbnails: createThumbnailStore(database, items),
    columns,
  };
}
