import type { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
const mostAttempts = 8;

// Errors of a machine that isn't connected; every other network error is of a connection that was there.
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'ECONNREFUSED',
]);
const ofTheDisk: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'transfer.disk-full',
  'transfer.destination-missing',
]);

/** How far a transfer's patience is used up. */
export interface Patience {
  /** Attempts without progress before this one. */
  attempts: number;
  progressAtMs: number;
  nowMs: number;
  /** In [0, 1). */
  random: number;
}

/** How a transfer goes on after an error: waits until a time, or fails until a person acts. */
export type AfterError = { resumeAtMs: number; countsAsAttempt: boolean } | { isFinal: true };

/** Decides what follows an error (downloads.md c.2, c.3). A server's own wish is in `details.retryAfterMs`. */
export function decideAfterError(error: AppError, patience: Patience): AfterError {
  const { attempts, nowMs, random } = patience;
  const { retryAfterMs } = error.details;
  if (ofTheDisk.has(error.code)) return { resumeAtMs: nowMs + 30 * secondMs, countsAsAttempt: false };
  if (!error.retryable || error.code === 'transfer.destination-not-writable') return { isFinal: true };
  // One read or write may fail by chance; a disk that fails again is ill.
  if (error.code === 'transfer.disk-error' && attempts > 0) return { isFinal: true };
  // Whoever switches the network on says so.
  if (error.code === 'network.switched-off') return { resumeAtMs: nowMs + dayMs, countsAsAttempt: false };
  const sinceProgressMs = nowMs - patience.progressAtMs;
  if (isUnreachable(error)) {
    // However long the network is away, that is nobody's failure.
    const delayMs = Math.min(Math.max(sinceProgressMs / 4, 15 * secondMs), 5 * minuteMs);
    return { resumeAtMs: nowMs + Math.round(delayMs), countsAsAttempt: false };
  }
  if (attempts >= mostAttempts && sinceProgressMs > dayMs) return { isFinal: true };
  const delayMs =
    error.code === 'http.too-many-requests' && typeof retryAfterMs === 'number'
      ? Math.min(Math.max(retryAfterMs, secondMs), dayMs)
      : backOff(error, attempts, random);
  return { resumeAtMs: nowMs + Math.round(delayMs), countsAsAttempt: true };
}

function backOff(error: AppError, attempts: number, random: number): number {
  if (error.code === 'http.too-many-requests') {
    // Half of it is certain: full jitter would let many transfers come back at once.
    const longestMs = Math.min(10 * secondMs * 2 ** attempts, 5 * minuteMs);
    return longestMs / 2 + (random * longestMs) / 2;
  }
  if (attempts === mostAttempts) return 15 * minuteMs;
  if (attempts > mostAttempts) return 60 * minuteMs;
  return Math.max(250, random * Math.min(secondMs * 2 ** attempts, minuteMs));
}

/** Whether a server, or the proxy before it, can't be reached at all, by the machine's own network or by its name. */
export function isUnreachable({ code, details }: AppError): boolean {
  const { reason } = details;
  const isOfTheWay = code === 'network.offline' || code === 'network.proxy';
  return isOfTheWay && typeof reason === 'string' && unreachable.has(reason);
}
