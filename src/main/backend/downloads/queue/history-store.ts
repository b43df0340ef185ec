import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';
import type { Verification } from '#shared/transfer/transfer.ts';

/** A file that was brought home. The queue's own trigger writes it in the step that makes its transfer done. */
export interface HistoryRow {
  historyId: number;
  transferId: number;
  downloadId: number;
  title: string;
  connectionId: string;
  destination: string;
  collectionId: string;
  itemId: string;
  assetKey: string;
  filePath: string;
  sizeBytes: number;
  verification: Verification;
  digest: string | null;
  finishedAtMs: number;
  isListed: boolean;
}

/** What was brought home, on disk. */
export interface HistoryStore {
  /** Newest first, those in which all words are found. */
  page(page: { text: string; offset: number; limit: number }): { rows: HistoryRow[]; totalCount: number };
  /** Those of an order whose transfers are off the list; of all orders for null. */
  unlisted(downloadId: number | null): HistoryRow[];
  /** The assets of an Item of which a file was brought. */
  assetKeysOf(connectionId: string, ref: ItemRef): string[];
  /** The files that were brought of an Item, newest first. */
  filesOf(connectionId: string, ref: ItemRef): HistoryRow[];
  clear(): number;
}

const searched =
  "(collection_id || ' ' || item_id || ' ' || asset_key || ' ' || file_path || ' ' || title) LIKE ? ESCAPE '\\'";
const isListed = 'EXISTS (SELECT 1 FROM transfer t WHERE t.transfer_id = history.transfer_id)';
const ofItem =
  'FROM history WHERE item_id = $itemId AND collection_id = $collectionId AND connection_id = $connectionId';
const columns = `history_id AS historyId, transfer_id AS transferId, download_id AS downloadId, title,
  connection_id AS connectionId, destination, collection_id AS collectionId, item_id AS itemId, asset_key AS assetKey,
  file_path AS filePath, size_bytes AS sizeBytes, verification, digest, finished_at_ms AS finishedAtMs,
  ${isListed} AS isListed`;

/** The history in an open queue. */
export function createHistoryStore(database: Database): HistoryStore {
  const selectAssets = database
    .prepare<[ItemRef & { connectionId: string }], string>(`SELECT DISTINCT asset_key ${ofItem}`)
    .pluck();

  return {
    page({ text, offset, limit }) {
      const words = text.split(/\s+/).filter((word) => word !== '');
      const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
      const where = words.length === 0 ? '' : `WHERE ${words.map(() => searched).join(' AND ')}`;
      const rows = database
        .prepare(
          `SELECT ${columns} FROM history ${where} ORDER BY finished_at_ms DESC, history_id DESC LIMIT ? OFFSET ?`,
        )
        .all(...patterns, limit, offset)
        .map(toRow);
      const totalCount = Number(
        database
          .prepare(`SELECT count(*) FROM history ${where}`)
          .pluck()
          .get(...patterns),
      );
      return { rows, totalCount };
    },
    unlisted: (downloadId) =>
      database
        .prepare(
          `SELECT ${columns} FROM history WHERE NOT ${isListed} AND download_id = coalesce(?, download_id)
           ORDER BY history_id`,
        )
        .all(downloadId)
        .map(toRow),
    assetKeysOf: (connectionId, { collectionId, itemId }) =>
      selectAssets.all({ connectionId, collectionId, itemId }),
    filesOf: (connectionId, { collectionId, itemId }) =>
      database
        .prepare(`SELECT ${columns} ${ofItem} ORDER BY finished_at_ms DESC, history_id DESC`)
        .all({ connectionId, collectionId, itemId })
        .map(toRow),
    clear: () => database.prepare('DELETE FROM history').run().changes,
  };
}

function toRow(stored: unknown): HistoryRow {
  const row = stored as Omit<HistoryRow, 'isListed'> & { isListed: number };
  return { ...row, isListed: row.isListed === 1 };
}
