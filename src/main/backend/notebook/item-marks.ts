import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';

/** Which Items each saved search or rule has dealt with. */
export interface ItemMarks {
  /** Places in the list of Items that have no mark. Short lists: this is one task. */
  findNew(savedSearchId: number, refs: readonly ItemRef[]): number[];
  /** In one transaction. Short lists: this is one task. */
  add(savedSearchId: number, refs: readonly ItemRef[]): void;
}

/** Prepares the statements of a table of marks. An owner that was removed meanwhile has nothing to remember. */
export function createItemMarks(
  database: Database,
  { table, owner }: { table: 'seen_item' | 'rule_item'; owner: 'saved_search' | 'download_rule' },
): ItemMarks {
  const select = database
    .prepare<unknown[], number>(
      `SELECT 1 FROM ${table} WHERE saved_search_id = ? AND collection_id = ? AND item_id = ?`,
    )
    .pluck();
  const insert = database.prepare(
    `INSERT OR IGNORE INTO ${table} (saved_search_id, collection_id, item_id)
     SELECT saved_search_id, ?, ? FROM ${owner} WHERE saved_search_id = ?`,
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
