import { AppError } from '#shared/errors/app-error.ts';
import type { OfflineProgress } from '../notebook/offline-job-store.ts';

/**
 * Looks whether the catalog's pages came to an end.
 * @throws AppError `stac.invalid-response` when they did not, so that Items may be missing
 */
export function checkWhole({ isEndless }: OfflineProgress): void {
  if (!isEndless) return;
  throw new AppError('stac.invalid-response', "The catalog's pages came to no end: items may be missing", {
    details: { expected: 'a last page', found: 'pages without end' },
  });
}
