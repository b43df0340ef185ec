import type { Database } from 'better-sqlite3';
import { askableQuerySchema, type SearchQuery } from '#shared/search/search-query.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { CollectionKeys } from './collection-keys.ts';
import { parseStored } from './read-stored.ts';

/** More records than these tell nothing new about what is complete, and reading each takes time. */
const maxCompleteRuns = 500;

/** An Item as a run of a search brought it. */
export interface RunItem {
  ref: ItemRef;
  position: number;
}

/** A run of a search that brought all there was. */
export interface CompleteRun {
  searchNumber: number;
  query: SearchQuery;
  fetchedAtMs: number;
}

/** What is different between two runs. Items whose content wasn't noted in both count as unchanged. */
export interface RunDifference {
  added: ItemRef[];
  changed: ItemRef[];
  missing: ItemRef[];
  /** Items of each run that were evicted since: whether the other had them too can't be told. */
  evictedCounts: { older: number; newer: number };
}

/** What single runs of searches brought. */
export interface RunStore {
  /** Items of a run in its order, from a position on. */
  items(searchNumber: number, page: { from: number; limit: number }): RunItem[];
  /** Newest first. One of which Items were evicted since no longer tells what is all here. */
  completeRuns(): CompleteRun[];
  /** Numbers of the runs of the same question, newest first. */
  numbersOf(searchNumber: number): number[];
  /** Numbers and questions of the runs before one that a catalog answered, newest first. */
  earlierRuns(searchNumber: number, limit: number): { searchNumber: number; query: SearchQuery }[];
  /**
   * Of the Items from one position of an earlier run to another: those that this run didn't bring, and that aren't marked
   * as gone yet.
   */
  missing(searchNumber: number, earlier: { number: number; from: number; to: number }): ItemRef[];
  /** Which of some Items a run didn't bring. */
  lacking(searchNumber: number, refs: readonly ItemRef[]): ItemRef[];
  /** How many positions a run has. */
  countPositions(searchNumber: number): number;
  /** How many Items of a run were evicted since. */
  countEvicted(searchNumber: number): number;
  compare(older: number, newer: number): RunDifference;
}

/** Prepares the statements about runs. */
export function createRunStore(database: Database, keys: CollectionKeys): RunStore {
  const items = database.prepare<[number, number, number], Row & { position: number }>(
    `SELECT position, collection_pk AS collectionPk, id FROM search_item JOIN item ON pk = item_pk
       WHERE search_number = ? AND position >= ? ORDER BY position LIMIT ?`,
  );
  const complete = database.prepare<[number], QueryRow>(
    `SELECT number, query, fetched_at_ms AS fetchedAtMs FROM search WHERE is_complete = 1 AND evicted_count = 0
       ORDER BY number DESC LIMIT ?`,
  );
  const sameQuestion = database
    .prepare<[number], number>(
      `SELECT other.number FROM search JOIN search AS other
         ON other.query_key = search.query_key AND other.local_filter IS search.local_filter
       WHERE search.number = ? ORDER BY other.number DESC`,
    )
    .pluck();
  // What a file has, no catalog need ever have had.
  const earlier = database.prepare<[number, number], QueryRow>(
    `SELECT number, query, fetched_at_ms AS fetchedAtMs FROM search
       WHERE number < ? AND NOT EXISTS (SELECT 1 FROM import WHERE search_number = search.number)
       ORDER BY number DESC LIMIT ?`,
  );
  const missing = database.prepare<[number, number, number, number], Row>(
    `SELECT collection_pk AS collectionPk, id FROM search_item AS one JOIN item ON pk = one.item_pk
       WHERE one.search_number = ? AND one.position >= ? AND one.position < ?
         AND NOT EXISTS (SELECT 1 FROM search_item WHERE item_pk = one.item_pk AND search_number = ?)
         AND NOT EXISTS (SELECT 1 FROM gone_item WHERE item_pk = one.item_pk)`,
  );
  const isIn = database
    .prepare<[number, string, number], number>(
      `SELECT EXISTS (SELECT 1 FROM item JOIN search_item ON item_pk = pk
         WHERE collection_pk = ? AND id = ? AND search_number = ?)`,
    )
    .pluck();
  const lastPosition = database
    .prepare<[number], number | null>('SELECT max(position) FROM search_item WHERE search_number = ?')
    .pluck();
  const evictedCount = database
    .prepare<[number], number>('SELECT evicted_count FROM search WHERE number = ?')
    .pluck();
  const onlyIn = database.prepare<[number, number], Row>(
    `SELECT collection_pk AS collectionPk, id FROM search_item AS one JOIN item ON pk = one.item_pk
       WHERE one.search_number = ?
         AND NOT EXISTS (SELECT 1 FROM search_item WHERE item_pk = one.item_pk AND search_number = ?)
       ORDER BY one.position`,
  );
  const changed = database.prepare<[number, number], Row>(
    `SELECT collection_pk AS collectionPk, item.id FROM search_item AS newer
       JOIN search_item AS older ON older.item_pk = newer.item_pk
       JOIN item ON item.pk = newer.item_pk
       WHERE newer.search_number = ? AND older.search_number = ? AND newer.content_hash <> older.content_hash
       ORDER BY newer.position`,
  );
  const queries = new Map<string, SearchQuery | null>();

  const toRefs = (rows: readonly Row[]): ItemRef[] => {
    const ids = new Map(keys.all().map(({ pk, id }) => [pk, id]));
    return rows.map(({ collectionPk, id }) => ({ collectionId: ids.get(collectionPk) ?? '', itemId: id }));
  };

  const countEvicted = (searchNumber: number): number => evictedCount.get(searchNumber) ?? 0;

  // Reading takes time. Not known by the record's number: that of a forgotten one is given again.
  const readQuery = ({ query }: QueryRow): SearchQuery | null => {
    const known = queries.get(query);
    if (known !== undefined) return known;
    const read = askableQuerySchema.safeParse(parseStored('A search', query)).data ?? null;
    queries.set(query, read);
    return read;
  };
  const withQuery = (row: QueryRow) => {
    const query = readQuery(row);
    return query ? [{ searchNumber: row.number, query, fetchedAtMs: row.fetchedAtMs }] : [];
  };

  return {
    items(searchNumber, { from, limit }) {
      const rows = items.all(searchNumber, from, limit);
      const refs = toRefs(rows);
      return rows.flatMap(({ position }, index) => (refs[index] ? [{ ref: refs[index], position }] : []));
    },
    completeRuns: () => complete.all(maxCompleteRuns).flatMap(withQuery),
    numbersOf: (searchNumber) => sameQuestion.all(searchNumber),
    earlierRuns: (searchNumber, limit) => earlier.all(searchNumber, limit).flatMap(withQuery),
    missing: (searchNumber, { number, from, to }) => toRefs(missing.all(number, from, to, searchNumber)),
    lacking: (searchNumber, refs) =>
      refs.filter(({ collectionId, itemId }) => {
        const collectionPk = keys.findKey(collectionId);
        return collectionPk === null || isIn.get(collectionPk, itemId, searchNumber) === 0;
      }),
    countPositions: (searchNumber) => (lastPosition.get(searchNumber) ?? -1) + 1,
    countEvicted,
    compare: (older, newer) => ({
      added: toRefs(onlyIn.all(newer, older)),
      changed: toRefs(changed.all(newer, older)),
      missing: toRefs(onlyIn.all(older, newer)),
      evictedCounts: { older: countEvicted(older), newer: countEvicted(newer) },
    }),
  };
}

interface Row {
  collectionPk: number;
  id: string;
}

interface QueryRow {
  number: number;
  query: string;
  fetchedAtMs: number;
}
