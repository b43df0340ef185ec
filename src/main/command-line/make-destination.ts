import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';

/** The folder that a command puts files in, made if it is missing. @throws AppError `transfer.destination-not-writable` */
export function makeDestination(to: string): string {
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

// Node's own way never ends where a system says of a new folder that the one around it isn't there, as that of processes does.
function makeFolders(path: string): void {
  if (isFolder(path)) return;
  const around = dirname(path);
  if (around !== path) makeFolders(around);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another program was quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
