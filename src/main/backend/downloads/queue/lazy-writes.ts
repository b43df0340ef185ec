import type { Database } from 'better-sqlite3';
import { toDiskError } from '../file/disk-error.ts';
import type { Disk, DiskFile } from '../file/disk.ts';
import { createGatheredTasks } from '../tasks/gathered-tasks.ts';

/** Writes that need not be durable one by one: a commit that waits for the disk holds the event loop up as long. */
export interface LazyWrites {
  /**
   * Does what `work` writes, at once for everybody who reads; a power cut may take it back, and then everything that was
   * written after it as well. Durable with the next ordinary commit, or once `settle` has resolved.
   */
  write<Result>(work: () => Result): Result;
  /** Resolves when all that was written is durable; many who ask wait for one sync. @throws AppError `transfer.*` */
  settle(): Promise<void>;
  close(): void;
}

/** Lazy writes to a database whose ordinary commits are durable. */
export function createLazyWrites(database: Database, disk: Disk): LazyWrites {
  // Without a log of writes there is nothing whose sync would be enough.
  const hasLog = database.pragma('journal_mode', { simple: true }) === 'wal';
  const logPath = `${database.name}-wal`;
  let log: DiskFile | null = null;
  let writtenCount = 0;
  let settledCount = 0;
  let isClosed = false;

  // SQLite keeps the order of commits in its log, and of a log takes what is whole: syncing it is what a commit does.
  const syncs = createGatheredTasks<null>(async () => {
    if (settledCount === writtenCount || isClosed) return;
    const reached = writtenCount;
    try {
      log ??= await disk.open(logPath, 'update');
      await log.datasync();
    } catch (error) {
      throw toDiskError(error, logPath);
    }
    settledCount = reached;
  });

  return {
    write(work) {
      if (!hasLog || database.inTransaction) return work();
      // As a statement this takes longer than most of what is written.
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        const result = work();
        writtenCount += 1;
        return result;
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    settle: () => (settledCount === writtenCount ? Promise.resolve() : syncs.run(logPath, null)),
    close() {
      isClosed = true;
      log?.close().catch(() => undefined);
    },
  };
}
