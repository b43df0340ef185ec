import type { Database } from 'better-sqlite3';
import type { S3Access } from '#shared/connection/s3-access.ts';
import type { ErrorData } from '#shared/errors/app-error.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { OrderOrigin } from '#shared/transfer/download-order.ts';
import type { LinkMode, TransferState } from '#shared/transfer/transfer.ts';
import { packSnapshot } from './item-snapshot.ts';
import { nextPosition, rankStep } from './rank-store.ts';
import { bound, toStored } from './select-transfers.ts';
import { removeUnused, type Belonging } from './transfer-store.ts';

/** An order to be written down. */
export interface NewOrder {
  connectionId: string;
  destination: string;
  linkMode: LinkMode;
  /** Null: as the connection says. */
  s3Access?: S3Access | null;
  title: string;
  origin: OrderOrigin;
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

/** A transfer of an order, or an earlier one that moves into it. */
export interface OrderedTransfer {
  itemPk: number;
  transfer: NewTransfer;
  /** Taken over, unless it is done or gone by now. */
  adoptId: number | null;
}

/** An order as it is kept. */
export interface OrderRow extends NewOrder {
  downloadId: number;
}

/** A transfer of an asset into a folder. */
export interface KnownTransfer {
  transferId: number;
  state: TransferState;
  filePath: string | null;
  totalBytes: number | null;
  announcedChecksum: string | null;
  /** SHA-256 of what was brought, as a multihash in hex. */
  digest: string | null;
  finding: string | null;
}

/** What an order is put into the queue with. */
export interface CommitOptions {
  priority: number;
  nowMs: number;
}

/** Orders on disk. */
export interface OrderStore {
  /** The catalogs that files are still to come from, those that are paused among them. */
  openConnections(): string[];
  /** Begins to write an order down. It is not in the queue, and nobody sees any of it, before it is committed. */
  begin(order: NewOrder): number;
  /** Writes Items of an order that was begun; gives their keys. */
  addItems(downloadId: number, items: readonly { ref: ItemRef; item: StacItem }[]): number[];
  /** Writes transfers of an order, or takes earlier ones over into it. Gives the ids of those taken over. */
  addTransfers(downloadId: number, transfers: readonly OrderedTransfer[], options: CommitOptions): number[];
  /** `addTransfers`, and with it puts the order into the queue, at its end. */
  commit(downloadId: number, transfers: readonly OrderedTransfer[], options: CommitOptions): number[];
  /** Takes back an order that was begun; one that is in the queue stays. */
  discard(downloadId: number): void;
  /** Takes back what the last process had begun. */
  discardAll(): void;
  orders(): OrderRow[];
  order(downloadId: number): OrderRow | null;
  count(): number;
  /** Transfers of an asset into a folder, the newest first. */
  find(asset: ItemRef & { connectionId: string; assetKey: string; destination: string }): KnownTransfer[];
  /** Of each destination: bytes that are still to come as far as known, and how many files of unknown size. */
  promised(): { destination: string; bytes: number; unknownCount: number }[];
}

const selectOrders = `
  SELECT download_id AS downloadId, connection_id AS connectionId, destination, link_mode AS linkMode,
    s3_access AS s3Access, title,
    origin_json AS origin, created_at_ms AS createdAtMs
  FROM download WHERE queued_at_ms IS NOT NULL`;

/** Orders in an open queue. */
export function createOrderStore(database: Database): OrderStore {
  const selectOpenConnections = database
    .prepare<[], string>(
      `SELECT DISTINCT connection_id FROM download d WHERE queued_at_ms IS NOT NULL AND EXISTS (SELECT 1 FROM transfer t
         WHERE t.download_id = d.download_id AND t.state NOT IN ('failed', 'cancelled', 'done'))`,
    )
    .pluck();
  const insertOrder = database.prepare(
    `INSERT INTO download (connection_id, destination, link_mode, title, origin_json, created_at_ms, s3_access)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertItem = database.prepare(
    'INSERT INTO download_item (download_id, collection_id, item_id, item) VALUES (?, ?, ?, ?)',
  );
  const insertCollections = database.prepare(
    `INSERT OR IGNORE INTO ordered_collection (connection_id, collection_id)
     SELECT connection_id, one.value FROM download, json_each(?) AS one WHERE download_id = ?`,
  );
  const insertTransfer = database.prepare(
    `INSERT INTO transfer (download_id, item_pk, priority, position, asset_key, state, error_json, progress_at_ms,
       media_type, announced_bytes, announced_checksum, collection_pk)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectCollections = database.prepare<[string], { itemPk: number; collectionPk: number }>(
    `SELECT i.item_pk AS itemPk, c.collection_pk AS collectionPk
     FROM download_item i JOIN download d ON d.download_id = i.download_id
       JOIN ordered_collection c ON c.connection_id = d.connection_id AND c.collection_id = i.collection_id
     WHERE i.item_pk IN (SELECT value FROM json_each(?))`,
  );
  // What is done by now keeps its place in the history of the order that brought it.
  const selectBelongings = database.prepare<[string], Belonging & { transferId: number }>(
    `SELECT transfer_id AS transferId, download_id AS downloadId, item_pk AS itemPk FROM transfer
     WHERE transfer_id IN (SELECT value FROM json_each(?)) AND state <> 'done'`,
  );
  const adopt = database.prepare(
    `UPDATE transfer SET download_id = ?, item_pk = one.value ->> 1 FROM json_each(?) AS one
     WHERE transfer_id = one.value ->> 0`,
  );
  // What has failed by what the catalog said then is tried by what it says now, be it less.
  const announce = database.prepare(
    `UPDATE transfer SET media_type = ?, announced_bytes = ?, announced_checksum = ?
     WHERE transfer_id = ? AND state IN ('failed', 'cancelled')`,
  );
  const markQueued = database.prepare('UPDATE download SET queued_at_ms = ? WHERE download_id = ?');
  const selectKnown = database.prepare<unknown[], KnownTransfer>(
    `SELECT t.transfer_id AS transferId, t.state AS state, t.file_path AS filePath, t.finding AS finding,
       coalesce(t.total_bytes, t.announced_bytes) AS totalBytes, t.announced_checksum AS announcedChecksum,
       t.digest AS digest
     FROM download_item i CROSS JOIN transfer t ON t.item_pk = i.item_pk
       JOIN download d ON d.download_id = t.download_id
     WHERE i.collection_id = ${bound} AND i.item_id = ${bound} AND t.asset_key = ${bound}
       AND d.connection_id = ${bound} AND d.destination = ${bound}
     ORDER BY t.transfer_id DESC`,
  );
  const isDraft = 'download_id = ? AND queued_at_ms IS NULL';
  const ofDraft = `download_id IN (SELECT download_id FROM download WHERE ${isDraft})`;
  const discard = database.transaction((downloadId: number) => {
    database.prepare(`DELETE FROM transfer WHERE ${ofDraft}`).run(downloadId);
    database.prepare(`DELETE FROM download_item WHERE ${ofDraft}`).run(downloadId);
    database.prepare(`DELETE FROM download WHERE ${isDraft}`).run(downloadId);
  });

  function addTransfers(
    downloadId: number,
    transfers: readonly OrderedTransfer[],
    { priority, nowMs }: { priority: number; nowMs: number },
  ): number[] {
    const asked = JSON.stringify(transfers.flatMap(({ adoptId }) => adoptId ?? []));
    const itemPks = JSON.stringify([...new Set(transfers.map(({ itemPk }) => itemPk))]);
    const collections = new Map(
      selectCollections.all(itemPks).map(({ itemPk, collectionPk }) => [itemPk, collectionPk]),
    );
    const left = new Map(selectBelongings.all(asked).map((one) => [one.transferId, one]));
    const adopted: { transferId: number; itemPk: number }[] = [];
    let position = nextPosition(database, priority);
    for (const { itemPk, transfer, adoptId } of transfers) {
      if (adoptId !== null && left.has(adoptId)) {
        adopted.push({ transferId: adoptId, itemPk });
        const { mediaType, announcedBytes, announcedChecksum } = transfer;
        announce.run(mediaType, announcedBytes, announcedChecksum, adoptId);
        continue;
      }
      const { assetKey, state, error, mediaType, announcedBytes, announcedChecksum } = transfer;
      const facts = [nowMs, mediaType, announcedBytes, announcedChecksum, collections.get(itemPk)];
      const stored = [downloadId, itemPk, priority, position, assetKey, state, toStored(error), ...facts];
      insertTransfer.run(...stored);
      position += rankStep;
    }
    adopt.run(downloadId, JSON.stringify(adopted.map(({ transferId, itemPk }) => [transferId, itemPk])));
    removeUnused(database, [...left.values()]);
    return adopted.map(({ transferId }) => transferId);
  }

  return {
    openConnections: () => selectOpenConnections.all(),
    begin({ connectionId, destination, linkMode, title, origin, createdAtMs, s3Access = null }) {
      const known = [connectionId, destination, linkMode, title, JSON.stringify(origin), createdAtMs];
      const stored = [...known, s3Access];
      return Number(insertOrder.run(...stored).lastInsertRowid);
    },
    addItems: database.transaction<OrderStore['addItems']>((downloadId, items) => {
      const collectionIds = new Set(items.map(({ ref }) => ref.collectionId));
      insertCollections.run(JSON.stringify([...collectionIds]), downloadId);
      return items.map(({ ref, item }) =>
        Number(insertItem.run(downloadId, ref.collectionId, ref.itemId, packSnapshot(item)).lastInsertRowid),
      );
    }),
    addTransfers: database.transaction(addTransfers),
    commit: database.transaction<OrderStore['commit']>((downloadId, transfers, options) => {
      markQueued.run(options.nowMs, downloadId);
      return addTransfers(downloadId, transfers, options);
    }),
    discard,
    discardAll() {
      const drafts = database
        .prepare<[], number>('SELECT download_id FROM download WHERE queued_at_ms IS NULL')
        .pluck()
        .all();
      for (const downloadId of drafts) discard(downloadId);
    },
    orders: () => database.prepare(`${selectOrders} ORDER BY download_id`).all().map(toOrder),
    order(downloadId) {
      const stored = database.prepare(`${selectOrders} AND download_id = ?`).get(downloadId);
      return stored === undefined ? null : toOrder(stored);
    },
    count: () =>
      Number(database.prepare('SELECT count(*) FROM download WHERE queued_at_ms IS NOT NULL').pluck().get()),
    find: ({ collectionId, itemId, assetKey, connectionId, destination }) =>
      selectKnown.all(collectionId, itemId, assetKey, connectionId, destination),
    promised: () =>
      database
        .prepare<[], { destination: string; bytes: number; unknownCount: number }>(
          `SELECT d.destination AS destination,
             sum(max(coalesce(t.total_bytes, t.announced_bytes, t.durable_bytes) - t.durable_bytes, 0)) AS bytes,
             sum(t.total_bytes IS NULL AND t.announced_bytes IS NULL) AS unknownCount
           FROM transfer t JOIN download d ON d.download_id = t.download_id
           WHERE t.state NOT IN ('done', 'failed', 'cancelled') AND d.queued_at_ms IS NOT NULL
           GROUP BY d.destination`,
        )
        .all(),
  };
}

function toOrder(stored: unknown): OrderRow {
  const row = stored as Omit<OrderRow, 'origin'> & { origin: string };
  return { ...row, origin: JSON.parse(row.origin) as OrderOrigin };
}
