import { describeAnswer } from '../format/describe-answer.ts';
import { formatCount } from '../format/format-number.ts';
import type { PastSearch, SavedSearch } from '../state/saved-state.svelte.ts';
import { describeMoment } from './library-words.ts';

/** What is kept of a saved search: the answer when it was last asked, and what is new. */
export function describeSaved(search: SavedSearch, history: readonly PastSearch[], now: Date): string {
  const last = history.find(({ outline }) => outline.key === search.outline.key);
  const answer = last
    ? `${describeAnswer(last)} · ${describeMoment(last.askedAt, now)}`
    : 'No answer of it is kept';
  const newCount = search.news?.count ?? 0;
  return newCount > 0 ? `${answer} · ${formatCount(newCount)} new` : answer;
}
