import { AppError } from '#shared/errors/app-error.ts';

/** Why a file can't be taken in, in sentences for a person. */
export interface FileProblem {
  /** Where in it: `Feature 12, line 40.`; left out when that isn't known. */
  place?: string;
  why: string;
  /** What can be done about it. */
  mend: string;
}

/** `exchange.unreadable`; the file's name is added where it is known. */
export function unreadable(problem: FileProblem): AppError {
  return toError('exchange.unreadable', problem);
}

/** `exchange.too-large`; the file's name is added where it is known. */
export function tooLarge(problem: FileProblem): AppError {
  return toError('exchange.too-large', problem);
}

/** The same error, naming the file. */
export function nameFile(error: AppError, file: string): AppError {
  if (!error.code.startsWith('exchange.') || file === '') return error;
  return new AppError(error.code, `${file}: ${error.message}`, {
    details: { ...error.details, file },
    cause: error,
  });
}

function toError(
  code: 'exchange.unreadable' | 'exchange.too-large',
  { place = '', why, mend }: FileProblem,
): AppError {
  return new AppError(code, [place, why].filter(Boolean).join(' '), {
    details: { file: '', place, why, mend },
  });
}
