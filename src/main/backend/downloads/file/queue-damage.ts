import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { failureOf } from '../../sqlite/failure-of.ts';

const file = 'downloads.sqlite';

/** What is said of a queue's file that turns out to be damaged while it is open: `library.corrupt`. */
export function damagedQueue(cause: unknown): AppError {
  const message =
    'The download queue is damaged; it is built anew from its last copy when Swath starts again';
  return new AppError('library.corrupt', message, { details: { file, mend: 'Start it again.' }, cause });
}

/** Whether an error of a transfer or of its queue says that, and of no other of Swath's files. */
export function isDamageOfQueue(thrown: unknown): boolean {
  const isSaid = isAppError(thrown, 'library.corrupt') && thrown.details['file'] === file;
  return isSaid || failureOf(thrown) === 'library.corrupt';
}
