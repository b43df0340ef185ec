import type { Database } from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { savedQuestionSchema, type SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { createItemMarks } from './item-marks.ts';

/** How many items a check found that no look has had. */
export interface NewCount {
  count: number;
  /** Whether there may be more. */
  isAtLeast: boolean;
  checkedAtMs: number;
}

/** A question that a person gave a name. Times are milliseconds since 1970 UTC. */
export interface SavedSearch {
  savedSearchId: number;
  name: string;
  question: SavedQuestion;
  createdAtMs: number;
  /** The last look at its answer; null before the first. */
  lookedAtMs: number | null;
  /** What the last check found; null when there was none since the last look. */
  news: NewCount | null;
}

/** The saved searches, and what a person has seen of their answers. */
export interface SavedSearchStore {
  /** Those of a catalog, by name. */
  list(connectionId: string): SavedSearch[];
  find(connectionId: string, savedSearchId: number): SavedSearch | null;
  /** Capitals and small letters are alike in names. */
  findByName(connectionId: string, name: string): SavedSearch | null;
  /** @throws AppError `saved.name-taken` */
  save(search: { connectionId: string; name: string; question: SavedQuestion; nowMs: number }): SavedSearch;
  /** @throws AppError `saved.name-taken` */
  rename(savedSearchId: number, name: string): void;
  /** Takes it off the list; `restore` brings it back until the notebook is opened an hour or more later. */
  remove(savedSearchId: number, nowMs: number): void;
  /** Whether there was something to bring back. @throws AppError `saved.name-taken` */
  restore(connectionId: string, savedSearchId: number): boolean;
  /** Places in the list of items that no look has had. Short lists: this is one task. */
  findUnseen(savedSearchId: number, refs: readonly ItemRef[]): number[];
  /** Takes note of items that were shown, in one transaction. Short lists: this is one task. */
  addSeen(savedSearchId: number, refs: readonly ItemRef[]): void;
  /** Ends a look: what a check found before it no longer counts. */
  noteLook(savedSearchId: number, nowMs: number): void;
  noteCheck(savedSearchId: number, news: NewCount): void;
  /** Removes for good what was taken off the list before a moment. */
  purge(removedBeforeMs: number): void;
  /** Called after each change of what `list` tells; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

interface Row {
  savedSearchId: number;
  name: string;
  question: string;
  createdAtMs: number;
  lookedAtMs: number | null;
  newCount: number | null;
  isAtLeast: number | null;
  checkedAtMs: number | null;
}

const columns = `saved_search_id AS savedSearchId, name, question, created_at_ms AS createdAtMs,
  looked_at_ms AS lookedAtMs, new_count AS newCount, is_new_count_at_least AS isAtLeast, checked_at_ms AS checkedAtMs`;

/** Prepares the statements of the saved searches. */
export function createSavedSearchStore(database: Database): SavedSearchStore {
  const listeners = new Set<() => void>();
  const select = (condition: string) =>
    database.prepare<unknown[], Row>(
      `SELECT ${columns} FROM saved_search
       WHERE connection_id = ? AND removed_at_ms IS NULL AND ${condition} ORDER BY name COLLATE NOCASE`,
    );
  const all = select('true');
  const byId = select('saved_search_id = ?');
  const byName = select('name = ? COLLATE NOCASE');
  // Not with RETURNING: better-sqlite3's `get` says nothing where the disk is full at the commit.
  const insert = database.prepare(
    'INSERT INTO saved_search (connection_id, name, question, created_at_ms) VALUES (?, ?, ?, ?)',
  );
  const setName = database.prepare('UPDATE saved_search SET name = ? WHERE saved_search_id = ?');
  const setRemoved = database.prepare('UPDATE saved_search SET removed_at_ms = ? WHERE saved_search_id = ?');
  const bringBack = database.prepare<unknown[], string>(
    `UPDATE saved_search SET removed_at_ms = NULL
       WHERE connection_id = ? AND saved_search_id = ? AND removed_at_ms IS NOT NULL`,
  );
  const nameOf = database
    .prepare<[number], string>('SELECT name FROM saved_search WHERE saved_search_id = ?')
    .pluck();
  const setLook = database.prepare(
    `UPDATE saved_search SET looked_at_ms = ?, new_count = NULL, is_new_count_at_least = NULL, checked_at_ms = NULL
     WHERE saved_search_id = ?`,
  );
  const setNews = database.prepare(
    `UPDATE saved_search SET new_count = ?, is_new_count_at_least = ?, checked_at_ms = ? WHERE saved_search_id = ?`,
  );
  const removeForGood = database.prepare('DELETE FROM saved_search WHERE removed_at_ms < ?');
  const seen = createItemMarks(database);

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  function naming<Result>(name: string, work: () => Result): Result {
    try {
      const result = work();
      tell();
      return result;
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw thrown;
      throw new AppError('saved.name-taken', `There is a saved search named ${name} already`, {
        details: { name },
        cause: thrown,
      });
    }
  }

  return {
    list: (connectionId) => all.all(connectionId).flatMap(toSavedSearch),
    find: (connectionId, id) => byId.all(connectionId, id).flatMap(toSavedSearch)[0] ?? null,
    findByName: (connectionId, name) => byName.all(connectionId, name).flatMap(toSavedSearch)[0] ?? null,
    save: ({ connectionId, name, question, nowMs }) => {
      const { lastInsertRowid } = naming(name, () =>
        insert.run(connectionId, name, JSON.stringify(question), nowMs),
      );
      const savedSearchId = Number(lastInsertRowid);
      return { savedSearchId, name, question, createdAtMs: nowMs, lookedAtMs: null, news: null };
    },
    rename: (id, name) => void naming(name, () => setName.run(name, id)),
    remove: (id, nowMs) => {
      setRemoved.run(nowMs, id);
      tell();
    },
    restore: (connectionId, id) =>
      naming(nameOf.get(id) ?? '', () => bringBack.run(connectionId, id).changes > 0),
    findUnseen: (id, refs) => seen.findNew(id, refs),
    addSeen: (id, refs) => seen.add(id, refs),
    noteLook: (id, nowMs) => {
      setLook.run(nowMs, id);
      tell();
    },
    noteCheck: (id, { count, isAtLeast, checkedAtMs }) => {
      setNews.run(count, Number(isAtLeast), checkedAtMs, id);
      tell();
    },
    purge: (removedBeforeMs) => void removeForGood.run(removedBeforeMs),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

// What another version wrote may not read as a question any more; it stays in the file for that version.
function toSavedSearch(row: Row): SavedSearch[] {
  const { savedSearchId, name, createdAtMs, lookedAtMs, newCount, isAtLeast, checkedAtMs } = row;
  const question = savedQuestionSchema.safeParse(JSON.parse(row.question));
  if (!question.success) return [];
  const news =
    newCount === null || checkedAtMs === null
      ? null
      : { count: newCount, isAtLeast: isAtLeast === 1, checkedAtMs };
  return [{ savedSearchId, name, question: question.data, createdAtMs, lookedAtMs, news }];
}
