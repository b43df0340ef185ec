import type { Database } from 'better-sqlite3';

/** Folders looked through for files of a catalog; a person uses a few, one after the other. */
const mostFolders = 20;

/** The folders that downloads went to, of each catalog. */
export interface DownloadFolderStore {
  /** Absolute paths, the one used last first. */
  list(connectionId: string): string[];
  /** Was used then; a later use that is known of remains. */
  note(connectionId: string, path: string, usedAtMs: number): void;
}

/** Prepares the statements. */
export function createDownloadFolderStore(database: Database): DownloadFolderStore {
  const select = database
    .prepare<[string, number], string>(
      'SELECT path FROM download_folder WHERE connection_id = ? ORDER BY used_at_ms DESC, path LIMIT ?',
    )
    .pluck();
  const save = database.prepare(
    `INSERT INTO download_folder VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET used_at_ms = excluded.used_at_ms WHERE excluded.used_at_ms > used_at_ms`,
  );
  return {
    list: (connectionId) => select.all(connectionId, mostFolders),
    note(connectionId, path, usedAtMs) {
      // Thousands of orders into one folder are one line, and each line ends with the disk.
      if (select.get(connectionId, 1) !== path) save.run(connectionId, path, usedAtMs);
    },
  };
}
