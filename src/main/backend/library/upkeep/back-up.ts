import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { failureOf } from '../../sqlite/failure-of.ts';
import { partOf, report, type WorkWatch } from './work-watch.ts';

const pagesPerStep = 2000;

/**
 * Copies a SQLite file as it is at one moment, while others write to it. The copy has its name once it is complete,
 * synced to the disk and checked. @throws AppError `cancelled`, `library.corrupt`; errors of the disk as they are
 */
export async function backUp(
  { sourcePath, targetPath }: { sourcePath: string; targetPath: string },
  watch: WorkWatch,
): Promise<void> {
  const partPath = `${targetPath}.part`;
  removeFile(partPath);
  try {
    await copySnapshot({ sourcePath, targetPath: partPath }, partOf(watch, 0, 0.7));
    sealCopy(partPath);
    report(watch, 0.75);
    if (!isSound(partPath)) throw damagedCopy(sourcePath);
    report(watch, 1);
    syncPath(partPath);
    renameSync(partPath, targetPath);
    syncPath(dirname(targetPath));
  } catch (thrown) {
    removeFile(partPath);
    throw failureOf(thrown) === 'library.corrupt' ? damagedCopy(sourcePath, thrown) : thrown;
  }
}

function damagedCopy(filePath: string, cause?: unknown): AppError {
  const message = `The copy of ${filePath} is damaged: it is itself, or the disk is that it was copied to`;
  return new AppError('library.corrupt', message, { details: { file: filePath }, cause });
}

async function copySnapshot(
  { sourcePath, targetPath }: { sourcePath: string; targetPath: string },
  watch: WorkWatch,
): Promise<void> {
  const source = new Database(sourcePath, { readonly: true, fileMustExist: true });
  try {
    // Within a read transaction every step sees the same moment; without it each write elsewhere would begin the copy anew.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(targetPath, {
      progress: ({ totalPages, remainingPages }) => {
        report(watch, 1 - remainingPages / Math.max(1, totalPages));
        return pagesPerStep;
      },
    });
  } finally {
    source.close();
  }
}

// A copy is one file: it needs no journal beside it, and opens from read-only media.
function sealCopy(filePath: string): void {
  const copy = new Database(filePath, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

function isSound(filePath: string): boolean {
  const copy = new Database(filePath, { readonly: true, fileMustExist: true });
  try {
    return copy.pragma('quick_check(1)', { simple: true }) === 'ok';
  } finally {
    copy.close();
  }
}

/** Makes sure that a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  // Windows can't sync folders, and keeps names in its own journal.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes a SQLite file with what lies beside it; none is no error. */
export function removeFile(filePath: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${filePath}${suffix}`, { force: true });
}
