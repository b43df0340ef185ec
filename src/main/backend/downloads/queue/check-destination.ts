import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../file/disk-error.ts';

/**
 * The destination as it is written down.
 * @throws AppError `input.invalid`, `transfer.destination-missing`, `transfer.destination-not-writable`
 */
export async function checkDestination(destination: string): Promise<string> {
  if (!isAbsolute(destination) || destination.includes('\0')) {
    throw new AppError('input.invalid', 'The destination must be an absolute path', {
      details: { field: 'destination', why: 'it is not an absolute path' },
    });
  }
  const path = resolve(destination);
  try {
    if (!(await stat(path)).isDirectory()) {
      throw new AppError('transfer.destination-missing', 'The destination is not a folder', {
        details: { path },
      });
    }
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    throw toDiskError(error, path);
  }
}
