import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { HistoryEntry } from '#shared/transfer/transfer-history.ts';
import type { TransferDetails } from '#shared/transfer/transfer-details.ts';
import type { Transfer, TransferPriority } from '#shared/transfer/transfer.ts';
import { findChecksumProblem } from '../file/multihash.ts';
import { tellFlow } from '../limits/flow.ts';
import type { LiveRun } from './live-run.ts';
import type { HistoryRow } from './history-store.ts';
import type { OrderRow } from './order-store.ts';
import type { TransferRow } from './transfer-row.ts';
import type { TransferEventRow } from './transfer-store.ts';

/** A transfer as the window sees it, with the live figures of its run where it has one. */
export function toTransfer(row: TransferRow, run: LiveRun | undefined, nowMs: number): Transfer {
  const { state, error, announcedChecksum } = row;
  const checksumProblem = announcedChecksum === null ? null : findChecksumProblem(announcedChecksum);
  return {
    transferId: row.transferId,
    downloadId: row.downloadId,
    collectionId: row.collectionId,
    itemId: row.itemId,
    assetKey: row.assetKey,
    state,
    waiting: state === 'waiting' && error !== null ? { error, resumeAt: toTime(row.resumeAtMs) } : null,
    ...toFigures(row, run, nowMs),
    totalBytes: row.totalBytes ?? row.announcedBytes,
    filePath: row.filePath,
    linkKind: row.linkKind,
    verification: row.verification,
    ...(checksumProblem === null ? {} : { checksumProblem }),
    error: state === 'failed' || state === 'verifying' ? error : null,
    priority: toPriority(row.priority),
    position: row.position,
    undoUntil: state === 'cancelled' ? toTime(row.dropAtMs) : null,
    finding: row.finding,
  };
}

function toFigures({ state, durableBytes, error }: TransferRow, run: LiveRun | undefined, nowMs: number) {
  const isFlowing = run !== undefined && state === 'downloading';
  const isMended = state === 'verifying' && error !== null;
  return {
    receivedBytes: isFlowing ? run.receivedBytes : durableBytes,
    ...tellFlow(isFlowing || isMended ? run : undefined, nowMs),
    ...(run?.isInLine === true ? { isInLine: true } : {}),
    ...(typeof run?.quietSinceMs === 'number'
      ? { quietSince: new Date(run.quietSinceMs).toISOString() }
      : {}),
  };
}

/** What a closer look at a transfer shows. */
export function toDetails(row: TransferRow, events: readonly TransferEventRow[]): TransferDetails {
  return {
    links: row.linkMode,
    sourceOrigin: row.sourceOrigin,
    attempts: row.attempts,
    restarts: row.restarts,
    announcedBytes: row.announcedBytes,
    announcedChecksum: row.announcedChecksum,
    digest: row.digest,
    startedAt: toTime(row.startedAtMs),
    finishedAt: toTime(row.finishedAtMs),
    checkedAt: toTime(row.checkedAtMs),
    events: events.map(({ atMs, ...event }) => ({ ...event, at: new Date(atMs).toISOString() })),
  };
}

/** An order as the window sees it. */
export function toOrderView(row: OrderRow): DownloadOrderView {
  const { downloadId, title, origin, connectionId, destination, linkMode, s3Access, createdAtMs } = row;
  const orderedAt = new Date(createdAtMs).toISOString();
  const how = { links: linkMode, ...(s3Access == null ? {} : { s3Access }) };
  return { downloadId, title, origin, connectionId, destination, ...how, orderedAt };
}

/** An entry of the history as the window sees it. */
export function toHistoryEntry(row: HistoryRow): HistoryEntry {
  const { isListed, transferId, finishedAtMs, destination: _, ...entry } = row;
  return {
    ...entry,
    transferId: isListed ? transferId : null,
    finishedAt: new Date(finishedAtMs).toISOString(),
  };
}

function toPriority(number: number): TransferPriority {
  if (number === 0) return 'normal';
  return number > 0 ? 'high' : 'low';
}

function toTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
