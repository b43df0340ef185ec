import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';

/**
 * Why the queue's own file can't be written, where a person can mend it: `transfer.disk-full` or
 * `transfer.destination-not-writable`. Null for what is a fault of Swath's own.
 */
export function findQueueTrouble(thrown: unknown): AppError | null {
  const error = toFileError(thrown, { filePath: 'downloads.sqlite', name: 'download queue' });
  if (isAppError(error, 'library.disk-full')) {
    return new AppError(
      'transfer.disk-full',
      "There is no room for the download queue in Swath's own folder",
      {
        cause: thrown,
        retryable: true,
      },
    );
  }
  if (isAppError(error, 'library.read-only')) {
    return new AppError(
      'transfer.destination-not-writable',
      "The download queue in Swath's own folder can't be written to",
      { cause: thrown, retryable: true },
    );
  }
  return null;
}
