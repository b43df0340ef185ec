import { AppError } from '#shared/errors/app-error.ts';

/** Why a basemap can't be used, in sentences for a person. */
export interface BasemapProblem {
  why: string;
  /** What can be done about it. */
  mend: string;
}

/** `basemap.unreadable`; the file's name is added where it is known. */
export function unreadable({ why, mend }: BasemapProblem): AppError {
  return new AppError('basemap.unreadable', why, { details: { file: '', why, mend } });
}

/** What a file is that ends or breaks in the middle. */
export function damaged(why: string): AppError {
  return unreadable({ why, mend: 'Get the file again: it was cut off or damaged on its way.' });
}

/** What a file is that has no tiles. */
export function nothingIn(): AppError {
  return unreadable({ why: 'There are no tiles in it.', mend: 'Choose another file.' });
}

/** The same error, naming the file. */
export function nameFile(error: AppError, file: string): AppError {
  if (error.code !== 'basemap.unreadable') return error;
  return new AppError(error.code, `${file}: ${error.message}`, {
    details: { ...error.details, file },
    cause: error,
  });
}
