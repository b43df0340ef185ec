import type { Transfer } from '../transfer.ts';

/** A transfer that has just been queued, but for what a test says of it. */
export function makeTransfer(transferId: number, change: Partial<Transfer> = {}): Transfer {
  return {
    transferId,
    downloadId: 1,
    collectionId: 's2',
    itemId: `scene-${transferId}`,
    assetKey: 'B04',
    state: 'queued',
    waiting: null,
    receivedBytes: 0,
    totalBytes: 100,
    bytesPerSecond: 0,
    pace: 0,
    filePath: null,
    linkKind: null,
    verification: null,
    error: null,
    priority: 'normal',
    position: transferId,
    undoUntil: null,
    finding: null,
    ...change,
  };
}
