import { formatCount, formatPlural } from '../format/format-number.ts';
import type { CutAnswer } from '../state/search-state.svelte.ts';

/** What is known about the number of results. */
export interface ResultCounts {
  rowCount: number;
  /** The catalog's own total; null when it doesn't say. */
  matched: number | null;
  hasMore: boolean;
  /** Items left out here, which the catalog's total counts. */
  leftOutCount?: number;
}

/** Number of results in two parts, the first to be set in bold: `214` `of about 1,180`, `100` `, at least`. */
export function describeCounts({ rowCount, matched, hasMore, leftOutCount = 0 }: ResultCounts): {
  count: string;
  rest: string;
} {
  if (rowCount === 0 && !hasMore) return { count: 'No items', rest: '' };
  const count = formatCount(rowCount);
  // More of them may be left out yet.
  const mostly = leftOutCount > 0 ? 'at most' : 'about';
  const total = matched === null ? 0 : matched - leftOutCount;
  if (hasMore && total > rowCount) return { count, rest: ` of ${mostly} ${formatCount(total)}` };
  if (hasMore) return { count, rest: ', at least' };
  return { count, rest: rowCount === 1 ? ' item' : ' items' };
}

/** Whether what is shown is the whole answer; if not, what an action on it leaves out. */
export function describePart(
  { rows, hasMore }: { rows: readonly unknown[]; hasMore: boolean },
  shownCount: number,
): { isAll: boolean; hint: string } {
  const shown = formatPlural(shownCount, 'item');
  if (hasMore) return { isAll: false, hint: `The ${shown} here; more of the answer are not loaded yet` };
  const isAll = shownCount === rows.length;
  return { isAll, hint: isAll ? '' : `The ${shown} that the filters leave, of ${formatCount(rows.length)}` };
}

/** How far a past search came that was cut: `1,000 of about 2,911 items`, `1 item`. */
export function describeExtent({ count, matched }: CutAnswer): string {
  if (matched === null || matched <= count) return formatPlural(count, 'item');
  return `${formatCount(count)} of about ${formatCount(matched)} items`;
}

/** Reasons with how often each came: `3 × no id`. */
export function countReasons(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => (count === 1 ? reason : `${count} × ${reason}`));
}
