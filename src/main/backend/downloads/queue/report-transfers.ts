import { nextStepAfter } from '#shared/transfer/next-step.ts';
import { isSettled } from '#shared/transfer/transfer.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { findChecksumProblem } from '../file/multihash.ts';
import type { HistoryRow } from './history-store.ts';
import type { OrderRow } from './order-store.ts';
import type { TransferRow } from './transfer-row.ts';

/** What became of transfers, those that are off the list by now among them. */
export function reportTransfers(parts: {
  order: Pick<OrderRow, 'downloadId' | 'title' | 'destination'> | null;
  rows: readonly TransferRow[];
  unlisted: readonly HistoryRow[];
  /** Of the orders that are on the list. */
  titleOf: (downloadId: number) => string;
  nowMs: number;
}): TransferReport {
  const { order, rows, unlisted, titleOf, nowMs } = parts;
  const report: TransferReport = {
    downloadId: order?.downloadId ?? null,
    title: order?.title ?? null,
    destination: order?.destination ?? null,
    at: new Date(nowMs).toISOString(),
    isSettled: rows.every(({ state }) => isSettled(state)),
    verified: { count: 0, bytes: 0 },
    unverified: [],
    lost: [],
    failed: [],
    waiting: [],
    cancelledCount: 0,
  };
  const isLatest = findLatest([...unlisted, ...rows.filter(({ state }) => state === 'done')]);
  for (const row of unlisted.filter(isLatest))
    addDone(report, { ...row, orderTitle: row.title, announcedChecksum: null });
  for (const row of rows)
    if (row.state !== 'done' || isLatest(row)) addRow(report, row, titleOf(row.downloadId));
  return report;
}

type Brought = Pick<HistoryRow, 'transferId'> & { filePath: string | null };

/** A file that was brought again has the name of the one before it, which is no more. */
function findLatest(brought: readonly Brought[]): (one: Brought) => boolean {
  const latest = new Map<string | null, number>();
  for (const { filePath, transferId } of brought)
    latest.set(filePath, Math.max(latest.get(filePath) ?? 0, transferId));
  return ({ filePath, transferId }) => filePath === null || latest.get(filePath) === transferId;
}

function addRow(report: TransferReport, row: TransferRow, orderTitle: string): void {
  const { state, error } = row;
  const line = toLine({ ...row, orderTitle, sizeBytes: row.totalBytes ?? row.announcedBytes });
  if (state === 'cancelled') report.cancelledCount += 1;
  else if (state === 'failed' && error) {
    report.failed.push({ ...line, error, nextStep: nextStepAfter(error.code) });
  } else if (state !== 'done') {
    const resumeAt = row.resumeAtMs === null ? null : new Date(row.resumeAtMs).toISOString();
    const waitsFor = state === 'waiting' ? error : null;
    const { connectionId, durableBytes: receivedBytes } = row;
    report.waiting.push({ ...line, connectionId, state, receivedBytes, resumeAt, error: waitsFor });
  } else if (row.finding) {
    report.lost.push({ ...line, finding: row.finding });
  } else {
    const { verification, announcedChecksum } = row;
    const sizeBytes = row.totalBytes ?? row.durableBytes;
    addDone(report, { ...line, sizeBytes, verification: verification ?? 'none', announcedChecksum });
  }
}

const reasons = { malformed: 'checksum-malformed', 'unknown-kind': 'checksum-unusable' } as const;

type Line = Omit<TransferReport['lost'][number], 'finding'>;

function addDone(
  report: TransferReport,
  file: Line & {
    sizeBytes: number;
    verification: HistoryRow['verification'];
    announcedChecksum: string | null;
  },
): void {
  const { verification, announcedChecksum, sizeBytes } = file;
  if (verification === 'checksum') {
    report.verified.count += 1;
    report.verified.bytes += sizeBytes;
    return;
  }
  const problem = announcedChecksum === null ? null : findChecksumProblem(announcedChecksum);
  const why = verification === 'none' ? 'no-checksum-no-size' : 'no-checksum';
  report.unverified.push({ ...toLine(file), verification, why: problem === null ? why : reasons[problem] });
}

function toLine({ orderTitle, collectionId, itemId, assetKey, filePath, sizeBytes }: Line): Line {
  return { orderTitle, collectionId, itemId, assetKey, filePath, sizeBytes };
}
