import type { Database } from 'better-sqlite3';

/** What can be pinned. */
export type PinKind = 'search' | 'area' | 'collection';

/** Something in a catalog's library that is never evicted. */
export interface Pin {
  connectionId: string;
  kind: PinKind;
  /** A search's query key, an area's number, a collection's id. */
  ref: string;
}

/** What a person wants to stay in the libraries whatever their limits. */
export interface PinStore {
  /** All of one catalog, oldest first; of all catalogs where none is named. */
  list(connectionId?: string): Pin[];
  has(pin: Pin): boolean;
  add(pin: Pin, createdAtMs: number): void;
  remove(pin: Pin): void;
  /** Calls back after each change; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

/** Prepares the statements of the pin table. */
export function createPinStore(database: Database): PinStore {
  const selectAll = database.prepare<[], Pin>(
    'SELECT connection_id AS connectionId, kind, ref FROM pin ORDER BY created_at_ms, kind, ref',
  );
  const selectOne = database
    .prepare<Pin, number>(
      'SELECT 1 FROM pin WHERE connection_id = :connectionId AND kind = :kind AND ref = :ref',
    )
    .pluck();
  const insert = database.prepare(
    'INSERT INTO pin VALUES (:connectionId, :kind, :ref, :createdAtMs) ON CONFLICT DO NOTHING',
  );
  const erase = database.prepare(
    'DELETE FROM pin WHERE connection_id = :connectionId AND kind = :kind AND ref = :ref',
  );
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return {
    list: (connectionId) =>
      selectAll.all().filter((pin) => connectionId === undefined || pin.connectionId === connectionId),
    has: (pin) => selectOne.get(pin) !== undefined,
    add(pin, createdAtMs) {
      insert.run({ ...pin, createdAtMs });
      tell();
    },
    remove(pin) {
      erase.run(pin);
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
