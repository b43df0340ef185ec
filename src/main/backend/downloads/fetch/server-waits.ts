import { AppError, type ErrorDetails } from '#shared/errors/app-error.ts';
import type { TransferRun } from '../run/transfer-run.ts';

const silentMs = 30_000;

/** Turns to a server, unless it has asked for a pause. @throws AppError `http.too-many-requests` */
export function throwIfCooling(run: TransferRun, origin: string): void {
  run.setOrigin(origin);
  const retryAfterMs = run.parts.hosts.pauseLeftMs(origin);
  if (retryAfterMs === 0) return;
  throw new AppError('http.too-many-requests', 'The server has asked for a pause', {
    details: { host: new URL(origin).host, retryAfterMs, isOfHost: true },
    retryable: true,
  });
}

/**
 * Leaves its place to files of other servers while this one says nothing: those that are there already find out whether it
 * speaks again. @throws AppError `network.timeout`
 */
export function throwIfSilent({ parts }: TransferRun, origin: string): void {
  if (!parts.isSilent(origin)) return;
  throw new AppError('network.timeout', 'The server sends nothing to others', {
    details: { host: new URL(origin).host, retryAfterMs: silentMs, isOfHost: true },
    retryable: true,
  });
}

/** A busy server's pause is one for all that comes from it. */
export function noteBusy({ parts }: TransferRun, origin: string, error: AppError): AppError {
  const { code, details } = error;
  if (code !== 'http.too-many-requests') return ofHost(origin, error);
  const wishMs = typeof details['retryAfterMs'] === 'number' ? details['retryAfterMs'] : null;
  return ofHost(origin, error, { retryAfterMs: parts.hosts.noteBusy(origin, wishMs) });
}

/** The same error, with the server's name for whoever is told of it. */
export function ofHost(origin: string, error: AppError, more: ErrorDetails = {}): AppError {
  const { code, message, retryable, cause } = error;
  const details = { host: new URL(origin).host, ...error.details, ...more };
  return new AppError(code, message, { details, retryable, cause });
}
