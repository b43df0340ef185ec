import type { SearchDraft } from './search-draft.ts';

/** Why a draft can't be asked yet, in words; null when it can. */
export function findDraftProblem({ fromDate, toDate }: SearchDraft): string | null {
  if (fromDate !== '' && toDate !== '' && fromDate > toDate) return 'The last day is before the first day.';
  return null;
}
