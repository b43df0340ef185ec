import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TransferRow } from './transfer-row.ts';
import type { TransferRun } from './transfer-run.ts';

/** A transfer as the window sees it, with the live figures of its run where it has one. */
export function toTransfer(row: TransferRow, run: TransferRun | undefined, nowMs: number): Transfer {
  const { state, error } = row;
  const isFlowing = run !== undefined && state === 'downloading';
  return {
    transferId: row.transferId,
    downloadId: row.downloadId,
    collectionId: row.collectionId,
    itemId: row.itemId,
    assetKey: row.assetKey,
    state,
    waiting:
      state === 'waiting' && error !== null
        ? { error, resumeAt: row.resumeAtMs === null ? null : new Date(row.resumeAtMs).toISOString() }
        : null,
    receivedBytes: isFlowing ? run.receivedBytes : row.durableBytes,
    totalBytes: row.totalBytes ?? row.announcedBytes,
    bytesPerSecond: isFlowing ? run.bytesPerSecond(nowMs) : 0,
    filePath: row.filePath,
    linkKind: row.linkKind,
    verification: row.verification,
    error: state === 'failed' ? error : null,
  };
}
