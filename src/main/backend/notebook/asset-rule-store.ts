import type { Database } from 'better-sqlite3';
import { assetRuleSchema, type AssetRule } from '#shared/selection/asset-rule.ts';

/** Which assets a person last downloaded of each collection. */
export interface AssetRuleStore {
  /** The rules of those collections that have one. */
  find(connectionId: string, collectionIds: readonly string[]): AssetRule[];
  save(connectionId: string, collectionIds: readonly string[], rule: AssetRule): void;
}

/** Prepares the statements. */
export function createAssetRuleStore(database: Database): AssetRuleStore {
  const select = database
    .prepare<[string, string], string>(
      'SELECT rule FROM asset_rule WHERE connection_id = ? AND collection_id = ?',
    )
    .pluck();
  const save = database.prepare('INSERT OR REPLACE INTO asset_rule VALUES (?, ?, ?)');
  return {
    find: (connectionId, collectionIds) =>
      collectionIds.flatMap((collectionId) => {
        const stored = select.get(connectionId, collectionId);
        const rule = stored === undefined ? null : assetRuleSchema.safeParse(JSON.parse(stored));
        return rule?.success ? [rule.data] : [];
      }),
    save: database.transaction((connectionId: string, collectionIds: readonly string[], rule: AssetRule) => {
      for (const collectionId of collectionIds) save.run(connectionId, collectionId, JSON.stringify(rule));
    }),
  };
}
