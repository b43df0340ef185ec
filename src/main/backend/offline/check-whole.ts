import { AppError } from '#shared/errors/app-error.ts';
import { findRecord } from './find-record.ts';
import type { JobRun } from './job-run.ts';

/**
 * Looks whether the catalog's pages came to an end.
 * @throws AppError `stac.invalid-response` when they led in a circle or nowhere, so that Items may be missing
 */
export function checkWhole({ job, progress, source }: JobRun): void {
  const { searchNumber, missedCount } = progress;
  const record = findRecord(source.library, { ...job, searchNumber });
  // Items that are known to be missing are told by their number.
  if (record === null || record.isComplete || missedCount > 0) return;
  throw new AppError('stac.invalid-response', "The catalog's pages led in a circle: items may be missing", {
    details: { expected: 'a last page', found: 'pages that lead in a circle' },
  });
}
