import Database from 'better-sqlite3';
import type { ErrorData } from '#shared/errors/app-error.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { LinkMode, TransferState } from '#shared/transfer/transfer.ts';
import { openQueueFile } from './open-queue-file.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';

/** A download to be written down. */
export interface NewDownload {
  connectionId: string;
  ref: ItemRef;
  destination: string;
  linkMode: LinkMode;
  item: StacItem;
  createdAtMs: number;
}

/** A transfer to be written down. */
export interface NewTransfer {
  assetKey: string;
  state: TransferState;
  error: ErrorData | null;
  mediaType: string | null;
  announcedBytes: number | null;
  announcedChecksum: string | null;
}

/** The queue on disk. Every change is durable when the method returns. Synchronous and short. */
export interface TransferStore {
  /** Writes a download with its transfers, all or nothing. `adopt` are transfers that move to the new download. */
  add(download: NewDownload, transfers: readonly NewTransfer[], adopt: readonly number[]): number;
  row(transferId: number): TransferRow | null;
  rows(): TransferRow[];
  rowsOf(downloadId: number): TransferRow[];
  rowsIn(...states: TransferState[]): TransferRow[];
  /** Rows that want a slot or have one, in their order. */
  runnable(limit: number): TransferRow[];
  /** When the first waiting transfer goes on. */
  nextResumeAtMs(): number | null;
  /** A transfer of an asset into a folder that has not come to its end. */
  findUnfinished(
    asset: ItemRef & { connectionId: string; assetKey: string; destination: string },
  ): TransferRow | null;
  update(transferId: number, changes: RowChanges): void;
  /** Claims a final name; false when another transfer has it. */
  reserveName(transferId: number, changes: { nameKey: string } & RowChanges): boolean;
  /** Whether a folder belongs to an owner, which it does from its first claim on. */
  claimFolder(folderKey: string, owner: string): boolean;
  /** Whether a file is on the list as done. */
  isDone(filePath: string): boolean;
  /** The folders that were ordered into, of each catalog. */
  destinations(): { connectionId: string; destination: string }[];
  /** The Item of a transfer, as it was when it was ordered. */
  itemOf(transferId: number): StacItem;
  remove(transferId: number): void;
  close(): void;
}

const columns: Readonly<Record<keyof RowChanges, string>> = {
  state: 'state',
  error: 'error_json',
  resumeAtMs: 'resume_at_ms',
  attempts: 'attempts',
  progressAtMs: 'progress_at_ms',
  progressBytes: 'progress_bytes',
  restarts: 'restarts',
  filePath: 'file_path',
  partPath: 'part_path',
  nameKey: 'name_key',
  mediaType: 'media_type',
  announcedBytes: 'announced_bytes',
  announcedChecksum: 'announced_checksum',
  totalBytes: 'total_bytes',
  durableBytes: 'durable_bytes',
  etag: 'etag',
  sourceOrigin: 'source_origin',
  linkKind: 'link_kind',
  verification: 'verification',
  digest: 'digest',
  startedAtMs: 'started_at_ms',
  finishedAtMs: 'finished_at_ms',
};

const selectRows = `
  SELECT transfer_id AS transferId, t.download_id AS downloadId, connection_id AS connectionId, collection_id AS collectionId, item_id AS itemId,
    asset_key AS assetKey, destination, link_mode AS linkMode,
    ${Object.entries(columns)
      .map(([name, column]) => `${column} AS "${name}"`)
      .join(', ')}
  FROM transfer t JOIN download d ON d.download_id = t.download_id`;

type StoredRow = Omit<TransferRow, 'error'> & { error: string | null };

/**
 * Opens the queue in a file, made if it isn't there.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function openTransferStore(filePath: string): TransferStore {
  const database = openQueueFile(filePath);
  const updates = new Map<string, Database.Statement>();

  const insertDownload = database.prepare(
    `INSERT INTO download (connection_id, collection_id, item_id, destination, link_mode, item_json, created_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertTransfer = database.prepare(
    `INSERT INTO transfer (download_id, asset_key, state, error_json, progress_at_ms, media_type, announced_bytes,
       announced_checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const adoptTransfer = database.prepare('UPDATE transfer SET download_id = ? WHERE transfer_id = ?');
  const selectOne = database.prepare(`${selectRows} WHERE transfer_id = ?`);
  const selectUnfinished = database.prepare(
    `${selectRows} WHERE connection_id = ? AND collection_id = ? AND item_id = ? AND asset_key = ? AND destination = ?
       AND state <> 'done' ORDER BY transfer_id LIMIT 1`,
  );
  const selectRunnable = database.prepare(
    `${selectRows} WHERE state IN ('queued', 'preparing', 'downloading', 'verifying', 'finalizing')
     ORDER BY transfer_id LIMIT ?`,
  );
  const selectNextResume = database
    .prepare("SELECT MIN(resume_at_ms) FROM transfer WHERE state = 'waiting'")
    .pluck();
  const insertFolder = database.prepare('INSERT OR IGNORE INTO output_folder VALUES (?, ?)');
  const selectFolder = database.prepare('SELECT owner FROM output_folder WHERE folder_key = ?').pluck();
  const selectItem = database
    .prepare('SELECT item_json FROM download JOIN transfer USING (download_id) WHERE transfer_id = ?')
    .pluck();

  function select(where: string, ...values: unknown[]): TransferRow[] {
    return database
      .prepare(`${selectRows} ${where} ORDER BY transfer_id`)
      .all(...values)
      .map(toRow);
  }

  function update(transferId: number, changes: RowChanges): void {
    const names = Object.keys(changes) as (keyof RowChanges)[];
    if (names.length === 0) return;
    const sql = `UPDATE transfer SET ${names.map((name) => `${columns[name]} = ?`).join(', ')} WHERE transfer_id = ?`;
    const statement = updates.get(sql) ?? database.prepare(sql);
    updates.set(sql, statement);
    statement.run(...names.map((name) => toStored(changes[name])), transferId);
  }

  return {
    add: database.transaction<TransferStore['add']>((download, transfers, adopt) => {
      const { connectionId, ref, destination, linkMode, item, createdAtMs } = download;
      const downloadId = Number(
        insertDownload.run(
          connectionId,
          ref.collectionId,
          ref.itemId,
          destination,
          linkMode,
          JSON.stringify(item),
          createdAtMs,
        ).lastInsertRowid,
      );
      for (const transfer of transfers) {
        const { assetKey, state, error, mediaType, announcedBytes, announcedChecksum } = transfer;
        const stored = [toStored(error), createdAtMs, mediaType, announcedBytes, announcedChecksum];
        insertTransfer.run(downloadId, assetKey, state, ...stored);
      }
      for (const transferId of adopt) adoptTransfer.run(downloadId, transferId);
      removeEmptyDownloads(database);
      return downloadId;
    }),
    row: (transferId) => {
      const stored = selectOne.get(transferId);
      return stored === undefined ? null : toRow(stored);
    },
    rows: () => select(''),
    rowsOf: (downloadId) => select('WHERE t.download_id = ?', downloadId),
    rowsIn: (...states) => select(`WHERE state IN (${states.map(() => '?').join(', ')})`, ...states),
    runnable: (limit) => selectRunnable.all(limit).map(toRow),
    nextResumeAtMs: () => Number(selectNextResume.get() ?? NaN) || null,
    findUnfinished: ({ connectionId, collectionId, itemId, assetKey, destination }) => {
      const stored = selectUnfinished.get(connectionId, collectionId, itemId, assetKey, destination);
      return stored === undefined ? null : toRow(stored);
    },
    update,
    reserveName(transferId, changes) {
      try {
        update(transferId, changes);
        return true;
      } catch (thrown) {
        if (thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_UNIQUE')
          return false;
        throw thrown;
      }
    },
    claimFolder(folderKey, owner) {
      insertFolder.run(folderKey, owner);
      return selectFolder.get(folderKey) === owner;
    },
    isDone: (filePath) =>
      database.prepare("SELECT 1 FROM transfer WHERE state = 'done' AND file_path = ?").get(filePath) !==
      undefined,
    destinations: () =>
      database
        .prepare<[], { connectionId: string; destination: string }>(
          'SELECT DISTINCT connection_id AS connectionId, destination FROM download',
        )
        .all(),
    itemOf: (transferId) => JSON.parse(String(selectItem.get(transferId))) as StacItem,
    remove: database.transaction((transferId: number) => {
      database.prepare('DELETE FROM transfer WHERE transfer_id = ?').run(transferId);
      removeEmptyDownloads(database);
    }),
    close: () => void database.close(),
  };
}

function removeEmptyDownloads(database: Database.Database): void {
  database.exec('DELETE FROM download WHERE download_id NOT IN (SELECT download_id FROM transfer)');
}

function toRow(stored: unknown): TransferRow {
  const row = stored as StoredRow;
  return { ...row, error: row.error === null ? null : (JSON.parse(row.error) as ErrorData) };
}

function toStored(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
