import type { AppError } from '#shared/errors/app-error.ts';

/** Whether the catalog answers. */
export type CatalogState = 'starting' | 'online' | 'offline' | 'unauthorized' | 'failed';

/** What a failed request says about the catalog; null when it says nothing. A refusal is an answer too. */
export function judgeFailure(error: AppError): CatalogState | null {
  switch (error.code) {
    case 'network.offline':
    case 'network.timeout':
    case 'network.tls':
      return 'offline';
    case 'auth.required':
    case 'auth.forbidden':
      return 'unauthorized';
    case 'http.unexpected-status':
      // A server that is out of order for now is asked again, as one that is out of reach.
      return error.retryable ? 'offline' : 'failed';
    case 'stac.not-an-api':
      return 'failed';
    case 'stac.query-rejected':
    case 'stac.collection-not-found':
    case 'stac.item-not-found':
    case 'http.too-many-requests':
      return 'online';
    default:
      return null;
  }
}
