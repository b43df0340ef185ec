import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';

/** Which Items of each saved search a person has seen. */
export interface ItemMarks {
  /** Places in the list of Items that have no mark. Short lists: this is one task. */
  findNew(savedSearchId: number, refs: readonly ItemRef[]): number[];
  /** In one transaction. Short lists: this is one task. */
  add(savedSearchId: number, refs: readonly ItemRef[]): void;
}

/** Prepares the statements of the marks. A saved search that was removed meanwhile has nothing to remember. */
export function createItemMarks(database: Database): ItemMarks {
  const select = database
    .prepare<unknown[], number>(
      'SELECT 1 FROM seen_item WHERE saved_search_id = ? AND collection_id = ? AND item_id = ?',
    )
    .pluck();
  const insert = database.prepare(
    `INSERT OR IGNORE INTO seen_item (saved_search_id, collection_id, item_id)
     SELECT saved_search_id, ?, ? FROM saved_search WHERE saved_search_id = ?`,
  );
  const add = database.transaction<ItemMarks['add']>((savedSearchId, refs) => {
    for (const { collectionId, itemId } of refs) insert.run(collectionId, itemId, savedSearchId);
  });
  return {
    findNew: (savedSearchId, refs) =>
      refs.flatMap(({ collectionId, itemId }, index) =>
        select.get(savedSearchId, collectionId, itemId) === undefined ? [index] : [],
      ),
    add: (savedSearchId, refs) => add.immediate(savedSearchId, refs),
  };
}
