import type { Database } from 'better-sqlite3';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { CollectionKeys } from './collection-keys.ts';
import type { Kept } from './library.ts';
import { parseStored } from './read-stored.ts';

/** The collections of a library and what can be asked of them. */
export interface CollectionStore {
  saveAll(collections: readonly StacCollection[], fetchedAtMs: number): void;
  all(): Kept<StacCollection[]> | null;
  /** Those that the catalog didn't list, and Items are of. */
  unlistedIds(): string[];
  saveQueryables(collectionIds: readonly string[], answer: JsonObject, fetchedAtMs: number): void;
  queryables(collectionIds: readonly string[]): Kept<JsonObject> | null;
}

interface JsonRow {
  json: string;
  fetchedAtMs: number;
}

/** Prepares the statements of the collection and queryables tables. */
export function createCollectionStore(database: Database, keys: CollectionKeys): CollectionStore {
  const forgetAll = database.prepare(
    'UPDATE collection SET position = NULL, json = NULL, fetched_at_ms = NULL',
  );
  const update = database.prepare(
    'UPDATE collection SET position = ?, json = ?, fetched_at_ms = ? WHERE pk = ?',
  );
  const select = database.prepare<[], JsonRow>(
    'SELECT json, fetched_at_ms AS fetchedAtMs FROM collection WHERE json IS NOT NULL ORDER BY position',
  );
  // Wherever there are Items there is a shape of theirs.
  const selectUnlisted = database
    .prepare<[], string>(
      `SELECT id FROM collection WHERE json IS NULL
       AND EXISTS (SELECT 1 FROM item_shape WHERE collection_pk = collection.pk) ORDER BY id`,
    )
    .pluck();
  const upsertQueryables = database.prepare('INSERT OR REPLACE INTO queryables VALUES (?, ?, ?)');
  const selectQueryables = database.prepare<[string], JsonRow>(
    'SELECT json, fetched_at_ms AS fetchedAtMs FROM queryables WHERE collections = ?',
  );

  return {
    saveAll: database.transaction((collections: readonly StacCollection[], fetchedAtMs: number) => {
      forgetAll.run();
      collections.forEach((collection, position) => {
        update.run(position, JSON.stringify(collection), fetchedAtMs, keys.keyOf(collection.id));
      });
    }),
    all() {
      const rows = select.all();
      const [first] = rows;
      if (!first) return null;
      return {
        value: rows.map((row) => parseStored('A collection', row.json) as StacCollection),
        fetchedAtMs: first.fetchedAtMs,
      };
    },
    unlistedIds: () => selectUnlisted.all(),
    saveQueryables: (collectionIds, answer, fetchedAtMs) => {
      upsertQueryables.run(toQueryablesKey(collectionIds), JSON.stringify(answer), fetchedAtMs);
    },
    queryables(collectionIds) {
      const row = selectQueryables.get(toQueryablesKey(collectionIds));
      return row
        ? { value: parseStored('An answer', row.json) as JsonObject, fetchedAtMs: row.fetchedAtMs }
        : null;
    },
  };
}

// A JSON list, because an id may hold any separator.
function toQueryablesKey(collectionIds: readonly string[]): string {
  return JSON.stringify([...new Set(collectionIds)].sort());
}
