import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { refuseMissingFolder } from './library-file.ts';
import { migrations } from './migrations.ts';

/** 'SWTH': tells a library from any other SQLite file. */
export const libraryApplicationId = 0x53575448;

/**
 * Opens a library's file.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.folder-missing`
 */
export function openDatabase(filePath: string): Database {
  refuseMissingFolder(dirname(filePath));
  return openSqlite(filePath, {
    name: 'library',
    applicationId: libraryApplicationId,
    migrations,
    // NORMAL loses at most the last moments after a power cut, never consistency; all here can be fetched again.
    pragmas: ['synchronous = NORMAL', 'cache_size = -65536'],
    isExclusive: false,
  });
}
