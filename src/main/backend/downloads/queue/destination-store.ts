import type { Database } from 'better-sqlite3';
import { removeUnused, type Belonging } from './transfer-store.ts';

/** Where orders go, on disk. */
export interface DestinationStore {
  /** Sends orders of which all transfers are meant to another folder; they stay what they are. */
  sendOrders(transferIds: readonly number[], destination: string): void;
  /** Sends transfers of other orders to another folder, in a part of their order that has the same name. */
  sendParts(transferIds: readonly number[], destination: string): void;
}

/** An Item of an order, and its files that are meant. */
interface Meant extends Belonging {
  /** JSON. */
  transferIds: string;
  /** 1 where not all of its files are meant. */
  isShared: number;
}

/** Destinations of an open queue's orders. */
export function createDestinationStore(database: Database): DestinationStore {
  const selectWhole = database
    .prepare<[string, string], number>(
      `SELECT d.download_id FROM transfer t JOIN download d ON d.download_id = t.download_id
       WHERE t.transfer_id IN (SELECT value FROM json_each(?)) AND d.destination <> ? GROUP BY d.download_id
       HAVING count(*) = (SELECT count(*) FROM transfer o WHERE o.download_id = d.download_id)`,
    )
    .pluck();
  const selectPart = database
    .prepare<[string, number], number>(
      `SELECT p.download_id FROM download p JOIN download d ON d.title = p.title AND d.origin_json = p.origin_json
         AND d.created_at_ms = p.created_at_ms AND d.connection_id = p.connection_id AND d.link_mode = p.link_mode
         AND d.s3_access IS p.s3_access
       WHERE p.destination = ? AND d.download_id = ? AND p.download_id <> d.download_id`,
    )
    .pluck();
  const insertPart = database.prepare(
    `INSERT INTO download (connection_id, destination, link_mode, title, origin_json, created_at_ms, queued_at_ms, s3_access)
     SELECT connection_id, ?, link_mode, title, origin_json, created_at_ms, queued_at_ms, s3_access
     FROM download WHERE download_id = ?`,
  );
  const setDestination = database.prepare('UPDATE download SET destination = ? WHERE download_id = ?');
  // Names are of the folder that they were given in, and what was verified there is verified anew.
  const withoutNames = 'file_path = NULL, name_key = NULL, digest = NULL, verification = NULL';
  const forgetNames = database.prepare(
    `UPDATE transfer SET ${withoutNames}
     WHERE download_id = ? AND (file_path IS NOT NULL OR name_key IS NOT NULL OR digest IS NOT NULL)`,
  );
  const selectMeant = database.prepare<[string, string], Meant>(
    `SELECT t.download_id AS downloadId, t.item_pk AS itemPk, json_group_array(t.transfer_id) AS transferIds,
       count(*) < (SELECT count(*) FROM transfer o WHERE o.item_pk = t.item_pk) AS isShared
     FROM transfer t JOIN download d ON d.download_id = t.download_id
     WHERE t.transfer_id IN (SELECT value FROM json_each(?)) AND d.destination <> ? GROUP BY t.item_pk`,
  );
  const selectCopies = database.prepare<[number, string], { itemPk: number; copyPk: number }>(
    // An order may have as many Items as an Item was ordered times, and far more.
    `SELECT i.item_pk AS itemPk, c.item_pk AS copyPk
     FROM download_item i CROSS JOIN download_item c INDEXED BY download_item_by_item
       ON c.collection_id = i.collection_id AND c.item_id = i.item_id
     WHERE c.download_id = ? AND i.item_pk IN (SELECT value FROM json_each(?))`,
  );
  const copyItems = database.prepare(
    `INSERT INTO download_item (download_id, collection_id, item_id, item)
     SELECT ?, collection_id, item_id, item FROM download_item
     WHERE item_pk IN (SELECT value FROM json_each(?)) GROUP BY collection_id, item_id`,
  );
  const moveItems = database.prepare(
    'UPDATE download_item SET download_id = ? WHERE item_pk IN (SELECT value FROM json_each(?))',
  );
  const moveTransfers = database.prepare(
    `UPDATE transfer SET download_id = ?, ${withoutNames} WHERE item_pk IN (SELECT value FROM json_each(?))`,
  );
  const moveTransfersOf = database.prepare(
    `UPDATE transfer SET download_id = ?, item_pk = one.value ->> 1, ${withoutNames} FROM json_each(?) AS one
     WHERE transfer_id = one.value ->> 0`,
  );

  function partOf(downloadId: number, destination: string): number {
    const part = selectPart.get(destination, downloadId);
    return part ?? Number(insertPart.run(destination, downloadId).lastInsertRowid);
  }

  function copiesOf(meant: readonly Meant[], partId: number): Map<number, number> {
    const itemPks = JSON.stringify(meant.map(({ itemPk }) => itemPk));
    return new Map(selectCopies.all(partId, itemPks).map(({ itemPk, copyPk }) => [itemPk, copyPk]));
  }

  // An Item of which all files go goes with them; else the part of the order gets a copy of it, once.
  function sendItems(meant: readonly Meant[], partId: number): void {
    const present = copiesOf(meant, partId);
    const left = Map.groupBy(meant, ({ itemPk, isShared }) => {
      if (present.has(itemPk)) return 'copied';
      return isShared === 1 ? 'shared' : 'whole';
    });
    const pksOf = (kind: 'shared' | 'whole') =>
      JSON.stringify((left.get(kind) ?? []).map((one) => one.itemPk));
    copyItems.run(partId, pksOf('shared'));
    const copied = [...(left.get('copied') ?? []), ...(left.get('shared') ?? [])];
    const copies = copiesOf(copied, partId);
    const moves = copied.flatMap(({ itemPk, transferIds }) =>
      (JSON.parse(transferIds) as number[]).map((transferId) => [transferId, copies.get(itemPk)]),
    );
    moveTransfersOf.run(partId, JSON.stringify(moves));
    moveItems.run(partId, pksOf('whole'));
    moveTransfers.run(partId, pksOf('whole'));
  }

  return {
    sendOrders: database.transaction<DestinationStore['sendOrders']>((transferIds, destination) => {
      const ids = JSON.stringify(transferIds);
      for (const downloadId of selectWhole.all(ids, destination)) {
        if (selectPart.get(destination, downloadId) !== undefined) continue;
        forgetNames.run(downloadId);
        setDestination.run(destination, downloadId);
      }
    }),
    sendParts: database.transaction<DestinationStore['sendParts']>((transferIds, destination) => {
      const meant = selectMeant.all(JSON.stringify(transferIds), destination);
      for (const [downloadId, items] of Map.groupBy(meant, (one) => one.downloadId))
        sendItems(items, partOf(downloadId, destination));
      removeUnused(database, meant);
    }),
  };
}
