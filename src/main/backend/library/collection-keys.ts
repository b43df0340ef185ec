import type { Database } from 'better-sqlite3';

/** Collection ids and the row numbers that stand for them in other tables. */
export interface CollectionKeys {
  /** The row number, made if the collection is new. */
  keyOf(collectionId: string): number;
  findKey(collectionId: string): number | null;
  /** All collections that have a row, listed by the catalog or only named by items. */
  all(): { pk: number; id: string }[];
}

/** Prepares the look-ups; known keys are remembered, for a row number never changes. */
export function createCollectionKeys(database: Database): CollectionKeys {
  const known = new Map<string, number>();
  const select = database.prepare<[string], number>('SELECT pk FROM collection WHERE id = ?').pluck();
  const insert = database.prepare<[string]>('INSERT INTO collection (id) VALUES (?)');
  const selectAll = database.prepare<[], { pk: number; id: string }>(
    'SELECT pk, id FROM collection ORDER BY pk',
  );

  function findKey(collectionId: string): number | null {
    const pk = known.get(collectionId) ?? select.get(collectionId);
    // Remembered only once it is committed: a key made in a transaction that fails would dangle.
    if (pk !== undefined && !database.inTransaction) known.set(collectionId, pk);
    return pk ?? null;
  }

  return {
    findKey,
    keyOf: (collectionId) => findKey(collectionId) ?? Number(insert.run(collectionId).lastInsertRowid),
    all: () => selectAll.all(),
  };
}
