import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { failureOf, type FileFailure } from './failure-of.ts';

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

/** What SQLite says of a file as an AppError: `library.in-use`, `.corrupt`, `.disk-full`, `.read-only`; anything else as it is. */
export function toFileError(
  thrown: unknown,
  { filePath, name }: { filePath: string; name: string },
): unknown {
  const failure = failureOf(thrown);
  if (failure === null) return thrown;
  return new AppError(failure, wordsOf(failure, filePath, name), {
    details: { file: filePath },
    cause: thrown,
  });
}

function wordsOf(failure: FileFailure, filePath: string, name: string): string {
  switch (failure) {
    case 'library.in-use':
      return `${filePath} is in use by another Swath`;
    case 'library.corrupt':
      return `${filePath} can't be read as a ${name}`;
    case 'library.disk-full':
      return `There is no room for the ${name} ${filePath}`;
    case 'library.read-only':
      return `${filePath} can't be written to`;
  }
}
