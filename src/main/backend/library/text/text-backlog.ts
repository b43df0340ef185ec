import type { Database } from 'better-sqlite3';
import type { ShapeSource } from '../item-json.ts';
import { unpackItem } from '../item-json.ts';
import { wordsOf } from './item-words.ts';
import { TextIndex } from './text-index.ts';

const itemsPerStep = 200;

interface Row {
  pk: number;
  collectionPk: number;
  datetime: number;
  zstd: Buffer;
}

/** Whether Items that an earlier version kept aren't found by words yet. */
export function hasTextBacklog(database: Database): boolean {
  return database.prepare('SELECT 1 FROM item_text_backlog').get() !== undefined;
}

/** Makes some more of them findable, in one transaction; whether none are left. */
export function indexTextBacklog(database: Database, shapes: ShapeSource): boolean {
  const index = new TextIndex(database);
  return database
    .transaction(() => {
      const lastPk = database.prepare<[], number>('SELECT last_pk FROM item_text_backlog').pluck().get();
      if (lastPk === undefined) return true;
      const rows = database
        .prepare<[number, number], Row>(
          `SELECT pk, collection_pk AS collectionPk, datetime_us AS datetime, zstd
             FROM item JOIN item_json ON item_pk = pk WHERE pk <= ? ORDER BY pk DESC LIMIT ?`,
        )
        .all(lastPk, itemsPerStep);
      for (const { zstd, ...row } of rows) {
        // One that was fetched again meanwhile is there already.
        index.remove(row);
        index.add({ ...row, words: wordsOf(unpackItem(zstd, shapes)) });
      }
      index.flush();
      const last = rows.at(-1);
      if (last) database.prepare('UPDATE item_text_backlog SET last_pk = ?').run(last.pk - 1);
      else database.exec('DELETE FROM item_text_backlog');
      return last === undefined;
    })
    .immediate();
}
