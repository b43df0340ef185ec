import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';
import type { ItemStore } from './item-store.ts';
import type { Kept, Thumbnail } from './library.ts';

/** The pictures of a library's Items. */
export interface ThumbnailStore {
  /** Does nothing for an Item that isn't in the library. */
  save(ref: ItemRef, thumbnail: Thumbnail, fetchedAtMs: number): void;
  find(ref: ItemRef): Kept<Thumbnail> | null;
}

/** Prepares the statements of the thumbnail table. */
export function createThumbnailStore(database: Database, items: ItemStore): ThumbnailStore {
  const upsert = database.prepare('INSERT OR REPLACE INTO thumbnail VALUES (?, ?, ?, ?)');
  const select = database.prepare<[number], Thumbnail & { fetchedAtMs: number }>(
    'SELECT media_type AS mediaType, bytes, fetched_at_ms AS fetchedAtMs FROM thumbnail WHERE item_pk = ?',
  );
  return {
    save(ref, { mediaType, bytes }, fetchedAtMs) {
      const pk = items.findPk(ref);
      if (pk !== null) upsert.run(pk, mediaType, bytes, fetchedAtMs);
    },
    find(ref) {
      const pk = items.findPk(ref);
      const row = pk === null ? undefined : select.get(pk);
      return row
        ? { value: { mediaType: row.mediaType, bytes: row.bytes }, fetchedAtMs: row.fetchedAtMs }
        : null;
    },
  };
}
