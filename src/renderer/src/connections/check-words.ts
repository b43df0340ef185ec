import type { CheckStepData, CheckStepName } from '#shared/connection/check-step.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { presentError } from '../errors/present-error.ts';

/** What each step of a test asks, in a word or two. */
export const checkStepWords: Record<CheckStepName, string> = {
  reachable: 'Reachable',
  tls: 'Encrypted',
  authenticated: 'Authenticated',
  collections: 'Collections',
  search: 'Search',
  queryables: 'Queryables',
  'signed-links': 'Signed links',
  'proxy-links': 'Proxy links',
};

/** How a step went, for those who don't see its sign. */
export const checkStateWords: Record<CheckStepData['state'], string> = {
  ok: 'Works',
  warned: 'Works, with a warning',
  failed: 'Failed',
  skipped: 'Not tried',
};

/** How a test went, in one sentence. */
export function summariseCheck(steps: readonly CheckStepData[], error: AppError | null): string {
  if (error) return `The test could not be made. ${presentError(error).title}.`;
  const failed = steps.filter(({ state }) => state === 'failed');
  const [first] = failed;
  if (!first) return 'The connection works.';
  if (failed.length > 1) return `${failed.length} of ${steps.length} steps failed.`;
  return `One step failed: ${checkStepWords[first.step].toLowerCase()}.`;
}
