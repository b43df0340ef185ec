import type { Database } from 'better-sqlite3';
import { localFilterSchema } from '#shared/search/local-filter.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import { askableQuerySchema } from '#shared/search/search-query.ts';
import { isProcessAlive } from '../is-process-alive.ts';
import type { ItemStore } from './item-store.ts';
import type { KeptPart, KeptSearch, PastSearch, RunRef } from './library.ts';
import { parseStored } from './read-stored.ts';

/** The searches that were made and what they answered, in order. */
export interface SearchStore {
  save(search: KeptSearch, fetchedAtMs: number): number;
  /** False where that record isn't here any more. */
  extend(run: RunRef, page: KeptPart): boolean;
  /** Forgets all runs of the same question: they are no longer listed, and go with `eraseForgotten`. */
  forget(searchNumber: number): void;
  /** Undoes `forget`; false when they are gone already. */
  takeBack(searchNumber: number): boolean;
  /** Of this program, or of those that ended: what another one that runs forgot may be taken back there. */
  eraseForgotten(by: 'this program' | 'programs that ended'): void;
  listPast(limit: number): PastSearch[];
  findPast(searchNumber: number): PastSearch | null;
}

/**
 * Stands before the key of a search that is to be erased, with the number of the process that forgot it: no question is
 * found by that, and no question's key begins so.
 */
const forgotten = `forgotten ${String(process.pid).padStart(10, '0')} `;
const isForgotten = `query_key >= 'forgotten ' AND query_key < 'forgotten!'`;
const forgottenBy = `CAST(substr(query_key, 11, 10) AS INTEGER)`;

/** Prepares the statements of the search tables. */
export function createSearchStore(database: Database, items: ItemStore): SearchStore {
  const insert = database.prepare(
    `INSERT INTO search (query_key, query, local_filter, left_out_count, matched, is_complete, fetched_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE search SET matched = coalesce(?, matched), is_complete = ?, left_out_count = left_out_count + ?
     WHERE number = ? AND query_key IN (?, ?) AND fetched_at_ms = ?`,
  );
  const selectPast = (condition: string) =>
    database.prepare<[number], PastRow>(
      `SELECT number, query, local_filter AS localFilter, matched, is_complete AS isComplete,
         fetched_at_ms AS fetchedAtMs,
         max(position_count,
           coalesce((SELECT max(position) + 1 FROM search_item WHERE search_number = number), 0)) - left_out_count
           AS count, evicted_count AS evictedCount
       FROM search WHERE ${condition}`,
    );
  const newest = selectPast(
    `number IN (SELECT max(number) FROM search WHERE NOT (${isForgotten}) GROUP BY query_key, local_filter)
     ORDER BY number DESC LIMIT ?`,
  );
  const byNumber = selectPast(`number = ? AND NOT (${isForgotten})`);
  const nextPosition = database
    .prepare<{ number: number }, number>(
      `SELECT max(coalesce((SELECT position_count FROM search WHERE number = :number), 0),
         coalesce((SELECT max(position) + 1 FROM search_item WHERE search_number = :number), 0))`,
    )
    .pluck();
  const addItem = database.prepare(
    'INSERT INTO search_item (search_number, position, item_pk, content_hash) VALUES (?, ?, ?, ?)',
  );
  // A light item takes no whole one's place, and is back all the same. Not by what a pack brings of before.
  const noteBack = database.prepare('DELETE FROM gone_item WHERE item_pk = ? AND at_ms <= ?');

  const ofSameQuestion = `number IN (
    SELECT other.number FROM search JOIN search AS other
      ON other.query_key = search.query_key AND other.local_filter IS search.local_filter
    WHERE search.number = :searchNumber)`;
  const forget = database.prepare(
    `UPDATE search SET query_key = '${forgotten}' || query_key WHERE ${ofSameQuestion} AND NOT (${isForgotten})`,
  );
  const takeBack = database.prepare(
    `UPDATE search SET query_key = substr(query_key, ${String(forgotten.length + 1)})
     WHERE ${ofSameQuestion} AND ${isForgotten}`,
  );
  const forgetters = database
    .prepare<[], number>(`SELECT DISTINCT ${forgottenBy} FROM search WHERE ${isForgotten}`)
    .pluck();
  const erase = database.prepare(`DELETE FROM search WHERE ${isForgotten} AND ${forgottenBy} = ?`);

  function addItems(
    { searchNumber, fetchedAtMs }: Pick<RunRef, 'searchNumber' | 'fetchedAtMs'>,
    { items: refs, contentHashes = [] }: KeptPart,
  ): void {
    let position = nextPosition.get({ number: searchNumber }) ?? 0;
    for (const [index, ref] of refs.entries()) {
      const pk = items.findPk(ref);
      if (pk === null) continue;
      addItem.run(searchNumber, position++, pk, contentHashes[index] ?? null);
      noteBack.run(pk, fetchedAtMs);
    }
  }

  return {
    save: database.transaction((search: KeptSearch, fetchedAtMs: number) => {
      const { query, localFilter, leftOutCount, matched, isComplete } = search;
      const { lastInsertRowid } = insert.run(
        toQueryKey(query),
        JSON.stringify(query),
        localFilter && JSON.stringify(localFilter),
        leftOutCount,
        matched,
        Number(isComplete),
        fetchedAtMs,
      );
      const searchNumber = Number(lastInsertRowid);
      addItems({ searchNumber, fetchedAtMs }, search);
      return searchNumber;
    }),
    extend: database.transaction(({ searchNumber, query, fetchedAtMs }: RunRef, page: KeptPart) => {
      const { matched, isComplete, leftOutCount } = page;
      const key = toQueryKey(query);
      const run = [searchNumber, key, forgotten + key, fetchedAtMs];
      if (update.run(matched, Number(isComplete), leftOutCount, ...run).changes === 0) return false;
      addItems({ searchNumber, fetchedAtMs }, page);
      return true;
    }),
    forget: (searchNumber) => void forget.run({ searchNumber }),
    takeBack: (searchNumber) => takeBack.run({ searchNumber }).changes > 0,
    eraseForgotten(by) {
      // An earlier version wrote no number.
      const hasEnded = (pid: number) => pid === 0 || !isProcessAlive(pid);
      const isTheirs = by === 'this program' ? (pid: number) => pid === process.pid : hasEnded;
      for (const pid of forgetters.all().filter(isTheirs)) erase.run(pid);
    },
    listPast: (limit) => newest.all(limit).flatMap(toPastSearch),
    findPast: (searchNumber) => byNumber.all(searchNumber).flatMap(toPastSearch)[0] ?? null,
  };
}

interface PastRow {
  number: number;
  query: string;
  localFilter: string | null;
  count: number;
  evictedCount: number;
  matched: number | null;
  isComplete: number;
  fetchedAtMs: number;
}

// A record that another version wrote may not read as a question any more: then it can't be asked again either.
function toPastSearch(row: PastRow): PastSearch[] {
  const { number: searchNumber, count, evictedCount, matched, fetchedAtMs } = row;
  const query = askableQuerySchema.safeParse(parseStored('A search', row.query));
  const localFilter = localFilterSchema
    .nullable()
    .safeParse(parseStored('A search', row.localFilter ?? 'null'));
  if (!query.success || !localFilter.success) return [];
  return [
    {
      searchNumber,
      query: query.data,
      localFilter: localFilter.data,
      count,
      evictedCount,
      matched,
      isComplete: row.isComplete === 1,
      fetchedAtMs,
    },
  ];
}
