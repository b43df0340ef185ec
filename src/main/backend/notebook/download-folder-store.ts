import type { Database } from 'better-sqlite3';

/** Folders looked through for files of a catalog; a person uses a few, one after the other. */
const mostFolders = 20;

/** The folders that downloads went to, of each catalog. */
export interface DownloadFolderStore {
  /** Absolute paths, the one used last first. */
  list(connectionId: string): string[];
  note(connectionId: string, path: string, nowMs: number): void;
}

/** Prepares the statements. */
export function createDownloadFolderStore(database: Database): DownloadFolderStore {
  const select = database
    .prepare<[string, number], string>(
      'SELECT path FROM download_folder WHERE connection_id = ? ORDER BY used_at_ms DESC, path LIMIT ?',
    )
    .pluck();
  const save = database.prepare('INSERT OR REPLACE INTO download_folder VALUES (?, ?, ?)');
  return {
    list: (connectionId) => select.all(connectionId, mostFolders),
    note(connectionId, path, nowMs) {
      // Thousands of orders into one folder are one line, and each line ends with the disk.
      if (select.get(connectionId, 1) !== path) save.run(connectionId, path, nowMs);
    },
  };
}
