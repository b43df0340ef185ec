import type { IncomingHttpHeaders } from 'node:http';

const retriedStatuses = new Set([429, 500, 502, 503, 504]);

// Delays of the service's own client (field notes §1.10).
const baseDelaysMs = [1000, 2000, 4000];

/** A server that asks for more patience than this gets its answer passed on instead of a silent wait. Milliseconds. */
export const maxPatienceMs = 60_000;

/** Whether a status is worth another attempt. */
export function isRetriedStatus(status: number): boolean {
  return retriedStatuses.has(status);
}

/** How long a server is left alone at most, whatever it asks for: a wish may be a slip, and nobody would ask again. */
export const longestWishMs = 60 * 60_000;

/** Whether Retry-After beside this status speaks for all of an account's requests, not for one of them. */
export function isHoldingStatus(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * Milliseconds to wait before the next attempt, or null when there should be none.
 * `attempt` counts from 0; `random` is in [0, 1).
 */
export function nextDelayMs(options: {
  attempt: number;
  random: number;
  retryAfterMs: number | null;
}): number | null {
  const baseMs = baseDelaysMs[options.attempt];
  if (baseMs === undefined) return null;
  // Half fixed, half random: spreads clients without ever coming back at once.
  const backoffMs = Math.round(baseMs / 2 + (baseMs / 2) * options.random);
  const delayMs = Math.max(backoffMs, options.retryAfterMs ?? 0);
  return delayMs <= maxPatienceMs ? delayMs : null;
}

/**
 * What `Retry-After` asks for in milliseconds from now, or null when it is missing or unreadable. A date is taken
 * relative to the answer's own `Date`, so that a wrong local clock doesn't matter.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // V8 takes `-5` for a year. All forms of a date begin with the day of the week (RFC 9110 §5.6.7).
  if (!/^[a-z]/i.test(value)) return null;
  const untilMs = Date.parse(value);
  if (Number.isNaN(untilMs)) return null;
  return Math.max(0, untilMs - (serverNowMs(headers) ?? nowMs));
}

/** The server's clock when it answered (`Date`), in milliseconds since 1970, or null when it didn't say. */
export function serverNowMs(headers: IncomingHttpHeaders): number | null {
  const dateMs = Date.parse(headers.date ?? '');
  return Number.isNaN(dateMs) ? null : dateMs;
}
