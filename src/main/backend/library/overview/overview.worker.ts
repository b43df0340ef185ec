import Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { readOverview } from './read-overview.ts';

// Reads beside whoever writes: the file is in WAL mode.
const database = new Database(workerData as string, { readonly: true });
// It goes through all Items once, and the system has the file in memory too.
database.pragma('cache_size = -2048');
try {
  parentPort?.postMessage(readOverview(database));
} finally {
  database.close();
}
