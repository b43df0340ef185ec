import Database from 'better-sqlite3';
import { backUp } from './back-up.ts';
import { judgeCompacting } from './compact.ts';
import { markKept, type KeepRules } from './keep-rules.ts';
import { measureUsage } from './measure-usage.ts';
import { listEvicted, readEvictable, type Eviction } from './plan-eviction.ts';
import { readDamaged, type FoundPart } from './read-damaged.ts';
import { verifyLibrary } from './verify-library.ts';
import type { WorkWatch } from './work-watch.ts';

/** They go through a file once, and the system has it in memory too: a larger cache took memory and no less time. */
const cacheKibibytes = 2048;

/** How a task is followed, and where it gives what it finds on the way. */
export interface ReadingWatch extends WorkWatch {
  /** Resolves when that was taken. */
  give(part: FoundPart): Promise<void>;
}

/** Long work that only reads a library's file, each in a thread of its own, beside the writing thread. */
export const readingTasks = {
  usage: ({ filePath }: { filePath: string }) => withReader(filePath, (database) => measureUsage(database)),
  count: ({ filePath }: { filePath: string }) =>
    withReader(
      filePath,
      (database) => database.prepare<[], number>('SELECT count(*) FROM item').pluck().get() ?? 0,
    ),
  need: ({ filePath }: { filePath: string }) => withReader(filePath, (database) => judgeCompacting(database)),
  verify: ({ filePath, isThorough }: { filePath: string; isThorough: boolean }, watch) =>
    withReader(filePath, (database) => verifyLibrary(database, { isThorough, watch })),
  evictable: ({ filePath, rules }: { filePath: string; rules: KeepRules }) =>
    withReader(filePath, (database) => {
      markKept(database, rules);
      return readEvictable(database);
    }),
  evicted: ({ filePath, rules, eviction }: { filePath: string; rules: KeepRules; eviction: Eviction }) =>
    withReader(filePath, (database) => {
      markKept(database, rules);
      return listEvicted(database, eviction);
    }),
  backUp: (input: { sourcePath: string; targetPath: string }, watch) => backUp(input, watch),
  readDamaged: ({ filePath }: { filePath: string }, watch) =>
    readDamaged(filePath, { onPart: (part) => watch.give(part), watch }),
} satisfies Record<string, (input: never, watch: ReadingWatch) => unknown>;

/** The table of tasks. */
export type ReadingTasks = typeof readingTasks;

function withReader<Result>(filePath: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(filePath, { readonly: true, fileMustExist: true });
  try {
    database.pragma(`cache_size = ${-cacheKibibytes}`);
    return read(database);
  } finally {
    database.close();
  }
}
