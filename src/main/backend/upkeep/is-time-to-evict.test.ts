import { expect, it } from 'vitest';
import { isTimeToEvict } from './is-time-to-evict.ts';

const hourMs = 3_600_000;
const last = { atMs: 10 * hourMs, usedBytes: 100 };
const both = { sizeBytes: 50, ageDays: 30 };

it.each([
  ['no limit', { sizeBytes: null, ageDays: null }, { atMs: 99 * hourMs, usedBytes: 900 }, null, false],
  ['nothing was looked at yet', { sizeBytes: null, ageDays: 30 }, last, null, true],
  ['they use no more than they may', { sizeBytes: 100, ageDays: null }, last, null, false],
  ['they use more than they may', { sizeBytes: 99, ageDays: null }, last, null, true],
  ['all that is left is pinned', both, { atMs: last.atMs + 1, usedBytes: 100 }, last, false],
  ['more came', both, { atMs: last.atMs + 1, usedBytes: 101 }, last, true],
  [
    'items are a minute older',
    { sizeBytes: null, ageDays: 30 },
    { atMs: last.atMs + 60_000, usedBytes: 120 },
    last,
    false,
  ],
  [
    'items are an hour older',
    { sizeBytes: null, ageDays: 30 },
    { atMs: last.atMs + hourMs, usedBytes: 100 },
    last,
    true,
  ],
  [
    'the clock was set back by a day',
    { sizeBytes: null, ageDays: 30 },
    { atMs: -14 * hourMs, usedBytes: 100 },
    last,
    true,
  ],
])('with %s', (_, limits, now, before, isTime) => {
  expect(isTimeToEvict(limits, now, before)).toBe(isTime);
});
