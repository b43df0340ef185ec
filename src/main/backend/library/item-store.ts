import type { Database } from 'better-sqlite3';
import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import type { CollectionKeys } from './collection-keys.ts';
import { shapesOf, unpackItem } from './item-json.ts';
import type { Kept } from './library.ts';

/** The Items of a library. */
export interface ItemStore {
  find(ref: ItemRef): Kept<IdentifiedItem> | null;
  /** Row number of an Item, for tables that refer to it. */
  findPk(ref: ItemRef): number | null;
  count(): number;
}

/** Prepares the statements of the item tables. */
export function createItemStore(database: Database, collectionKeys: CollectionKeys): ItemStore {
  const select = database.prepare<[number, string], { fetchedAtMs: number; isPartial: number; zstd: Buffer }>(
    `SELECT fetched_at_ms AS fetchedAtMs, is_partial AS isPartial, zstd FROM item JOIN item_json ON item_pk = pk WHERE collection_pk = ? AND id = ?`,
  );
  const shapes = shapesOf(database);
  const selectPk = database
    .prepare<[number, string], number>('SELECT pk FROM item WHERE collection_pk = ? AND id = ?')
    .pluck();
  const countAll = database.prepare<[], number>('SELECT count(*) FROM item').pluck();

  return {
    find(ref) {
      const collectionPk = collectionKeys.findKey(ref.collectionId);
      const row = collectionPk === null ? undefined : select.get(collectionPk, ref.itemId);
      if (!row) return null;
      const partial = row.isPartial === 1 ? { isPartial: true } : {};
      return {
        value: { ref, item: unpackItem(row.zstd, shapes), ...partial },
        fetchedAtMs: row.fetchedAtMs,
      };
    },
    findPk(ref) {
      const collectionPk = collectionKeys.findKey(ref.collectionId);
      return collectionPk === null ? null : (selectPk.get(collectionPk, ref.itemId) ?? null);
    },
    count: () => countAll.get() ?? 0,
  };
}

/** What is kept of an Item once another answer came: a partial one takes no whole one's place, and adds to a partial one. */
export function joinKept(kept: IdentifiedItem | undefined, newer: IdentifiedItem): IdentifiedItem {
  if (!newer.isPartial || !kept) return newer;
  return kept.isPartial ? { ...newer, item: joinPartial(kept.item, newer.item) } : kept;
}

// Two questions may have asked for different members of the same Item.
function joinPartial(older: StacItem, newer: StacItem): StacItem {
  const join = (name: 'properties' | 'assets') => {
    const [before, after] = [older[name], newer[name]];
    return isJsonObject(before) && isJsonObject(after) ? { [name]: { ...before, ...after } } : {};
  };
  return { ...older, ...newer, ...join('properties'), ...join('assets') };
}
