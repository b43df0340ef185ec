import { isDay } from './day-range.ts';
import type { SearchDraft } from './search-draft.ts';

/** Why a draft can't be asked yet, in words; null when it can. */
export function findDraftProblem({ fromDate, toDate }: SearchDraft): string | null {
  for (const [date, name] of [
    [fromDate, 'first'],
    [toDate, 'last'],
  ] as const) {
    if (date !== '' && !isDay(date)) return `The ${name} day can’t be read.`;
  }
  if (fromDate !== '' && toDate !== '' && fromDate > toDate) return 'The last day is before the first day.';
  return null;
}
