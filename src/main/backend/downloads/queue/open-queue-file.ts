import type { Database } from 'better-sqlite3';
import { openSqlite } from '../../sqlite/open-sqlite.ts';
import { migrations } from './migrations.ts';

/**
 * Opens the queue's file for this process alone: two must never drive one part file. It is not part of the library:
 * its commits must survive a power cut, which would slow the library down, and nothing that happens to the library
 * may lose a download.
 * @throws AppError `library.newer-schema` (the file is left as it is), `library.corrupt`, `library.in-use`
 */
export function openQueueFile(filePath: string): Database {
  return openSqlite(filePath, {
    name: 'download queue',
    // 'SWTQ'
    applicationId: 0x53575451,
    migrations,
    // better-sqlite3's default in WAL mode is NORMAL, which loses commits in a power cut (downloads.md §0.1).
    pragmas: ['synchronous = FULL', 'fullfsync = ON', 'checkpoint_fullfsync = ON'],
    isExclusive: true,
  });
}
