import type { Database } from 'better-sqlite3';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { ItemStore } from './item-store.ts';
import type { KeptSearch } from './library.ts';

/** The searches that were made and what they answered, in order. */
export interface SearchStore {
  save(search: KeptSearch, fetchedAtMs: number): number;
  extend(searchNumber: number, page: Omit<KeptSearch, 'query'>): void;
}

/** Prepares the statements of the search tables. */
export function createSearchStore(database: Database, items: ItemStore): SearchStore {
  const insert = database
    .prepare<unknown[], number>(
      `INSERT INTO search (query_key, query, matched, is_complete, fetched_at_ms) VALUES (?, ?, ?, ?, ?) RETURNING number`,
    )
    .pluck();
  const update = database.prepare(
    'UPDATE search SET matched = coalesce(?, matched), is_complete = ? WHERE number = ?',
  );
  const nextPosition = database
    .prepare<[number], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM search_item WHERE search_number = ?',
    )
    .pluck();
  const addItem = database.prepare('INSERT INTO search_item VALUES (?, ?, ?)');

  function addItems(searchNumber: number, refs: readonly ItemRef[]): void {
    let position = nextPosition.get(searchNumber) ?? 0;
    for (const ref of refs) {
      const pk = items.findPk(ref);
      if (pk !== null) addItem.run(searchNumber, position++, pk);
    }
  }

  return {
    save: database.transaction((search: KeptSearch, fetchedAtMs: number) => {
      const { query, matched, isComplete } = search;
      const number = insert.get(
        toQueryKey(query),
        JSON.stringify(query),
        matched,
        Number(isComplete),
        fetchedAtMs,
      );
      addItems(number as number, search.items);
      return number as number;
    }),
    extend: database.transaction((searchNumber: number, page: Omit<KeptSearch, 'query'>) => {
      update.run(page.matched, Number(page.isComplete), searchNumber);
      addItems(searchNumber, page.items);
    }),
  };
}
