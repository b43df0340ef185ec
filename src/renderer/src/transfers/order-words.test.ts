import { expect, it } from 'vitest';
import { noTransfers } from '#shared/transfer/queue-status.ts';
import type { OrderSummary } from '../state/order-summary.ts';
import { describeOrderState, describeOrigin, type OrderSurroundings } from './order-words.ts';

function words(
  counts: Partial<OrderSummary['counts']>,
  change: Partial<OrderSummary> = {},
  around: Partial<OrderSurroundings> = {},
) {
  return describeOrderState(
    {
      fileCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
      counts: { ...noTransfers, ...counts },
      verifiedCount: 0,
      lostCount: 0,
      quietCount: 0,
      receivedBytes: 0,
      totalBytes: 4_000_000_000,
      unknownCount: 0,
      leftBytes: 0,
      longestSeconds: 0,
      bytesPerSecond: 0,
      pace: 0,
      isSettled: false,
      firstResumeAt: null,
      lastResumeAt: null,
      place: 1,
      ...change,
    },
    { stop: null, pause: null, now: new Date('2026-07-15T14:00:00Z'), ...around },
  );
}

it('takes no less time than until the last of those that wait for a time goes on', () => {
  const coming = { receivedBytes: 1e9, leftBytes: 2e9, bytesPerSecond: 10_000_000, pace: 10_000_000 };
  const say = (lastResumeAt: string) =>
    words({ downloading: 2, waiting: 1 }, { ...coming, lastResumeAt }).state;
  expect(say('2026-07-15T14:01:00Z')).toBe('10.0 MB/s · 3 min left');
  expect(say('2026-07-15T14:30:00Z')).toBe('10.0 MB/s · 30 min left');
});

it('says how far an order is and how long it takes', () => {
  expect(
    words(
      { downloading: 2, queued: 6, done: 2 },
      {
        receivedBytes: 1_000_000_000,
        leftBytes: 2_000_000_000,
        bytesPerSecond: 14_000_000,
        pace: 10_000_000,
      },
    ),
  ).toEqual({
    files: '2 of 10 files',
    bytes: '1.00 of 4.00 GB',
    state: '14.0 MB/s · 3 min left',
    tone: 'plain',
    fraction: 0.25,
  });
});

it('tells the time of the one file that takes longest', () => {
  const change = { leftBytes: 100_000_000, bytesPerSecond: 10_000_000, pace: 10_000_000, longestSeconds: 39 };
  expect(words({ downloading: 2 }, change).state).toBe('10.0 MB/s · 39 s left');
});

it('counts unknown sizes apart, and doesn’t let them run ahead', () => {
  expect(words({ queued: 3, done: 1 }, { unknownCount: 2, receivedBytes: 2_000_000_000 })).toMatchObject({
    bytes: '2.00 of 4.00 GB + 2 unknown',
    fraction: 0.25,
  });
});

it('promises no time where sizes are unknown', () => {
  const change = { bytesPerSecond: 10_000_000, unknownCount: 5, receivedBytes: 4_000_000_000 };
  expect(words({ downloading: 1, queued: 5 }, change)).toMatchObject({
    state: '10.0 MB/s',
    bytes: '4.00 GB + 5 unknown',
  });
});

it.each([
  [{ finalizing: 2, queued: 3 }, {}, '2 at work', 'plain'],
  [{ downloading: 3, queued: 3 }, { quietCount: 2 }, '1 at work · 2 silent', 'plain'],
  [{ downloading: 3 }, { quietCount: 3 }, '3 silent', 'plain'],
  [{ waiting: 3, failed: 1 }, {}, '3 waiting · 1 failed', 'warn'],
  [{ queued: 3 }, {}, 'Queued', 'plain'],
  [{ paused: 3, done: 1 }, { isSettled: true }, 'Paused', 'warn'],
  [{ done: 3 }, { isSettled: true, verifiedCount: 2 }, '2 verified, 1 not verifiable', 'ok'],
  [{ done: 1, failed: 2 }, { isSettled: true, verifiedCount: 1 }, '2 failed · 1 verified', 'bad'],
  [{ done: 1 }, { isSettled: true, lostCount: 1 }, '1 missing or changed since', 'bad'],
  [
    { done: 12 },
    { isSettled: true, verifiedCount: 9, lostCount: 3 },
    '3 missing or changed since, 9 verified',
    'bad',
  ],
  [{ done: 3 }, { isSettled: true, lostCount: 1 }, '1 missing or changed since, 2 not verifiable', 'bad'],
  [{ cancelled: 2 }, { isSettled: true, totalBytes: 0 }, 'Cancelled', 'plain'],
  [{ done: 1, cancelled: 933 }, { isSettled: true, verifiedCount: 1 }, '1 verified · 933 cancelled', 'ok'],
  [{ failed: 1, cancelled: 2 }, { isSettled: true }, '1 failed · 2 cancelled', 'bad'],
  [
    { downloading: 1, done: 3, failed: 1, cancelled: 4 },
    { lostCount: 2 },
    '1 at work · 1 failed · 2 missing or changed since · 4 cancelled',
    'plain',
  ],
] as const)('%j is called as it is', (counts, change, state, tone) => {
  expect(words(counts, change)).toMatchObject({ state, tone });
});

it('counts a file that is lost as none that is there, before it is fetched again and after', () => {
  expect(words({ done: 4 }, { isSettled: true, lostCount: 1 }).files).toBe('3 of 4 files');
  expect(words({ done: 3, queued: 1 }).files).toBe('3 of 4 files');
});

it('tells the results of a search from items that were picked', () => {
  expect(describeOrigin({ kind: 'search', itemCount: 1200 })).toBe('from 1,200 results of a search');
  expect(describeOrigin({ kind: 'selection' })).toBe('from picked items');
});
