import type { Database } from 'better-sqlite3';
import {
  bboxOf,
  cloudCoverOf,
  timeOf,
  type IdentifiedItem,
  type ItemRef,
  type StacItem,
} from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import type { CollectionKeys } from './collection-keys.ts';
import { indexedBoxes } from './columns/indexed-boxes.ts';
import { packItem, unpackItem } from './item-json.ts';
import type { Kept } from './library.ts';

/** Sort key of Items that name no time: they come last, newest first. */
export const missingDatetimeMicros = Number.MIN_SAFE_INTEGER;

/** The Items of a library. */
export interface ItemStore {
  save(items: readonly IdentifiedItem[], fetchedAtMs: number): void;
  find(ref: ItemRef): Kept<IdentifiedItem> | null;
  /** Row number of an Item, for tables that refer to it. */
  findPk(ref: ItemRef): number | null;
  count(): number;
}

/** Prepares the statements of the item tables. */
export function createItemStore(database: Database, collectionKeys: CollectionKeys): ItemStore {
  const upsert = database
    .prepare(
      `INSERT INTO item (collection_pk, id, datetime_us, start_us, end_us, cloud_cover, west, south, east, north, fetched_at_ms,
         is_partial)
       VALUES (:collectionPk, :id, :datetime, :start, :end, :cloudCover, :west, :south, :east, :north, :fetchedAtMs, :isPartial)
       ON CONFLICT (collection_pk, id) DO UPDATE SET
         datetime_us = excluded.datetime_us, start_us = excluded.start_us, end_us = excluded.end_us,
         cloud_cover = excluded.cloud_cover, west = excluded.west, south = excluded.south, east = excluded.east,
         north = excluded.north, fetched_at_ms = excluded.fetched_at_ms, is_partial = excluded.is_partial
       RETURNING pk`,
    )
    .pluck();
  const saveJson = database.prepare('INSERT OR REPLACE INTO item_json (item_pk, zstd) VALUES (?, ?)');
  const removeBoxes = database.prepare('DELETE FROM item_box WHERE id IN (?, ?)');
  const addBox = database.prepare(
    'INSERT INTO item_box (id, west, east, south, north) VALUES (?, ?, ?, ?, ?)',
  );
  const select = database.prepare<[number, string], { fetchedAtMs: number; isPartial: number; zstd: Buffer }>(
    `SELECT fetched_at_ms AS fetchedAtMs, is_partial AS isPartial, zstd FROM item JOIN item_json ON item_pk = pk WHERE collection_pk = ? AND id = ?`,
  );
  const selectPk = database
    .prepare<[number, string], number>('SELECT pk FROM item WHERE collection_pk = ? AND id = ?')
    .pluck();
  const countAll = database.prepare<[], number>('SELECT count(*) FROM item').pluck();

  function find(ref: ItemRef): Kept<IdentifiedItem> | null {
    const collectionPk = collectionKeys.findKey(ref.collectionId);
    const row = collectionPk === null ? undefined : select.get(collectionPk, ref.itemId);
    if (!row) return null;
    const partial = row.isPartial === 1 ? { isPartial: true } : {};
    return { value: { ref, item: unpackItem(row.zstd), ...partial }, fetchedAtMs: row.fetchedAtMs };
  }

  function saveOne(one: IdentifiedItem, fetchedAtMs: number): void {
    const kept = one.isPartial ? find(one.ref)?.value : undefined;
    const joined = joinKept(kept, one);
    if (joined !== kept) write(joined, fetchedAtMs);
  }

  function write({ ref, item, isPartial = false }: IdentifiedItem, fetchedAtMs: number): void {
    const { datetimeMicros, startMicros, endMicros } = timeOf(item);
    const bbox = bboxOf(item);
    const [west = null, south = null, east = null, north = null] = bbox ?? [];
    const pk = upsert.get({
      collectionPk: collectionKeys.keyOf(ref.collectionId),
      id: ref.itemId,
      datetime: datetimeMicros ?? missingDatetimeMicros,
      start: startMicros,
      end: endMicros,
      cloudCover: cloudCoverOf(item),
      west,
      south,
      east,
      north,
      fetchedAtMs,
      isPartial: Number(isPartial),
    }) as number;
    saveJson.run(pk, packItem(item));
    removeBoxes.run(pk, -pk);
    indexedBoxes(item).forEach(([w, s, e, n], index) => addBox.run(index === 0 ? pk : -pk, w, e, s, n));
  }

  return {
    save: database.transaction((items: readonly IdentifiedItem[], fetchedAtMs: number) => {
      for (const one of items) saveOne(one, fetchedAtMs);
    }),
    find,
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
