import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';

/** Looks out for other programs that have a library open. */
export interface OthersWatch {
  /**
   * Ends the watch; whether anybody wrote meanwhile. What comes next has to follow at once: from then on, others may open
   * the file again. @throws AppError `library.in-use` where somebody has it open now
   */
  end(): { wasWritten: boolean };
  /** Ends the watch without a look. */
  close(): void;
}

/** Watches a file that this process has closed. One that is not there, or is damaged, nobody can be using. */
export function watchOthers(filePath: string): OthersWatch {
  const database = existsSync(filePath) ? openOrNull(filePath) : null;
  const before = database && readVersion(database);
  return {
    end() {
      if (database === null) return { wasWritten: false };
      try {
        leaveWal(database, filePath);
        return { wasWritten: readVersion(database) !== before };
      } finally {
        database.close();
      }
    },
    close: () => void database?.close(),
  };
}

function openOrNull(filePath: string): Database.Database | null {
  let database: Database.Database | null = null;
  try {
    database = new Database(filePath, { fileMustExist: true, timeout: 0 });
    readVersion(database);
    return database;
  } catch {
    database?.close();
    return null;
  }
}

// Goes up with every change of another connection, whichever process's.
function readVersion(database: Database.Database): unknown {
  return database.pragma('data_version', { simple: true });
}

// A connection to a write-ahead log holds a shared lock as long as it is open, so that leaving that mode needs that there
// is no other. Whoever opens the file next goes back to it.
function leaveWal(database: Database.Database, filePath: string): void {
  try {
    database.pragma('journal_mode = DELETE');
  } catch (thrown) {
    const error = toFileError(thrown, { filePath, name: 'library' });
    // What can't be written to is taken from nobody.
    if (isAppError(error, 'library.in-use')) throw error;
  }
}
