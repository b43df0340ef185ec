import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { migrations } from './migrations.ts';

/** 'SWTH': tells a library from any other SQLite file. */
const applicationId = 0x53575448;

/**
 * Opens a library's file, making or upgrading its schema.
 * @throws AppError `library.newer-schema` (the file is left as it is), `library.corrupt`
 */
export function openDatabase(filePath: string): Database.Database {
  const database = openFile(filePath);
  try {
    const version = readVersion(database, filePath);
    database.pragma('journal_mode = WAL');
    // NORMAL loses at most the last moments after a power cut, never consistency; everything here can be fetched again.
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('busy_timeout = 5000');
    database.pragma('cache_size = -65536');
    migrate(database, version);
    return database;
  } catch (thrown) {
    database.close();
    throw toLibraryError(thrown, filePath);
  }
}

function openFile(filePath: string): Database.Database {
  try {
    return new Database(filePath);
  } catch (thrown) {
    throw toLibraryError(thrown, filePath);
  }
}

function readVersion(database: Database.Database, filePath: string): number {
  const version = Number(database.pragma('user_version', { simple: true }));
  const id = Number(database.pragma('application_id', { simple: true }));
  const isNew = version === 0 && id === 0;
  if (!isNew && id !== applicationId) {
    throw new AppError('library.corrupt', `${filePath} is not a Swath library`, {
      details: { file: filePath },
    });
  }
  if (version > migrations.length) {
    throw new AppError('library.newer-schema', `${filePath} was written by a newer Swath`, {
      details: { file: filePath, schema: version, known: migrations.length },
    });
  }
  return version;
}

function migrate(database: Database.Database, version: number): void {
  migrations.slice(version).forEach((step, index) => {
    database.transaction(() => {
      database.exec(step);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${version + index + 1}`);
    })();
  });
}

function toLibraryError(thrown: unknown, filePath: string): unknown {
  const isDamaged =
    thrown instanceof Database.SqliteError && ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(thrown.code);
  if (!isDamaged) return thrown;
  return new AppError('library.corrupt', `${filePath} can't be read as a library`, {
    details: { file: filePath },
    cause: thrown,
  });
}
