import Database from 'better-sqlite3';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { damagedQueue, isDamageOfQueue } from './queue-damage.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'transfer.disk-full',
  EDQUOT: 'transfer.disk-full',
  SQLITE_FULL: 'transfer.disk-full',
  EFBIG: 'transfer.fs-too-small',
  ENAMETOOLONG: 'transfer.path-too-long',
  EMFILE: 'transfer.too-many-open-files',
  ENFILE: 'transfer.too-many-open-files',
  ENOENT: 'transfer.destination-missing',
  ENOTDIR: 'transfer.destination-missing',
  ENODEV: 'transfer.destination-missing',
  ENXIO: 'transfer.destination-missing',
  ESTALE: 'transfer.destination-missing',
  EACCES: 'transfer.destination-not-writable',
  EPERM: 'transfer.destination-not-writable',
  EROFS: 'transfer.destination-not-writable',
};

/** What is said before the path. */
const words: Partial<Record<ErrorCode, string>> = {
  'transfer.disk-full': 'There is no room left for',
  'transfer.fs-too-small': 'The volume takes no file as large as',
  'transfer.path-too-long': 'The name is too long:',
  'transfer.too-many-open-files': 'Too many files are open for',
  'transfer.destination-missing': 'There is no',
  'transfer.destination-not-writable': 'No permission for',
};

const neverMends: ReadonlySet<ErrorCode> = new Set(['transfer.fs-too-small', 'transfer.path-too-long']);

/** What a failed file operation means for a transfer. An AppError passes as it is. */
export function toDiskError(thrown: unknown, path: string): AppError {
  if (isAppError(thrown)) return thrown;
  // What comes of a file is written down in the queue.
  if (isDamageOfQueue(thrown)) return damagedQueue(thrown);
  const reason = readCode(thrown);
  const code = codes[reason] ?? 'transfer.disk-error';
  return new AppError(code, `${words[code] ?? 'The disk failed at'} ${path} (${reason})`, {
    details: { path, reason },
    retryable: !neverMends.has(code),
    cause: thrown,
  });
}

/** Whether an error came from the file system with this code. */
export function hasDiskCode(thrown: unknown, ...wanted: string[]): boolean {
  return wanted.includes(readCode(thrown));
}

/** Whether an error says that nothing has a name: any other leaves it open what is there. */
export function isNotThere(thrown: unknown): boolean {
  return hasDiskCode(thrown, 'ENOENT', 'ENOTDIR');
}

function readCode(thrown: unknown): string {
  if (thrown instanceof Database.SqliteError) return thrown.code;
  const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
