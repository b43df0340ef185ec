import type { Database } from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';
import { isInQueue } from './select-transfers.ts';

/** What the queue has, for those who look after the libraries: without reading its transfers one by one. */
export interface QueueContents {
  /** The files that are done. */
  doneFiles(): { count: number; sizeBytes: number };
  /** The Items of all transfers, whichever catalog's, each once. */
  items(): ItemRef[];
}

/** The contents where there is no queue. */
export const noContents: QueueContents = { doneFiles: () => ({ count: 0, sizeBytes: 0 }), items: () => [] };

/** The contents of an open queue. */
export function createQueueContents(database: Database): QueueContents {
  const selectDone = database.prepare<[], { count: number; sizeBytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(coalesce(total_bytes, durable_bytes)), 0) AS sizeBytes
     FROM transfer WHERE state = 'done' AND ${isInQueue}`,
  );
  const selectItems = database.prepare<[], ItemRef>(
    `SELECT DISTINCT collection_id AS collectionId, item_id AS itemId FROM download_item
     WHERE item_pk IN (SELECT item_pk FROM transfer WHERE ${isInQueue})`,
  );
  return {
    doneFiles: () => selectDone.get() ?? { count: 0, sizeBytes: 0 },
    items: () => selectItems.all(),
  };
}
