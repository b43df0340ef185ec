import type { FinishedOrder } from '../downloads.ts';
import { toSnapshot } from './order-snapshot.ts';
import type { QueueFile } from './queue-file.ts';

/** Puts files on the list that came another way, as transfers that are done. Gives the ids of those that are new there. */
export function addFinished(
  { transfers, orders }: Pick<QueueFile, 'transfers' | 'orders'>,
  { connectionId, ref, item, destination, files }: FinishedOrder,
  nowMs: number,
): number[] {
  const added = files.filter(({ filePath }) => !transfers.isDone(filePath));
  if (added.length === 0) return [];
  let transferIds: number[] = [];
  transfers.together(() => {
    const downloadId = orders.begin({
      connectionId,
      destination,
      linkMode: 'auto',
      title: ref.itemId,
      origin: { kind: 'pack' },
      createdAtMs: nowMs,
    });
    const [itemPk = 0] = orders.addItems(downloadId, [{ ref, item: toSnapshot(item) }]);
    const facts = { state: 'finalizing', error: null, mediaType: null, announcedChecksum: null } as const;
    const ordered = added.map(({ assetKey, sizeBytes }) => ({
      itemPk,
      transfer: { ...facts, assetKey, announcedBytes: sizeBytes },
      adoptId: null,
    }));
    orders.commit(downloadId, ordered, { priority: 0, nowMs });
    transferIds = transfers.idsOf({ downloadId });
    transferIds.forEach((transferId, index) => {
      const file = added[index];
      if (!file) return;
      const { filePath, sizeBytes, verification, digest, finishedAtMs } = file;
      const size = { totalBytes: sizeBytes, durableBytes: sizeBytes };
      const done = { state: 'done', filePath, verification, digest, finishedAtMs } as const;
      transfers.update(transferId, { ...done, ...size });
    });
  });
  return transferIds;
}
