import { resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { makeFolders } from '../host/make-folders.ts';

/**
 * The folder that a command puts files in, made if it is missing.
 * @throws AppError `input.invalid`, `transfer.destination-not-writable`
 */
export function makeDestination(to: string): string {
  // The variable of a script that isn't set must not fill the folder that it happens to run in.
  if (to === '') {
    throw new AppError('input.invalid', 'The folder for the files has no name', {
      details: { field: 'to', why: 'it is empty' },
    });
  }
  const destination = resolve(to);
  try {
    makeFolders(destination);
    return destination;
  } catch (cause) {
    const message = `The folder ${destination} can't be made`;
    throw new AppError('transfer.destination-not-writable', message, {
      details: { path: destination },
      cause,
    });
  }
}
