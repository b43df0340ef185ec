import { expect, it } from 'vitest';
import { describeNews, formatSince } from './describe-news.ts';

const now = new Date('2026-11-20T10:00:00Z');
const saved = {
  savedSearchId: 1,
  name: 'Alps',
  outline: { query: {}, place: null, localFilter: null, key: 'a' },
  createdAt: '2026-11-01T08:00:00Z',
  lookedAt: '2026-11-03T08:00:00Z',
  news: null,
};
const news = {
  count: 12,
  isAtLeast: false,
  since: '2026-11-03T08:00:00Z',
  checkedAt: '2026-11-20T09:30:00Z',
};

it.each([
  [saved, 'Looked at 3 Nov'],
  [{ ...saved, lookedAt: null }, 'Saved 1 Nov, not asked yet'],
  [{ ...saved, news }, '12 new since 3 Nov'],
  [{ ...saved, news: { ...news, count: 1250, isAtLeast: true } }, 'At least 1,250 new since 3 Nov'],
  [{ ...saved, news: { ...news, count: 0 } }, 'Nothing new, checked 09:30 UTC'],
])('%#', (search, words) => {
  expect(describeNews(search, now)).toBe(words);
});

it('names the year of another year and the hour of today', () => {
  expect(formatSince('2025-12-31T23:00:00Z', now)).toBe('31 Dec 2025');
  expect(formatSince('2026-11-20T08:05:00Z', now)).toBe('today at 08:05 UTC');
});
