import { AppError } from '#shared/errors/app-error.ts';
import { canWrite } from './choose-place.ts';

/** Refuses work that writes to a file or a folder which takes nothing. @throws AppError `library.read-only` */
export function checkWritable(path: string): void {
  if (!canWrite(path)) throw toReadOnlyError(path);
}

/** Of a path that can't be written to. */
export function toReadOnlyError(path: string, cause?: unknown): AppError {
  return new AppError('library.read-only', `${path} can't be written to`, { details: { file: path }, cause });
}
