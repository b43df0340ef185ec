import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { libraryApplicationId } from '../open-database.ts';
import { migrations } from '../migrations.ts';
import { inspectFile } from './inspect-file.ts';

/**
 * Refuses the library of a newer program before SQLite opens it for writing, which would bring its journal into the file.
 * @throws AppError `library.newer-schema`
 */
export function refuseNewer(filePath: string): void {
  const header = inspectFile(filePath);
  if (!header?.isSqlite || header.applicationId !== libraryApplicationId) return;
  const version = Math.max(header.schemaVersion, readJournalledVersion(filePath));
  if (version <= migrations.length) return;
  throw new AppError('library.newer-schema', `${filePath} was written by a newer Swath`, {
    details: { file: filePath, schema: version, known: migrations.length },
  });
}

// The step to a newer schema may still be in the journal. A reader leaves it there.
function readJournalledVersion(filePath: string): number {
  if (inspectFile(`${filePath}-wal`) === null) return 0;
  try {
    const reader = new Database(filePath, { readonly: true });
    try {
      return Number(reader.pragma('user_version', { simple: true }));
    } finally {
      reader.close();
    }
  } catch {
    return 0;
  }
}
