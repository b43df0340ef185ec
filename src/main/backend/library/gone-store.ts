import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';
import type { CollectionKeys } from './collection-keys.ts';

/** What is known of a kept Item beside its content. */
export interface ItemMarks {
  isPartial: boolean;
  fetchedAtMs: number;
  /** When the catalog was found to have it no more; null while it isn't known to be gone. */
  goneAtMs: number | null;
}

/** Which Items the catalog no longer has. An Item that comes again is no longer marked: a trigger sees to that. */
export interface GoneStore {
  /** Marks Items that were last fetched before that moment. */
  mark(refs: readonly ItemRef[], atMs: number): void;
  marksOf(refs: readonly ItemRef[]): (ItemMarks | null)[];
}

/** Prepares the statements of the marks. */
export function createGoneStore(database: Database, keys: CollectionKeys): GoneStore {
  const insert = database.prepare<[number, number, string, number]>(
    `INSERT INTO gone_item (item_pk, at_ms)
       SELECT pk, ? FROM item WHERE collection_pk = ? AND id = ? AND fetched_at_ms < ?
       ON CONFLICT (item_pk) DO NOTHING`,
  );
  const select = database.prepare<[number, string], Omit<ItemMarks, 'isPartial'> & { isPartial: number }>(
    `SELECT is_partial AS isPartial, fetched_at_ms AS fetchedAtMs, at_ms AS goneAtMs
       FROM item LEFT JOIN gone_item ON item_pk = pk WHERE collection_pk = ? AND id = ?`,
  );
  const mark = database.transaction((refs: readonly ItemRef[], atMs: number) => {
    for (const { collectionId, itemId } of refs) {
      const collectionPk = keys.findKey(collectionId);
      if (collectionPk !== null) insert.run(atMs, collectionPk, itemId, atMs);
    }
  });
  return {
    // It may read first: another program that writes in between would have it fail without waiting.
    mark: (refs, atMs) => mark.immediate(refs, atMs),
    marksOf: (refs) =>
      refs.map(({ collectionId, itemId }) => {
        const collectionPk = keys.findKey(collectionId);
        const marks = collectionPk === null ? undefined : select.get(collectionPk, itemId);
        return marks ? { ...marks, isPartial: marks.isPartial === 1 } : null;
      }),
  };
}
