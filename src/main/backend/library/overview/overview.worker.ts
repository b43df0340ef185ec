import Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import type { OverviewReply } from './overview-reader.ts';
import { readOverview, type LibraryOverview } from './read-overview.ts';

const filePath = workerData as string;
try {
  reply({ overview: read() });
} catch (thrown) {
  reply({ error: toAppError(toFileError(thrown, { filePath, name: 'library' })).toData() });
}

function read(): LibraryOverview {
  // Reads beside whoever writes: the file is in WAL mode.
  const database = new Database(filePath, { readonly: true });
  try {
    // It goes through all Items once, and the system has the file in memory too.
    database.pragma('cache_size = -2048');
    return readOverview(database);
  } finally {
    database.close();
  }
}

function reply(message: OverviewReply): void {
  parentPort?.postMessage(message);
}
