import type { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';

/** Whether the catalog answers. `offline`: it can't be reached; `faulty`: it can, and is out of order for now. */
export type CatalogState = 'starting' | 'online' | 'offline' | 'faulty' | 'unauthorized' | 'failed';

const stateAfter: Partial<Record<ErrorCode, CatalogState>> = {
  'network.offline': 'offline',
  'network.timeout': 'offline',
  'network.tls': 'offline',
  'network.proxy': 'offline',
  'auth.required': 'unauthorized',
  'auth.forbidden': 'unauthorized',
  'auth.client-refused': 'unauthorized',
  'auth.secret-missing': 'unauthorized',
  'stac.not-an-api': 'failed',
  'http.unexpected-status': 'failed',
  // A refusal is an answer too.
  'stac.query-rejected': 'online',
  'stac.collection-not-found': 'online',
  'stac.item-not-found': 'online',
  'http.too-many-requests': 'online',
};

/** What a failed request says about the catalog; null when it says nothing. */
export function judgeFailure({ code, details, retryable }: AppError): CatalogState | null {
  if (details['isElsewhere'] === true) return null;
  if (code === 'http.unexpected-status' && retryable) return 'faulty';
  return stateAfter[code] ?? null;
}
