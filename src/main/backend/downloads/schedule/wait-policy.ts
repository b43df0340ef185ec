import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
const hourMs = 60 * minuteMs;
/** Attempts that come quickly; then one after 15 minutes, and one every hour for the rest of a day. */
const mostAttempts = 8;
const attemptsOfADay = mostAttempts + 24;
// A certificate that isn't trusted seldom is a moment later.
const tlsRetryMs = 5 * secondMs;

const ofTheDisk: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'transfer.disk-full',
  'transfer.destination-missing',
  'transfer.file-locked',
]);

/** What other programs, or people, do to an unfinished file. */
const ofOthers: ReadonlySet<unknown> = new Set(['TOUCHED', 'VANISHED']);

/** How far a transfer's patience is used up. */
export interface Patience {
  /** Attempts without progress before this one. */
  attempts: number;
  progressAtMs: number;
  nowMs: number;
  /** In [0, 1). */
  random: number;
  /** Whether others can be reached, so that a server that can't be is itself at fault. Left out: nobody knows. */
  isNetworkThere?: boolean;
}

/** How a transfer goes on after an error: waits until a time, or fails until a person acts. */
export type AfterError =
  { resumeAtMs: number; countsAsAttempt: boolean } | { isFinal: true; error?: AppError };

/** Decides what follows an error (downloads.md c.2, c.3). A server's own wish is in `details.retryAfterMs`. */
export function decideAfterError(error: AppError, patience: Patience): AfterError {
  const { attempts, nowMs, random } = patience;
  const waitMs = waitWithoutAttempt(error, patience);
  if (waitMs !== null) return { resumeAtMs: nowMs + Math.round(waitMs), countsAsAttempt: false };
  if (error.code === 'network.tls' && attempts === 0)
    return { resumeAtMs: nowMs + tlsRetryMs, countsAsAttempt: true };
  if (!error.retryable || error.code === 'transfer.destination-not-writable') return { isFinal: true };
  // One read or write may fail by chance; a disk that fails again is ill.
  const isOfDisk = error.code === 'transfer.disk-error' && !ofOthers.has(error.details['reason']);
  if (isOfDisk && attempts > 0) return { isFinal: true };
  // Both: a clock that is put, or a computer that is switched off for a weekend, is no attempt.
  if (attempts >= attemptsOfADay && nowMs - patience.progressAtMs > dayMs - hourMs)
    return { isFinal: true, error: noProgress(error) };
  const { retryAfterMs } = error.details;
  const delayMs =
    typeof retryAfterMs === 'number'
      ? Math.min(Math.max(retryAfterMs, secondMs), hourMs)
      : backOff(error, attempts, random);
  return { resumeAtMs: nowMs + Math.round(delayMs), countsAsAttempt: true };
}

// What isn't the transfer's fault must not use its patience up.
function waitWithoutAttempt(
  error: AppError,
  { nowMs, progressAtMs, isNetworkThere = false }: Patience,
): number | null {
  const { code, details } = error;
  // Whoever has logged in, or switches the network on, says so.
  if (needsLogin(error) || (code === 'network.switched-off' && error.retryable)) return dayMs;
  if (ofTheDisk.has(code)) return 30 * secondMs;
  if (code === 'transfer.too-many-open-files') return 5 * secondMs;
  // The pause that others were asked for.
  if (details['isOfHost'] === true && typeof details['retryAfterMs'] === 'number')
    return details['retryAfterMs'];
  if (!isUnreachable(error) || !error.retryable || isNetworkThere) return null;
  // However long the network is away, that is nobody's failure.
  return Math.min(Math.max((nowMs - progressAtMs) / 4, 15 * secondMs), 5 * minuteMs);
}

function noProgress(error: AppError): AppError {
  return new AppError('transfer.no-progress', `No progress for a day: ${error.message}`, {
    details: { ...error.details, lastCode: error.code },
    retryable: true,
  });
}

function backOff(error: AppError, attempts: number, random: number): number {
  if (error.code === 'http.too-many-requests') {
    // Half of it is certain: full jitter would let many transfers come back at once.
    const longestMs = Math.min(10 * secondMs * 2 ** attempts, 5 * minuteMs);
    return longestMs / 2 + (random * longestMs) / 2;
  }
  if (attempts === mostAttempts) return 15 * minuteMs;
  if (attempts > mostAttempts) return hourMs;
  return Math.max(250, random * Math.min(secondMs * 2 ** attempts, minuteMs));
}

/** The error of a server that can't be reached while others can. */
export function asServerAway({ code, message, details, retryable }: AppError): AppError {
  return new AppError(code, message, { details: { ...details, isServerAway: true }, retryable });
}
