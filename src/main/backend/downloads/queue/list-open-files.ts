import type { OpenFile } from '../handover/handed-file.ts';
import type { TransferStore } from './transfer-store.ts';

/** The files that are neither done nor cancelled, in the queue's order, each with its Item. */
export function* listOpenFiles(
  store: Pick<TransferStore, 'rows' | 'rowsOf' | 'itemOf'>,
  downloadId: number | null,
): Generator<OpenFile> {
  for (const row of downloadId === null ? store.rows() : store.rowsOf(downloadId)) {
    if (row.state === 'done' || row.state === 'cancelled') continue;
    const { connectionId, collectionId, itemId, assetKey, destination, filePath, announcedChecksum } = row;
    const item = store.itemOf(row.transferId);
    const ref = { collectionId, itemId };
    yield { connectionId, ref, assetKey, item, destination, filePath, announcedChecksum };
  }
}
