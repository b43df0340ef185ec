import { formatCount, formatPlural } from '../format/format-number.ts';
import type { PastSearch } from '../state/saved-state.svelte.ts';

/** How much of an answer came: `214 items`, `100 of about 1,180`, `at least 100 items`. */
export function describeOutcome({ count, matched, isComplete }: PastSearch): string {
  if (isComplete) return count === 0 ? 'no items' : `all ${formatPlural(count, 'item')}`;
  if (matched !== null && matched > count) return `${formatCount(count)} of about ${formatCount(matched)}`;
  return `at least ${formatPlural(count, 'item')}`;
}
