import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';

/** A step of a schema: SQL, or what needs more than that. */
export type MigrationStep = string | ((database: Database.Database) => void);

/** What a file of ours holds and how it is kept. */
export interface SqliteSchema {
  /** For messages: "library", "download queue". */
  name: string;
  /** Four letters as a number, to tell the file from any other SQLite file. */
  applicationId: number;
  /** Numbered steps; `user_version` is the number of steps taken. A step that was released never changes. */
  migrations: readonly MigrationStep[];
  pragmas: readonly string[];
  /** Whether one process alone may have the file open. SQLite's lock ends with its process, however that ends. */
  isExclusive: boolean;
}

/**
 * Opens a file, making or upgrading its schema. A file of a newer program, or of another one, is left as it is.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function openSqlite(filePath: string, schema: SqliteSchema): Database.Database {
  let database: Database.Database | null = null;
  try {
    database = new Database(filePath, { timeout: schema.isExclusive ? 2000 : 5000 });
    if (schema.isExclusive) database.pragma('locking_mode = EXCLUSIVE');
    const version = readVersion(database, schema);
    // A step may write a table anew that others refer to.
    for (const pragma of ['journal_mode = WAL', 'foreign_keys = OFF', ...schema.pragmas])
      database.pragma(pragma);
    migrate(database, schema, version);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (thrown) {
    database?.close();
    throw toFileError(thrown, { filePath, name: schema.name });
  }
}

function readVersion(database: Database.Database, schema: SqliteSchema): number {
  const { name, applicationId, migrations } = schema;
  const version = Number(database.pragma('user_version', { simple: true }));
  const id = Number(database.pragma('application_id', { simple: true }));
  const details = { file: database.name };
  if ((version !== 0 || id !== 0) && id !== applicationId) {
    throw new AppError('library.corrupt', `${database.name} is not a ${name} of Swath`, { details });
  }
  if (version > migrations.length) {
    throw new AppError('library.newer-schema', `${database.name} was written by a newer Swath`, {
      details: { ...details, schema: version, known: migrations.length },
    });
  }
  return version;
}

// An exclusive transaction takes the lock even if there is nothing to do, so that a second process is refused here
// and not at its first change.
function migrate(database: Database.Database, schema: SqliteSchema, version: number): void {
  const { migrations, applicationId, isExclusive } = schema;
  if (version === migrations.length && !isExclusive) return;
  database
    .transaction(() => {
      for (const step of migrations.slice(version)) {
        if (typeof step === 'string') database.exec(step);
        else step(database);
      }
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .exclusive();
}

// A file-size limit of the system shows as a failed write; a full disk, where one only reads, as shared memory that can't
// be had.
const full = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHM(SIZE|MAP|OPEN))$/;

/** What SQLite says of a file as an AppError: `library.in-use`, `.corrupt`, `.disk-full`, `.read-only`; anything else as it is. */
export function toFileError(
  thrown: unknown,
  { filePath, name }: { filePath: string; name: string },
): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  const options = { details: { file: filePath }, cause: thrown };
  if (thrown.code.startsWith('SQLITE_BUSY')) {
    return new AppError('library.in-use', `${filePath} is in use by another Swath`, options);
  }
  if (thrown.code === 'SQLITE_NOTADB' || thrown.code.startsWith('SQLITE_CORRUPT')) {
    return new AppError('library.corrupt', `${filePath} can't be read as a ${name}`, options);
  }
  if (full.test(thrown.code)) {
    return new AppError('library.disk-full', `There is no room for the ${name} ${filePath}`, options);
  }
  if (thrown.code.startsWith('SQLITE_READONLY') || thrown.code === 'SQLITE_CANTOPEN') {
    return new AppError('library.read-only', `${filePath} can't be written to`, options);
  }
  return thrown;
}
