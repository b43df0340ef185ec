import { toQueryKey } from '#shared/search/query-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { ImportOrigin } from '../import-store.ts';
import type { Library } from '../library.ts';
import type { FoundPart } from './read-damaged.ts';

/** What came into a library from a damaged one. */
export interface RecoveredCounts {
  items: number;
  collections: number;
  thumbnails: number;
  searches: number;
}

/** Takes parts of a damaged library into a sound one. What that one has of its own is newer, and stays. */
export function createRecovery(library: Library): {
  readonly counts: RecoveredCounts;
  take(part: FoundPart): Promise<void>;
} {
  const counts: RecoveredCounts = { items: 0, collections: 0, thumbnails: 0, searches: 0 };
  const knownSearches = new Set(
    library.pastSearches({ limit: 100_000 }).map(({ query, fetchedAtMs }) => toKey(query, fetchedAtMs)),
  );
  const knownFiles = new Set(
    library.pastSearches({ limit: 100_000 }).flatMap(({ searchNumber }) => {
      const origin = library.imports.ofSearch(searchNumber);
      return origin ? [toFileKey(origin)] : [];
    }),
  );
  async function take(part: FoundPart): Promise<void> {
    const { fetchedAtMs } = part;
    switch (part.kind) {
      case 'items': {
        const items = part.items.filter(
          ({ ref }) => (library.item(ref)?.fetchedAtMs ?? -Infinity) <= fetchedAtMs,
        );
        await library.saveItems(items, fetchedAtMs);
        counts.items += part.items.length;
        return;
      }
      case 'thumbnail':
        if (library.thumbnail(part.ref) === null)
          await library.saveThumbnail(part.ref, part.thumbnail, fetchedAtMs);
        counts.thumbnails += 1;
        return;
      case 'collections':
        if (library.collections() === null) await library.saveCollections(part.collections, fetchedAtMs);
        counts.collections = part.collections.length;
        return;
      case 'queryables':
        if (library.queryables(part.collectionIds) === null)
          await library.saveQueryables(part.collectionIds, part.answer, fetchedAtMs);
        return;
      case 'search': {
        const key = toKey(part.search.query, fetchedAtMs);
        if (!knownSearches.has(key)) await library.saveSearch(part.search, fetchedAtMs);
        knownSearches.add(key);
        counts.searches += 1;
        return;
      }
      case 'file':
        if (!knownFiles.has(toFileKey(part.origin))) await takeFile(library, part);
        knownFiles.add(toFileKey(part.origin));
        counts.searches += 1;
    }
  }
  return { counts, take };
}

function toKey(query: Parameters<typeof toQueryKey>[0], fetchedAtMs: number): string {
  return `${String(fetchedAtMs)} ${toQueryKey(query)}`;
}

function toFileKey({ fileName, importedAtMs }: ImportOrigin): string {
  return `${String(importedAtMs)} ${fileName}`;
}

// Which of its Items no catalog gave since isn't known: rows of other tables look like those that say it.
async function takeFile(
  library: Library,
  { origin, refs }: { origin: ImportOrigin; refs: readonly ItemRef[] },
): Promise<void> {
  const searchNumber = await library.imports.begin(origin);
  await library.imports.note({ searchNumber, refs, takenRefs: [] });
}
