import { formatCount, formatPlural } from '../format/format-number.ts';
import type { SearchPhase } from '../state/search-state.svelte.ts';

/** How far an answer has come. */
export interface StreamExtent {
  phase: SearchPhase;
  rowCount: number;
  /** The catalog's own total, often an estimate; null when it doesn't say. */
  matched: number | null;
  maxItems: number;
  hasMore: boolean;
  /** Whether it is a past search that was not fetched to its end, or lost items since. */
  isCut?: boolean;
  /** Whether the catalog's pages came to no end, so that items may be missing. */
  isIncomplete?: boolean;
}

/** How many rows the stream heads for: the total if that is known and within the maximum. */
export function streamGoal({ rowCount, matched, maxItems }: StreamExtent): number {
  return matched !== null && matched >= rowCount ? Math.min(matched, maxItems) : maxItems;
}

/** The line under the results: what comes, what waits, or that it is all. */
export function describeStream(extent: StreamExtent): string {
  const { phase, rowCount, matched, maxItems, hasMore } = extent;
  const count = formatCount(rowCount);
  const isOfTotal = matched !== null && matched > rowCount && matched <= maxItems;
  const goal = isOfTotal ? `about ${formatCount(matched)}` : `at most ${formatCount(maxItems)}`;
  if (phase === 'streaming') return `${count} of ${goal}`;
  if (phase === 'paused') return `Paused at ${count}`;
  if (!hasMore) return describeEnd(extent);
  return rowCount >= maxItems ? `Maximum of ${formatCount(maxItems)} reached` : `Stopped at ${count}`;
}

function describeEnd({ rowCount, isCut = false, isIncomplete = false }: StreamExtent): string {
  if (isCut || isIncomplete) return `What it brought is here, ${formatPlural(rowCount, 'item')}`;
  return rowCount === 1 ? 'The one item is here' : `All ${formatCount(rowCount)} items are here`;
}
