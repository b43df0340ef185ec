import { createCollectionKeys } from './collection-keys.ts';
import { createCollectionStore } from './collection-store.ts';
import { createItemStore } from './item-store.ts';
import type { Library } from './library.ts';
import { openDatabase } from './open-database.ts';
import { createSearchStore } from './search-store.ts';
import { createSearchEngine } from './search/search-engine.ts';
import { createThumbnailStore } from './thumbnail-store.ts';

/**
 * Opens the library in a file, made if it isn't there.
 * @throws AppError `library.newer-schema`, `library.corrupt`
 */
export function openLibrary({ filePath }: { filePath: string }): Library {
  const database = openDatabase(filePath);
  const keys = createCollectionKeys(database);
  const items = createItemStore(database, keys);
  const collections = createCollectionStore(database, keys);
  const searches = createSearchStore(database, items);
  const thumbnails = createThumbnailStore(database, items);
  return {
    engine: createSearchEngine({
      database,
      keys,
      queryablesOf: (id) => collections.queryables([id])?.value ?? null,
    }),
    saveItems: (saved, fetchedAtMs) => items.save(saved, fetchedAtMs),
    item: (ref) => items.find(ref),
    countItems: () => items.count(),
    saveCollections: (saved, fetchedAtMs) => collections.saveAll(saved, fetchedAtMs),
    collections: () => collections.all(),
    saveQueryables: (ids, answer, fetchedAtMs) => collections.saveQueryables(ids, answer, fetchedAtMs),
    queryables: (ids) => collections.queryables(ids),
    saveSearch: (search, fetchedAtMs) => searches.save(search, fetchedAtMs),
    extendSearch: (searchNumber, page) => searches.extend(searchNumber, page),
    pastSearches: ({ limit }) => searches.listPast(limit),
    pastSearch: (searchNumber) => searches.findPast(searchNumber),
    saveThumbnail: (ref, thumbnail, fetchedAtMs) => thumbnails.save(ref, thumbnail, fetchedAtMs),
    thumbnail: (ref) => thumbnails.find(ref),
    close: () => void database.close(),
  };
}
