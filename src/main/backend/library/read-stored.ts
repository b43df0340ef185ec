import Database from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * Reads what a row of the library holds, of which `what` is named in the error. Bytes that can't be read are damage,
 * whatever it was that could not read them.
 * @throws AppError `library.corrupt`; errors of SQLite as they are
 */
export function readStored<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof AppError || thrown instanceof Database.SqliteError) throw thrown;
    throw new AppError('library.corrupt', `${what} in the library can't be read`, { cause: thrown });
  }
}

/** JSON that the library wrote. @throws AppError `library.corrupt` */
export function parseStored(what: string, json: string): unknown {
  return readStored(what, () => JSON.parse(json) as unknown);
}
