import type { IdentifiedItem } from '#shared/stac/item.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { createCollectionKeys } from './collection-keys.ts';
import { createCollectionStore } from './collection-store.ts';
import { Intake } from './intake.ts';
import { createItemStore, joinKept } from './item-store.ts';
import type { Kept, Library } from './library.ts';
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
  const intake = new Intake((saved, fetchedAtMs) => items.save(saved, fetchedAtMs));
  return {
    engine: createSearchEngine({
      database,
      keys,
      queryablesOf: (id) => collections.queryables([id])?.value ?? null,
    }),
    saveItems: (saved, fetchedAtMs) => {
      // What waits is older, and must not come after it.
      if (saved.some(({ ref }) => intake.findWaiting(ref).length > 0)) intake.finish();
      items.save(saved, fetchedAtMs);
    },
    takeIn: (page) => intake.add(page),
    settle: () => intake.settle(),
    item: (ref) => intake.findWaiting(ref).reduce(joinWaiting, items.find(ref)),
    countItems: () => items.count(),
    saveCollections: (saved, fetchedAtMs) => collections.saveAll(saved, fetchedAtMs),
    collections: () => collections.all(),
    saveQueryables: (ids, answer, fetchedAtMs) => collections.saveQueryables(ids, answer, fetchedAtMs),
    queryables: (ids) => collections.queryables(ids),
    saveSearch: (search, fetchedAtMs) => searches.save(search, fetchedAtMs),
    extendSearch: (searchNumber, page) => searches.extend(searchNumber, page),
    pastSearches: ({ limit }) => searches.listPast(limit),
    pastSearch: (searchNumber) => searches.findPast(searchNumber),
    saveThumbnail: (ref, thumbnail, fetchedAtMs) =>
      intake.afterItem(ref, () => thumbnails.save(ref, thumbnail, fetchedAtMs)),
    thumbnail: (ref) => thumbnails.find(ref),
    close: () => {
      intake.finish();
      database.close();
    },
  };
}

/** As it will be once it is written. */
function joinWaiting(
  kept: Kept<IdentifiedItem> | null,
  { value, fetchedAtMs }: Kept<IdentifiedItem>,
): Kept<IdentifiedItem> {
  const joined = joinKept(kept?.value, value);
  if (kept && joined === kept.value) return kept;
  return { value: { ...joined, item: withoutSignedLinks(joined.item) }, fetchedAtMs };
}
