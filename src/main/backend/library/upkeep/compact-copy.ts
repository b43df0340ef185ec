import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { report, type WorkWatch } from './work-watch.ts';

const rowsPerLook = 100;
/** Small, so that the copy's file grows while it is written, and tells how far that is. */
const cacheKibibytes = 16 * 1024;

/** A thing of a database's schema. */
interface SchemaEntry {
  type: 'table' | 'index';
  name: string;
  sql: string;
}

/**
 * Copies a database table by table into a file of its own, each page full: what VACUUM INTO does, but that can neither be
 * followed nor stopped. Returns the copy, open; nothing of it is synced.
 * @throws AppError `cancelled`; errors of the disk as they are
 */
export function writeCompactCopy(
  sourcePath: string,
  { targetPath, expectedBytes, watch }: { targetPath: string; expectedBytes: number; watch: WorkWatch },
): Database.Database {
  const copy = new Database(targetPath);
  try {
    // The tables that full text consists of are written like any others.
    copy.unsafeMode(true);
    copy.prepare('ATTACH ? AS source').run(sourcePath);
    const pageBytes = Number(copy.pragma('source.page_size', { simple: true }));
    for (const pragma of [
      `main.page_size = ${String(pageBytes)}`,
      'main.journal_mode = OFF',
      'main.synchronous = OFF',
      'foreign_keys = OFF',
      `main.cache_size = ${String(-cacheKibibytes)}`,
    ])
      copy.pragma(pragma);
    followRows(copy, () => report(watch, (0.95 * sizeOf(targetPath)) / Math.max(1, expectedBytes)));
    copy.transaction(() => copyAll(copy, watch))();
    for (const name of ['application_id', 'user_version']) {
      copy.pragma(`${name} = ${String(copy.pragma(`source.${name}`, { simple: true }))}`);
    }
    copy.exec('DETACH source');
    report(watch, 1);
    return copy;
  } catch (thrown) {
    copy.close();
    throw thrown;
  }
}

// A condition that always holds is asked for each row, and can break the statement off.
function followRows(copy: Database.Database, look: () => void): void {
  let rowCount = 0;
  copy.function('goes_on', { deterministic: false }, () => {
    rowCount += 1;
    if (rowCount % rowsPerLook === 0) look();
    return 1;
  });
}

function copyAll(copy: Database.Database, watch: WorkWatch): void {
  const entries = copy
    .prepare<[], SchemaEntry>(
      `SELECT type, name, sql FROM source.sqlite_schema
       WHERE rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'index', rowid`,
    )
    .all();
  for (const { type, name, sql } of entries) {
    copy.exec(sql);
    if (type === 'table') copyRows(copy, name);
    if (watch.shouldStop()) throw new AppError('cancelled', 'It was stopped');
  }
  // SQLite made it with the first table that counts its rows, and knows only of rows that are still there.
  copy.exec('DELETE FROM main.sqlite_sequence');
  copyRows(copy, 'sqlite_sequence');
  // Last, so that no trigger runs: what has no pages of its own.
  copy.pragma('writable_schema = ON');
  copy.exec('INSERT INTO main.sqlite_schema SELECT * FROM source.sqlite_schema WHERE rootpage = 0');
  copy.pragma('writable_schema = OFF');
}

function copyRows(copy: Database.Database, table: string): void {
  copy.exec(`INSERT INTO main."${table}" SELECT * FROM source."${table}" WHERE goes_on()`);
}

function sizeOf(filePath: string): number {
  return statSync(filePath, { throwIfNoEntry: false })?.size ?? 0;
}
