import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';

/** Keys of the assets of an Item that a rule has dealt with; `all`: what may be published later is not for it either. */
export type DealtWith = readonly string[] | 'all';

/** An Item, and what a rule has dealt with of it. */
export interface RuleMark {
  ref: ItemRef;
  dealtWith: DealtWith;
}

/** What the rules have dealt with. */
export interface RuleMarks {
  /** Of each Item of a list; null: nothing. Short lists: this is one task. */
  dealtWith(savedSearchId: number, refs: readonly ItemRef[]): (DealtWith | null)[];
  /** In place of what was noted before, in one transaction. Short lists: this is one task. */
  add(savedSearchId: number, marks: readonly RuleMark[]): void;
}

/** Prepares the statements. A rule that was removed meanwhile has nothing to remember. */
export function createRuleMarks(database: Database): RuleMarks {
  const select = database.prepare<unknown[], { assetKeys: string | null }>(
    `SELECT asset_keys AS assetKeys FROM rule_item
     WHERE saved_search_id = ? AND collection_id = ? AND item_id = ?`,
  );
  const insert = database.prepare(
    `INSERT OR REPLACE INTO rule_item (saved_search_id, collection_id, item_id, asset_keys)
     SELECT saved_search_id, ?, ?, ? FROM download_rule WHERE saved_search_id = ?`,
  );
  const add = database.transaction<RuleMarks['add']>((savedSearchId, marks) => {
    for (const { ref, dealtWith } of marks) {
      const assetKeys = dealtWith === 'all' ? null : JSON.stringify(dealtWith);
      insert.run(ref.collectionId, ref.itemId, assetKeys, savedSearchId);
    }
  });
  return {
    dealtWith: (savedSearchId, refs) =>
      refs.map(({ collectionId, itemId }) => {
        const row = select.get(savedSearchId, collectionId, itemId);
        if (row === undefined) return null;
        return row.assetKeys === null ? 'all' : (JSON.parse(row.assetKeys) as string[]);
      }),
    add: (savedSearchId, marks) => add.immediate(savedSearchId, marks),
  };
}
