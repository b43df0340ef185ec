import { AppError } from '#shared/errors/app-error.ts';

/** Why something can't be taken as an area, in sentences for a person. */
export interface AoiProblem {
  /** Where in it: `Line 3, column 5.`, `Feature 12.`; left out when that isn't known. */
  place?: string;
  why: string;
  /** What can be done about it. */
  mend: string;
}

/** `aoi.unreadable`; the file's name is added where it is known. */
export function unreadable({ place = '', why, mend }: AoiProblem): AppError {
  return new AppError('aoi.unreadable', [place, why].filter(Boolean).join(' '), {
    details: { file: '', place, why, mend },
  });
}

/** `aoi.too-large`; the file's name is added where it is known. */
export function tooLarge({ why, mend }: Omit<AoiProblem, 'place'>): AppError {
  return new AppError('aoi.too-large', why, { details: { file: '', why, mend } });
}

/** The same error, naming the file. */
export function nameFile(error: AppError, file: string): AppError {
  if (!error.code.startsWith('aoi.') || file === '') return error;
  return new AppError(error.code, `${file}: ${error.message}`, {
    details: { ...error.details, file },
    cause: error,
  });
}
