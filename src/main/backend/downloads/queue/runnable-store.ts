import type { Database } from 'better-sqlite3';
import { boundAs } from './select-transfers.ts';

/** Transfers that have a slot or want one, on disk. However many there are, the first is found by an index. */
export interface RunnableStore {
  /** Where they are had from. */
  sources(): FileSource[];
  /**
   * The first in the queue's order, of those from these sources and of those that only get their names, which takes no
   * server; none of `except`.
   */
  first(sources: readonly FileSource[], except: Iterable<number>): number | null;
  hasAny(): boolean;
}

/** Where files are had from, as far as it is known: the origin that they were begun from, or else their collection. */
export interface FileSource {
  /** As the index has it. */
  key: string | number;
  origin: string | null;
  collection: { connectionId: string; collectionId: string } | null;
}

interface Ranked {
  transferId: number;
  priority: number;
  position: number;
}

// To the letter as the index `transfer_runnable` has them, or SQLite doesn't use it.
const isRunnable = "state IN ('queued', 'preparing', 'downloading', 'verifying', 'finalizing')";
const source = 'coalesce(source_origin, collection_pk)';
// Not of an order that is still being written down.
const inOrder = 'CROSS JOIN download d ON d.download_id = t.download_id AND d.queued_at_ms IS NOT NULL';
const selectRanked = 'SELECT t.transfer_id AS transferId, t.priority AS priority, t.position AS position';

/** What may run of an open queue. */
export function createRunnableStore(database: Database): RunnableStore {
  const selectNextSource = database
    .prepare<[string | number], string | number | null>(
      `SELECT min(${source}) FROM transfer INDEXED BY transfer_runnable WHERE ${isRunnable} AND ${source} > ?`,
    )
    .pluck();
  const selectCollection = database.prepare<[number], { connectionId: string; collectionId: string }>(
    `SELECT connection_id AS connectionId, collection_id AS collectionId FROM ordered_collection
     WHERE collection_pk = ?`,
  );
  // Those that run stand before all others, and to be handed each of them takes longer than to pass it over.
  const isFree = `t.transfer_id NOT IN (SELECT value FROM json_each(${boundAs('except')}))`;
  const selectFrom = database.prepare<{ key: string | number; except: string }, Ranked>(
    `${selectRanked} FROM transfer t INDEXED BY transfer_runnable ${inOrder}
     WHERE ${isRunnable} AND ${source} = ${boundAs('key')} AND ${isFree} ORDER BY t.priority DESC, t.position LIMIT 1`,
  );
  const selectNamed = database.prepare<{ except: string }, Ranked>(
    `${selectRanked} FROM transfer t INDEXED BY transfer_by_state ${inOrder}
     WHERE t.state = 'finalizing' AND ${isFree} ORDER BY t.priority DESC, t.position LIMIT 1`,
  );
  const selectAny = database.prepare(
    `SELECT 1 FROM transfer t INDEXED BY transfer_runnable ${inOrder} WHERE ${isRunnable} LIMIT 1`,
  );

  function toSource(key: string | number): FileSource {
    if (typeof key === 'string') return { key, origin: key, collection: null };
    return { key, origin: null, collection: selectCollection.get(key) ?? null };
  }

  return {
    sources() {
      const found: FileSource[] = [];
      // Numbers come before texts.
      let key = selectNextSource.get(-1) ?? null;
      for (; key !== null; key = selectNextSource.get(key) ?? null) found.push(toSource(key));
      return found;
    },
    first(sources, busy) {
      const except = JSON.stringify([...busy]);
      const firsts = sources.map(({ key }) => selectFrom.get({ key, except }));
      const found = [...firsts, selectNamed.get({ except })].filter((one) => one !== undefined);
      return found.sort(byRank)[0]?.transferId ?? null;
    },
    hasAny: () => selectAny.get() !== undefined,
  };
}

function byRank(a: Ranked, b: Ranked): number {
  return b.priority - a.priority || a.position - b.position;
}
