import type { AppError } from '#shared/errors/app-error.ts';

// Errors of a machine that isn't connected; every other network error is of a connection that was there.
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'ECONNREFUSED',
]);

/** Whether a server, or the proxy before it, can't be reached at all, by the machine's own network or by its name. */
export function isUnreachable({ code, details }: Pick<AppError, 'code' | 'details'>): boolean {
  const { reason } = details;
  const isOfTheWay = code === 'network.offline' || code === 'network.proxy';
  return isOfTheWay && typeof reason === 'string' && unreachable.has(reason);
}
