import type { ErrorData } from '../errors/app-error.ts';

/**
 * Whether an error is over only when a person has logged in: at the catalog, where its files are, or at the proxy on the
 * way there. Transfers wait for that and never fail by it (downloads.md c.2).
 */
export function needsLogin({ code, details }: Pick<ErrorData, 'code' | 'details'>): boolean {
  // Another server refuses access, and never gets the token: no login of the catalog would help.
  if (details['isElsewhere'] === true) return false;
  if (code === 'network.proxy') return details['status'] === 407;
  return code === 'auth.required' || code === 'auth.client-refused' || code === 'auth.secret-missing';
}
