import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import { presentError } from '../errors/present-error.ts';
import { formatBytes, formatRate } from '../format/format-bytes.ts';
import { formatDuration, splitUtc } from '../format/format-time.ts';

/** Colour of a state; the words say the same. */
export type TransferTone = 'plain' | 'ok' | 'warn' | 'bad';

/** A transfer's state in words. */
export interface TransferWords {
  state: string;
  why: string;
  tone: TransferTone;
}

/** `61.4 of 85.2 MB`, `12.0 MB of unknown`, `264 MB`. */
export function describeSize({ receivedBytes, totalBytes, state }: Transfer): string {
  if (state === 'done') return formatBytes(receivedBytes);
  if (state === 'cancelled') return totalBytes === null ? 'size unknown' : formatBytes(totalBytes);
  if (totalBytes === null)
    return receivedBytes === 0 ? 'size unknown' : `${formatBytes(receivedBytes)} so far`;
  if (receivedBytes === 0 || receivedBytes >= totalBytes) return formatBytes(totalBytes);
  return `${formatBytes(receivedBytes)} of ${formatBytes(totalBytes)}`;
}

/** How far a transfer is, from 0 to 1; null when its size is unknown. */
export function fractionOf({ receivedBytes, totalBytes, state }: Transfer): number | null {
  if (state === 'done') return 1;
  // Nothing of it is on disk any more.
  if (state === 'cancelled') return 0;
  if (totalBytes === null) return receivedBytes === 0 ? 0 : null;
  return totalBytes === 0 ? 1 : receivedBytes / totalBytes;
}

/** What a transfer does and why, in words. */
export function describeTransfer(transfer: Transfer): TransferWords {
  return describers[transfer.state](transfer);
}

const describers: Record<TransferState, (transfer: Transfer) => TransferWords> = {
  queued: ({ receivedBytes }) => plain('Next', receivedBytes > 0 ? 'Goes on where it was' : 'Queued'),
  preparing: () => plain('Preparing', 'Asking for a link'),
  downloading: (transfer) => plain(describeFlow(transfer), linkWords[transfer.linkKind ?? 'none']),
  verifying: ({ linkKind }) => plain('Verifying', linkWords[linkKind ?? 'none']),
  finalizing: () => plain('Finishing', 'Giving the file its name'),
  waiting: describeWaiting,
  paused: () => ({ state: 'Paused', why: 'Goes on where it was when you resume it', tone: 'warn' }),
  failed: describeFailure,
  cancelled: () => plain('Cancelled', 'Nothing was kept'),
  done: describeDone,
};

function plain(state: string, why: string): TransferWords {
  return { state, why, tone: 'plain' };
}

const linkWords = {
  signed: 'Signed link',
  proxy: 'Proxy link',
  direct: 'Direct link',
  none: '',
};

function describeFlow({ bytesPerSecond, totalBytes, receivedBytes }: Transfer): string {
  if (bytesPerSecond <= 0) return 'Downloading';
  if (totalBytes === null) return formatRate(bytesPerSecond);
  const leftSeconds = (totalBytes - receivedBytes) / bytesPerSecond;
  return `${formatRate(bytesPerSecond)} · ${formatDuration(leftSeconds)}`;
}

function describeWaiting({ waiting }: Transfer): TransferWords {
  const resumeAt = splitUtc(waiting?.resumeAt ?? null);
  const problem = waiting && presentError(waiting.error);
  if (waiting?.error.code === 'network.switched-off') {
    return { state: 'Waits while offline', why: 'Goes on by itself when you go online', tone: 'warn' };
  }
  return {
    state: resumeAt ? `Goes on at ${resumeAt.time.slice(0, 8)} UTC` : 'Waiting',
    why: problem ? `${problem.title}. ${problem.hint}` : '',
    tone: 'warn',
  };
}

function describeFailure({ error }: Transfer): TransferWords {
  const problem = error && presentError(error);
  return { state: problem?.title ?? 'Failed', why: problem?.hint ?? 'Try it again.', tone: 'bad' };
}

function describeDone({ verification }: Transfer): TransferWords {
  switch (verification) {
    case 'checksum':
      return { state: 'Verified', why: 'Size and checksum as announced', tone: 'ok' };
    case 'size-only':
      return { state: 'Complete', why: 'Size as announced; no checksum to verify', tone: 'ok' };
    default:
      return { state: 'Complete', why: 'Nothing announced to verify against', tone: 'ok' };
  }
}
