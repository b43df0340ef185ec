import type { LinkKind } from '#shared/transfer/link-kind.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import type { Transfer, TransferPriority, TransferState } from '#shared/transfer/transfer.ts';
import { formatBytes, formatRate, formatShare } from '../format/format-bytes.ts';
import { formatMoment, formatTimeLeft } from '../format/format-time.ts';
import { sayWhatFollows, type StopWords } from './hold-words.ts';
import { describeProblem } from './problem-words.ts';

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
  return formatShare(receivedBytes, totalBytes);
}

/** How far a transfer is, from 0 to 1; null when its size is unknown. */
export function fractionOf({ receivedBytes, totalBytes, state }: Transfer): number | null {
  if (state === 'done' || state === 'finalizing') return 1;
  // Nothing of it is on disk any more.
  if (state === 'cancelled') return 0;
  if (totalBytes === null) return receivedBytes === 0 ? 0 : null;
  return totalBytes === 0 ? 0 : receivedBytes / totalBytes;
}

/** What a transfer does, why, and what follows, in words; `stop` is what keeps the whole queue from running. */
export function describeTransfer(transfer: Transfer, stop: StopWords | null = null): TransferWords {
  return describers[transfer.state](transfer, stop);
}

/** By which kind of link bytes come. */
export const linkKindWords: Record<LinkKind, string> = {
  signed: 'Signed link',
  proxy: 'Proxy link',
  direct: 'Direct link',
  aws: 'With your AWS credentials',
};

const checksumWords: Record<NonNullable<Transfer['checksumProblem']>, string> = {
  malformed: 'What the catalog gives as a checksum is none. Tell its provider',
  'unknown-kind': 'The catalog’s checksum is of a kind that can’t be computed',
};

/** How soon a transfer gets its turn. */
export const priorityWords: Record<TransferPriority, string> = {
  high: 'Before all others',
  normal: 'In turn',
  low: 'After all others',
};

const inLine = plain(
  'In line',
  'Its server takes no more connections at once. Goes on when another file has come',
);

const describers: Record<TransferState, (transfer: Transfer, stop: StopWords | null) => TransferWords> = {
  queued: describeQueued,
  preparing: (transfer) =>
    describeSilence(transfer) ?? plain('Preparing', 'Asking for a link and making room'),
  downloading: (transfer) =>
    describeSilence(transfer) ?? plain(describeFlow(transfer), describeLink(transfer)),
  verifying: describeVerifying,
  finalizing: () => plain('Finishing', 'Giving the file its name'),
  waiting: describeWaiting,
  paused: ({ receivedBytes }) => ({
    state: 'Paused',
    why:
      receivedBytes > 0
        ? 'By you. Goes on where it was when you resume it'
        : 'By you. Starts when you resume it',
    tone: 'warn',
  }),
  failed: describeFailure,
  cancelled: ({ undoUntil }) =>
    plain('Cancelled', undoUntil === null ? 'By you. Nothing was kept' : 'By you. Resume it to have it back'),
  done: describeDone,
};

// Why nothing comes of what runs.
function describeSilence({ isInLine, quietSince }: Transfer): TransferWords | null {
  if (isInLine) return inLine;
  if (quietSince === undefined) return null;
  return plain(
    'Silent',
    `Its server has sent nothing since ${formatMoment(quietSince)}. It is asked anew if that goes on`,
  );
}

function plain(state: string, why: string): TransferWords {
  return { state, why, tone: 'plain' };
}

function describeLink({ linkKind }: Transfer): string {
  return linkKind === null ? '' : linkKindWords[linkKind];
}

function describeQueued({ receivedBytes, priority }: Transfer, stop: StopWords | null): TransferWords {
  if (stop) return plain('Queued', `${stop.what}. ${stop.next}`);
  const turn = priority === 'normal' ? '' : priority === 'high' ? ', before others' : ', after all others';
  const then = receivedBytes > 0 ? 'Goes on where it was when its turn comes' : 'Waits for its turn';
  return plain('Queued', `${then}${turn}`);
}

function describeVerifying({ error, bytesPerSecond }: Transfer): TransferWords {
  if (error === null) return plain('Verifying', 'Comparing with what the catalog says');
  const rate = bytesPerSecond > 0 ? ` · ${formatRate(bytesPerSecond)}` : '';
  return {
    state: `Putting right${rate}`,
    why: `${describeProblem(error).what}. What is wrong is found and fetched again`,
    tone: 'warn',
  };
}

function describeFlow({ bytesPerSecond, pace, totalBytes, receivedBytes }: Transfer): string {
  if (bytesPerSecond <= 0) return 'Downloading';
  if (totalBytes === null || pace <= 0) return formatRate(bytesPerSecond);
  const left = formatTimeLeft((totalBytes - receivedBytes) / pace);
  return [formatRate(bytesPerSecond), left].filter((part) => part !== null).join(' · ');
}

/** The time at which what waits goes on by itself, `14:09:30 UTC`; null where it waits for a person. */
export function tellResumeTime({ error, resumeAt }: NonNullable<Transfer['waiting']>): string | null {
  // Who logs in or switches the network on says so; it looks by itself once a day, and the time of tomorrow would mislead.
  if (needsLogin(error) || error.code === 'network.switched-off') return null;
  return formatMoment(resumeAt);
}

/** What happens at that time: `Goes on at`, or `Looks again at` where what it waits for need not be there by then. */
export function nameResumeTime(
  { error }: Pick<NonNullable<Transfer['waiting']>, 'error'>,
  stop: StopWords | null,
): string {
  if (stop) return 'Not before';
  return describeProblem(error).waits === '' ? 'Goes on at' : 'Looks again at';
}

function describeWaiting({ waiting }: Transfer, stop: StopWords | null): TransferWords {
  if (!waiting) return { state: 'Waiting', why: '', tone: 'warn' };
  const { waits, what, next } = describeProblem(waiting.error);
  const time = tellResumeTime(waiting);
  const then = sayWhatFollows({ what, next }, stop);
  const why = `${what}. ${then}`;
  if (time === null) return { state: waits || 'Waiting', why, tone: 'warn' };
  const when = `${nameResumeTime(waiting, stop)} ${time}`;
  if (waits === '') return { state: when, why, tone: 'warn' };
  // A row has room for two lines: when comes before what follows.
  return { state: waits, why: `${what}. ${when}. ${then}`, tone: 'warn' };
}

function describeFailure({ error }: Transfer): TransferWords {
  if (!error) return { state: 'Failed', why: 'Try it again.', tone: 'bad' };
  const { what, next } = describeProblem(error);
  return { state: 'Failed', why: `${what}. ${next}`, tone: 'bad' };
}

function describeDone({ verification, finding, checksumProblem }: Transfer): TransferWords {
  if (finding === 'missing')
    return {
      state: 'Missing',
      why: 'The file is not where it was put. Try again fetches it anew',
      tone: 'bad',
    };
  if (finding === 'changed')
    return {
      state: 'Changed',
      why: 'The file is not as it came. Try again fetches it anew under another name; this one stays',
      tone: 'bad',
    };
  if (checksumProblem && verification !== 'checksum')
    return { state: 'Not verifiable', why: checksumWords[checksumProblem], tone: 'warn' };
  switch (verification) {
    case 'checksum':
      return { state: 'Verified', why: 'Size and checksum as announced', tone: 'ok' };
    case 'size-only':
      return plain('Not verifiable', 'Size as announced; the catalog gives no checksum');
    default:
      return plain('Not verifiable', 'The catalog gives neither size nor checksum');
  }
}
