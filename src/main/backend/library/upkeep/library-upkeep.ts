import type { Database } from 'better-sqlite3';
import type { TaskOptions, WritingThread } from '../writing/writing-thread.ts';
import type { EvictionStep } from './evict-items.ts';
import { measureFile } from './measure-usage.ts';
import { listUpkeep, type UpkeepRecord } from './upkeep-record.ts';

/** How long the writing thread is kept from other work at once. */
const sliceMs = 40;

/** Work on a library's file. What changes it goes through the writing thread, in the order of the other writing. */
export interface LibraryUpkeep {
  readonly filePath: string;
  /** Bytes of the pages in use, and of those kept for what comes next. */
  measure(): { usedBytes: number; freeBytes: number };
  /** Takes Items out; returns how many. */
  evict(step: EvictionStep): Promise<number>;
  /** Forgets searches older than a moment, but for those kept; returns how many. */
  forgetSearches(input: { beforeMs: number; keptQueryKeys: readonly string[] }): Promise<number>;
  /** Writes the file anew without its free pages; other writing waits for it. Stopped, it changes nothing. */
  compact(options: TaskOptions): Promise<void>;
  /** Brings the journal into the file. */
  checkpoint(): Promise<void>;
  note(record: UpkeepRecord): Promise<void>;
  /** What was done to the library, newest first. */
  records(limit: number): UpkeepRecord[];
}

/** Joins the reading connection and the writing thread of a library. */
export function createLibraryUpkeep({
  database,
  writing,
  filePath,
}: {
  database: Database;
  writing: WritingThread;
  filePath: string;
}): LibraryUpkeep {
  return {
    filePath,
    measure: () => measureFile(database),
    evict: (step) => writing.run('evictItems', step),
    forgetSearches: (input) => writing.run('forgetSearches', input),
    compact: async (options) => {
      // What would otherwise be done after it in a pause, and leave free pages again. Where it fails, it would there too.
      const catchUp = () => writing.run('catchUp', { maxMs: sliceMs, wholeBlocksOnly: false });
      while (!(await catchUp().catch(() => true))) options.signal?.throwIfAborted();
      await writing.run('compact', undefined, options);
    },
    checkpoint: () => writing.run('checkpoint', undefined),
    note: (record) => writing.run('recordUpkeep', record),
    records: (limit) => listUpkeep(database, limit),
  };
}
