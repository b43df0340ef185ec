import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';

const waitMs = 200;
const maxTries = 25;

/** Looks out for what others do with a library's file; what this process has it open with are others too. */
export interface OthersWatch {
  /** Whether anybody wrote since the watch began. */
  wasWritten(): boolean;
  /**
   * What comes next has to follow at once: from then on, others may open the file again.
   * @throws AppError `library.in-use` where somebody has it open now, or has written to it since the watch began
   */
  proveUnused(): void;
  close(): void;
}

/** Watches a library's file. One that is not there, or is damaged, nobody can be using. */
export function watchOthers(filePath: string): OthersWatch {
  const database = existsSync(filePath) ? openOrNull(filePath) : null;
  const before = database && readVersion(database);
  const wasWritten = (): boolean => database !== null && readVersion(database) !== before;
  return {
    wasWritten,
    proveUnused() {
      if (database) leaveWal(database, filePath);
      if (!wasWritten()) return;
      throw new AppError('library.in-use', `Another Swath has written to ${filePath} meanwhile`, {
        details: { file: filePath },
      });
    },
    close: () => void database?.close(),
  };
}

/**
 * Tries anew for some seconds while somebody uses a library: most only look something up.
 * @throws AppError `library.in-use`; anything else as `work`, at once
 */
export async function outlastOthers(work: () => Promise<void> | void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (thrown) {
      if (!isAppError(thrown, 'library.in-use') || tries === maxTries) throw thrown;
    }
    await delay(waitMs);
  }
}

/** @throws AppError `library.in-use` where somebody has a library's file open; else what comes next has to follow at once */
export function refuseOthers(filePath: string): void {
  const watch = watchOthers(filePath);
  try {
    watch.proveUnused();
  } finally {
    watch.close();
  }
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
