import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { migrations } from './migrations.ts';

/** 'SWTQ': tells a queue from any other SQLite file. */
const applicationId = 0x53575451;

/**
 * Opens the queue's file for this process alone. It is not part of the library: its commits must survive a power cut
 * (`synchronous=FULL`), which would slow the library down, and nothing that happens to the library may lose a download.
 * @throws AppError `library.newer-schema` (the file is left as it is), `library.corrupt`, `library.in-use`
 */
export function openQueueFile(filePath: string): Database.Database {
  let database: Database.Database | null = null;
  try {
    database = new Database(filePath, { timeout: 2000 });
    // Two processes must never drive one part file; SQLite's lock ends with its process, however that ends.
    database.pragma('locking_mode = EXCLUSIVE');
    const version = readVersion(database, filePath);
    database.pragma('journal_mode = WAL');
    // better-sqlite3's default in WAL mode is NORMAL, which loses commits in a power cut (downloads.md §0.1).
    database.pragma('synchronous = FULL');
    database.pragma('fullfsync = ON');
    database.pragma('checkpoint_fullfsync = ON');
    database.pragma('foreign_keys = ON');
    migrate(database, version);
    return database;
  } catch (thrown) {
    database?.close();
    throw toQueueError(thrown, filePath);
  }
}

function readVersion(database: Database.Database, filePath: string): number {
  const version = Number(database.pragma('user_version', { simple: true }));
  const id = Number(database.pragma('application_id', { simple: true }));
  if ((version !== 0 || id !== 0) && id !== applicationId) {
    throw new AppError('library.corrupt', `${filePath} is not a download queue`, {
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

// The transaction also takes the write lock, so that a second process is refused here and not at its first change.
function migrate(database: Database.Database, version: number): void {
  database
    .transaction(() => {
      for (const step of migrations.slice(version)) database.exec(step);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .exclusive();
}

function toQueueError(thrown: unknown, filePath: string): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  const options = { details: { file: filePath }, cause: thrown };
  if (thrown.code.startsWith('SQLITE_BUSY')) {
    return new AppError('library.in-use', `${filePath} is in use by another Swath`, options);
  }
  if (['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(thrown.code)) {
    return new AppError('library.corrupt', `${filePath} can't be read as a download queue`, options);
  }
  return thrown;
}
