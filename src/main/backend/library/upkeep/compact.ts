import type { Database } from 'better-sqlite3';
import { measureFile } from './measure-usage.ts';

/** What compacting would give, and what it needs meanwhile. */
export interface CompactingNeed {
  gainBytes: number;
  /** Free space: SQLite writes the file anew beside the old one, and then once more through its journal. */
  neededBytes: number;
}

/** Judges before anything is done. */
export function judgeCompacting(database: Database): CompactingNeed {
  const { usedBytes, freeBytes } = measureFile(database);
  return { gainBytes: freeBytes, neededBytes: usedBytes * 2 };
}

/** Writes the file anew without its free pages. It can't be stopped; at a crash the file is as it was. */
export function compact(database: Database): void {
  database.exec('VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
}
