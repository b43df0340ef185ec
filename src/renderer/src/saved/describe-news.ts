import { formatCount } from '../format/format-number.ts';
import { formatClock, splitUtc } from '../format/format-time.ts';
import type { SavedSearch } from '../state/saved-state.svelte.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `3 Nov`, with the year where it is not this one; `today at 14:02 UTC` for the day itself. */
export function formatSince(timestamp: string, now: Date): string {
  const parts = splitUtc(timestamp);
  if (!parts) return 'an unknown time';
  const [year = '', month = '', day = ''] = parts.date.split('-');
  const today = now.toISOString().slice(0, 10);
  if (parts.date === today) return `today at ${parts.time.slice(0, 5)} UTC`;
  const short = `${Number(day)} ${months[Number(month) - 1] ?? month}`;
  return year === today.slice(0, 4) ? short : `${short} ${year}`;
}

/** What is known of new items in a saved search: `12 new since 3 Nov`, `Nothing new, checked 14:02 UTC`, `Looked at 3 Nov`. */
export function describeNews({ news, lookedAt, createdAt }: SavedSearch, now: Date): string {
  if (news) {
    const since = `since ${formatSince(news.since, now)}`;
    if (news.count === 0) return `Nothing new, checked ${formatClock(news.checkedAt, now)}`;
    return `${news.isAtLeast ? 'At least ' : ''}${formatCount(news.count)} new ${since}`;
  }
  return lookedAt === null
    ? `Saved ${formatSince(createdAt, now)}, not asked yet`
    : `Looked at ${formatSince(lookedAt, now)}`;
}
