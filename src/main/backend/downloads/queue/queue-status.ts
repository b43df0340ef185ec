import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Hold } from '../limits/allowance.ts';
import type { TransferRun } from '../transfer-run.ts';
import type { QueueFile } from './queue-file.ts';

/** The queue as a whole, with the live figures of what runs. */
export function readStatus(
  { facts, totals }: Pick<QueueFile, 'facts' | 'totals'>,
  { runs, hold, nowMs }: { runs: readonly TransferRun[]; hold: Hold | null; nowMs: number },
): QueueStatus {
  const { counts, unknownCount, ...stored } = totals();
  const flowing = runs.filter(({ row, signal }) => row.state === 'downloading' && !signal.aborted);
  const bytesPerSecond = flowing.reduce((sum, run) => sum + run.bytesPerSecond(nowMs), 0);
  // Of unknown size nothing is left to be counted.
  const known = flowing.filter(({ row }) => (row.totalBytes ?? row.announcedBytes) !== null);
  const ahead = known.reduce((sum, run) => sum + run.receivedBytes - run.row.durableBytes, 0);
  const leftBytes = Math.max(0, stored.leftBytes - ahead);
  return {
    isPaused: facts.read('isPaused'),
    hold: hold === null ? null : { error: hold.error.toData(), resumeAt: toTime(hold.resumeAtMs) },
    counts,
    leftBytes,
    unknownCount,
    bytesPerSecond,
    secondsLeft: bytesPerSecond > 0 ? leftBytes / bytesPerSecond : null,
    notice: facts.read('notice'),
  };
}

function toTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
