import type { Database } from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { removeFile } from './back-up.ts';
import { writeCompactCopy } from './compact-copy.ts';
import { measureFile } from './measure-usage.ts';
import { partOf, report, type WorkWatch } from './work-watch.ts';

const pagesPerStep = 500;

/** What compacting would give, and what it needs meanwhile. */
export interface CompactingNeed {
  gainBytes: number;
  /** Free space: the copy beside the file, and what of it comes in through the file's journal. */
  neededBytes: number;
}

/** Judges before anything is done. */
export function judgeCompacting(database: Database): CompactingNeed {
  const { usedBytes, freeBytes } = measureFile(database);
  return { gainBytes: freeBytes, neededBytes: usedBytes * 2 };
}

/**
 * Writes the file anew without its free pages: a copy beside it, then the copy over it in one transaction. Others read
 * on and nobody writes; stopped or killed at any moment, the file is as it was.
 * @throws AppError `cancelled`, `library.in-use`; errors of SQLite as they are
 */
export async function compact(database: Database, watch: WorkWatch): Promise<void> {
  const copyPath = toCopyPath(database.name);
  removeFile(copyPath);
  try {
    const { copy, version } = copyWhileHeld(database, { copyPath, watch: partOf(watch, 0, 0.6) });
    try {
      await takeOver(database, { copy, version, watch: partOf(watch, 0.6, 1) });
    } finally {
      copy.close();
    }
  } finally {
    removeFile(copyPath);
  }
  database.pragma('wal_checkpoint(TRUNCATE)');
  watch.onProgress(1);
}

/** What another program would write meanwhile would be lost, so nobody can. */
function copyWhileHeld(
  database: Database,
  { copyPath, watch }: { copyPath: string; watch: WorkWatch },
): { copy: Database; version: number } {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = dataVersion(database);
    const expectedBytes = measureFile(database).usedBytes;
    return {
      version,
      copy: writeCompactCopy(database.name, { targetPath: copyPath, expectedBytes, watch }),
    };
  } finally {
    database.exec('ROLLBACK');
  }
}

/** Removes the copy that a killed program left. */
export function discardLeftCopy(filePath: string): void {
  try {
    removeFile(toCopyPath(filePath));
  } catch {
    // Another program is compacting just now, where the system lets nobody remove an open file.
  }
}

function toCopyPath(filePath: string): string {
  return `${filePath}.compacting`;
}

async function takeOver(
  database: Database,
  { copy, version, watch }: { copy: Database; version: number; watch: WorkWatch },
): Promise<void> {
  let hasBegun = false;
  await copy.backup(database.name, {
    progress: ({ totalPages, remainingPages }) => {
      // From its first step on the transaction has the file; what was written just before it would be lost.
      if (!hasBegun && dataVersion(database) !== version) throw isInUse(database);
      hasBegun = true;
      report(watch, 1 - remainingPages / Math.max(1, totalPages));
      return pagesPerStep;
    },
  });
  // A file that another program writes to is passed over without a word.
  if (dataVersion(database) === version) throw isInUse(database);
}

/** Changes whenever another connection has written to the file. */
function dataVersion(database: Database): number {
  return Number(database.pragma('data_version', { simple: true }));
}

function isInUse({ name }: Database): AppError {
  return new AppError('library.in-use', `${name} is written to by another program`, {
    details: { file: name },
  });
}
