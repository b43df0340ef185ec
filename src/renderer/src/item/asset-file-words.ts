import type { BroughtFile } from '#shared/transfer/transfer-history.ts';
import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import { formatClock } from '../format/format-time.ts';

/** What became of an asset's file, in words. */
export interface AssetFileWords {
  words: string;
  tone: 'ok' | 'plain' | 'warn' | 'bad';
}

const stateWords: Record<Exclude<TransferState, 'done'>, string> = {
  queued: 'Queued',
  preparing: 'Being prepared',
  downloading: 'On its way',
  verifying: 'Being verified',
  finalizing: 'Being finished',
  waiting: 'Waiting',
  paused: 'Paused',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Of a file that is on the list of downloads. */
export function describeListed({ state, finding, verification }: Transfer): AssetFileWords {
  if (state !== 'done') return { words: stateWords[state], tone: state === 'failed' ? 'bad' : 'plain' };
  if (finding === 'missing') return { words: 'Came, and is not where it was put', tone: 'bad' };
  if (finding === 'changed') return { words: 'Came, and was changed since', tone: 'bad' };
  return verification === 'checksum'
    ? { words: 'On this computer · Verified', tone: 'ok' }
    : { words: 'On this computer · Not verifiable', tone: 'plain' };
}

/** Of a file that came, and was taken off the list of downloads. */
export function describeBrought(
  { finishedAt, isThere, verification }: BroughtFile,
  now: Date,
): AssetFileWords {
  const came = formatClock(finishedAt, now);
  if (!isThere)
    return { words: `Came at ${came}, and is not there any more, or another file is`, tone: 'warn' };
  return verification === 'checksum'
    ? { words: `On this computer · Verified when it came, at ${came}`, tone: 'ok' }
    : { words: `On this computer since ${came} · Not verifiable`, tone: 'plain' };
}
