import type { Database } from 'better-sqlite3';

/** One small step of an eviction. */
export interface EvictionStep {
  itemPks: readonly number[];
  /** An Item fetched again since then stays. Milliseconds since 1970. */
  untilMs: number;
}

/**
 * Takes Items out with all that hangs on them, in one transaction; returns how many there were. The records of past
 * searches stay, and know how many of their Items are gone.
 */
export function evictItems(database: Database, { itemPks, untilMs }: EvictionStep): number {
  const evict = database.transaction(() => {
    const pks = JSON.stringify(
      database
        .prepare<[string, number], number>(
          'SELECT pk FROM item WHERE pk IN (SELECT value FROM json_each(?)) AND fetched_at_ms <= ?',
        )
        .pluck()
        .all(JSON.stringify(itemPks), untilMs),
    );
    const gone = 'SELECT value FROM json_each(?)';
    database
      .prepare(
        `UPDATE search SET evicted_count = evicted_count + gone.count,
           position_count = max(position_count,
             (SELECT max(position) + 1 FROM search_item WHERE search_number = number))
         FROM (SELECT search_number, count(*) AS count FROM search_item WHERE item_pk IN (${gone})
               GROUP BY search_number) AS gone
         WHERE gone.search_number = number`,
      )
      .run(pks);
    return database.prepare(`DELETE FROM item WHERE pk IN (${gone})`).run(pks).changes;
  });
  // It reads first: another program that writes in between would have it fail without waiting.
  return evict.immediate();
}

/** Forgets searches older than a moment, but for those whose query is kept; returns how many. */
export function forgetSearches(
  database: Database,
  { beforeMs, keptQueryKeys }: { beforeMs: number; keptQueryKeys: readonly string[] },
): number {
  return database
    .prepare(
      'DELETE FROM search WHERE fetched_at_ms < ? AND query_key NOT IN (SELECT value FROM json_each(?))',
    )
    .run(beforeMs, JSON.stringify(keptQueryKeys)).changes;
}
