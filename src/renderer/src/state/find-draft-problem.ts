import { toEpochMicros } from '#shared/stac/timestamp.ts';
import { isDay } from './day-range.ts';
import type { DraftTime } from './draft-time.ts';
import type { SearchDraft } from './search-draft.ts';

/** Why a draft can't be asked yet, in words; null when it can. `nameOf`: how a property is called. */
export function findDraftProblem(
  { time, conditions }: SearchDraft,
  nameOf: (property: string) => string = (property) => property,
): string | null {
  const timeProblem = findTimeProblem(time);
  if (timeProblem !== null) return timeProblem;
  for (const { property, unreadable = {} } of conditions) {
    const [typed] = Object.values(unreadable);
    if (typed !== undefined) return `${nameOf(property)}: “${typed.slice(0, 40)}” can’t be read.`;
  }
  return null;
}

/** Why a time can't be asked for, in words; null when it can. */
export function findTimeProblem(time: DraftTime): string | null {
  if (time.kind === 'written') return null;
  if (time.kind === 'span') return findSpanProblem(time);
  if (time.at === '') return 'Say which moment.';
  return isReadable(time.at) ? null : 'The moment can’t be read.';
}

function findSpanProblem({ from, to }: { from: string; to: string }): string | null {
  if (from !== '' && !isReadable(from)) return 'The first day can’t be read.';
  if (to !== '' && !isReadable(to)) return 'The last day can’t be read.';
  if (from === '' || to === '') return null;
  const start = toEpochMicros(isDay(from) ? `${from}T00:00:00Z` : from);
  const end = toEpochMicros(isDay(to) ? `${to}T23:59:59.999Z` : to);
  if (Number(start) <= Number(end)) return null;
  return isDay(from) && isDay(to) ? 'The last day is before the first day.' : 'It ends before it begins.';
}

function isReadable(text: string): boolean {
  return isDay(text) || toEpochMicros(text) !== null;
}
