import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';

/** The folder that a command puts files in, made if it is missing. @throws AppError `transfer.destination-not-writable` */
export function makeDestination(to: string): string {
  const destination = resolve(to);
  try {
    mkdirSync(destination, { recursive: true });
    return destination;
  } catch (cause) {
    const message = `The folder ${destination} can't be made`;
    throw new AppError('transfer.destination-not-writable', message, {
      details: { path: destination },
      cause,
    });
  }
}
