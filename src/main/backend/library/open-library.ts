import type { IdentifiedItem } from '#shared/stac/item.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { createCollectionKeys } from './collection-keys.ts';
import { createCollectionStore } from './collection-store.ts';
import { CatchingUp } from './catching-up.ts';
import { hasUncovered } from './columns/column-reader.ts';
import { createGoneStore } from './gone-store.ts';
import { createImports } from './import-store.ts';
import { Intake } from './intake.ts';
import { ItemPacker } from './item-packer.ts';
import { createItemStore, joinKept } from './item-store.ts';
import type { Kept, Library } from './library.ts';
import { openDatabase } from './open-database.ts';
import { OverviewReader } from './overview/overview-reader.ts';
import { createRunStore } from './run-store.ts';
import { createSearchStore } from './search-store.ts';
import { createSearchEngine } from './search/search-engine.ts';
import { createThumbnailStore } from './thumbnail-store.ts';
import { createLibraryUpkeep } from './upkeep/library-upkeep.ts';
import { TextFinder } from './text/find-text.ts';
import { hasTextBacklog } from './text/text-backlog.ts';
import { WritingThread } from './writing/writing-thread.ts';

/**
 * Opens the library in a file, made if it isn't there.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.folder-missing`
 */
export function openLibrary({ filePath }: { filePath: string }): Library {
  const database = openDatabase(filePath);
  // What is written, is written in its own thread: nothing here waits for the disk.
  database.pragma('query_only = ON');
  // The system keeps the file in memory too, and gives it back when others need that.
  database.pragma('cache_size = -8192');
  const keys = createCollectionKeys(database);
  const items = createItemStore(database, keys);
  const collections = createCollectionStore(database, keys);
  const searches = createSearchStore(database, items);
  const gone = createGoneStore(database, keys);
  const thumbnails = createThumbnailStore(database, items);
  const packer = new ItemPacker(database);
  const writing = new WritingThread(filePath, () => packer.reset());
  const catchingUp = new CatchingUp((options) => writing.run('catchUp', options));
  if (hasUncovered(database)) catchingUp.nudge();
  const overviews = new OverviewReader(filePath);
  if (hasTextBacklog(database)) void indexBacklog(writing);
  const text = new TextFinder(database, keys);
  const intake = new Intake({
    pack: (slice, fetchedAtMs) => packer.pack(slice, fetchedAtMs),
    commit: async (slices) => {
      try {
        await writing.run('saveItems', packer.tell(slices));
        catchingUp.nudge();
      } catch (thrown) {
        packer.reset();
        throw thrown;
      }
    },
  });
  const saveItems: Library['saveItems'] = (saved, fetchedAtMs) =>
    new Promise((resolve, reject) => {
      void intake.add({ items: saved, fetchedAtMs, onKept: resolve, onFailure: reject });
    });
  const library: Library = {
    engine: createSearchEngine({
      database,
      keys,
      queryablesOf: (id) => collections.queryables([id])?.value ?? null,
    }),
    saveItems,
    takeIn: (page) => intake.add({ ...page, onKept: () => page.onKept(library) }),
    settle: () => intake.settle(),
    catchUp: () => catchingUp.finish(),
    together: async (work) => {
      await intake.settle();
      await writing.run('begin', undefined);
      try {
        const result = await work(library);
        await intake.settle();
        await writing.run('commit', undefined);
        return result;
      } catch (thrown) {
        await intake.settle();
        await writing.run('undo', undefined);
        packer.reset();
        throw thrown;
      }
    },
    item: (ref) => intake.findWaiting(ref).reduce(joinWaiting, items.find(ref)),
    marksOf: (refs) => gone.marksOf(refs),
    markGone: (refs, atMs) => writing.run('markGone', { refs, atMs }),
    countItems: () => items.count(),
    findText: (sought, { limit }) => text.find(sought, limit),
    overview: () => overviews.read(),
    saveCollections: (saved, fetchedAtMs) =>
      writing.run('saveCollections', { collections: saved, fetchedAtMs }),
    collections: () => collections.all(),
    unlistedCollectionIds: () => collections.unlistedIds(),
    saveQueryables: (collectionIds, answer, fetchedAtMs) =>
      writing.run('saveQueryables', { collectionIds, answer, fetchedAtMs }),
    queryables: (ids) => collections.queryables(ids),
    saveSearch: (search, fetchedAtMs) => writing.run('saveSearch', { search, fetchedAtMs }),
    extendSearch: (run, page) => writing.run('extendSearch', { run, page }),
    forgetSearch: (searchNumber) => writing.run('forgetSearch', { searchNumber }),
    takeSearchBack: (searchNumber) => writing.run('takeSearchBack', { searchNumber }),
    pastSearches: ({ limit }) => searches.listPast(limit),
    runs: createRunStore(database, keys),
    pastSearch: (searchNumber) => searches.findPast(searchNumber),
    saveThumbnail: async (ref, thumbnail, fetchedAtMs) => {
      await intake.settleItem(ref);
      await writing.run('saveThumbnail', { ref, thumbnail, fetchedAtMs });
    },
    thumbnail: (ref) => thumbnails.find(ref),
    imports: createImports(database, keys, {
      saveItems,
      marksOf: (refs) => gone.marksOf(refs),
      begin: (origin) => writing.run('beginImport', origin),
      note: (batch) => writing.run('noteImported', batch),
    }),
    upkeep: createLibraryUpkeep({ database, writing, filePath }),
    endThreads: async () => {
      await intake.settle();
      catchingUp.close();
      await overviews.close();
      await writing.close();
      return () => void database.close();
    },
    close: async () => (await library.endThreads())(),
  };
  return library;
}

// Step by step, so that what is fetched meanwhile is written between. What fails is tried again at the next start.
async function indexBacklog(writing: WritingThread): Promise<void> {
  let isDone = false;
  while (!isDone) isDone = await writing.run('indexTextBacklog', undefined).catch(() => true);
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
