import { formatCount } from '../format/format-number.ts';

/** What is known about the number of results. */
export interface ResultCounts {
  rowCount: number;
  /** The catalog's own total; null when it doesn't say. */
  matched: number | null;
  hasMore: boolean;
}

/** Number of results in two parts, the first to be set in bold: `214` `of about 1,180`, `100` `, at least`. */
export function describeCounts({ rowCount, matched, hasMore }: ResultCounts): {
  count: string;
  rest: string;
} {
  if (rowCount === 0 && !hasMore) return { count: 'No items', rest: '' };
  const count = formatCount(rowCount);
  if (hasMore && matched !== null && matched > rowCount)
    return { count, rest: ` of about ${formatCount(matched)}` };
  if (hasMore) return { count, rest: ', at least' };
  return { count, rest: rowCount === 1 ? ' item' : ' items' };
}

/** Reasons with how often each came: `3 × no id`. */
export function countReasons(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => (count === 1 ? reason : `${count} × ${reason}`));
}
