import { expect, it } from 'vitest';
import { describeSummary } from './describe-summary.ts';

const summary = {
  pages: 2,
  items: 10,
  matched: 24,
  skipped: [],
  leftOut: 0,
  seenBefore: null,
  isIncomplete: false,
};

it.each([
  [{}, '10 items of 24 matched in 2 pages, 0 skipped'],
  [{ matched: 7 }, '10 items in 2 pages, 0 skipped'],
  [
    { items: 4, leftOut: 6, matched: 7 },
    '4 items in 2 pages, 0 skipped, 6 with too much cloud left out here',
  ],
  [{ matched: null }, '10 items in 2 pages, 0 skipped'],
  [{ seenBefore: 3 }, '10 new items in 2 pages, 0 skipped, 3 seen before'],
])('says how many matched only where that can be: %j', (change, sentence) => {
  expect(describeSummary({ ...summary, ...change })).toBe(sentence);
});
