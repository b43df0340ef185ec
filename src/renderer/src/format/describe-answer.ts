import type { PastSearch } from '../state/saved-state.svelte.ts';
import { formatCount, formatPlural } from './format-number.ts';

/** How much of an answer is kept: `all 214 items`, `100 of about 1,180`, `at least 100 items`; of a file, what it held. */
export function describeAnswer(past: PastSearch): string {
  const { count, matched, isComplete, fileName } = past;
  if (past.evictedCount > 0) return describeRest(past);
  if (fileName !== null) return formatPlural(count, 'item');
  if (isComplete) return count === 0 ? 'no items' : `all ${formatPlural(count, 'item')}`;
  if (matched !== null && matched > count) return `${formatCount(count)} of about ${formatCount(matched)}`;
  return `at least ${formatPlural(count, 'item')}`;
}

/** What eviction left; not known to the item with a local filter: what that left out was kept and evicted too. */
function describeRest({ count, evictedCount, outline }: PastSearch): string {
  const items = formatPlural(count, 'item');
  if (outline.localFilter !== null) return `${items}; some of what came was evicted to keep the limits`;
  const leftCount = count - evictedCount;
  const left = `${formatCount(leftCount)} of ${items} ${leftCount === 1 ? 'is' : 'are'} still here`;
  return `${left}; ${formatCount(evictedCount)} ${evictedCount === 1 ? 'was' : 'were'} evicted to keep the limits`;
}

/** Whether all of an answer is here; null of a file, and where what came was evicted since. */
export function isWhole({ isComplete, evictedCount, fileName }: PastSearch): boolean | null {
  if (fileName !== null) return null;
  return isComplete && evictedCount > 0 ? null : isComplete;
}
