import { expect, it } from 'vitest';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
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
      unknownLeftCount: 0,
      stuckCount: 0,
      firstStuck: null,
      firstWait: null,
      lastResumeAt: null,
      queuedIn: new Set(),
      place: 1,
      ...change,
    },
    { stop: null, pauses: [], connectionId: 'demo', now: new Date('2026-07-15T14:00:00Z'), ...around },
  );
}

function pauseOf(collectionId: string, time: string) {
  const host = `${collectionId}.example`;
  return { connectionId: 'demo', collectionId, host, resumeAt: `2026-07-15T${time}:00Z` };
}

it('takes no less time than until the last of those that wait for a time goes on', () => {
  const coming = { receivedBytes: 1e9, leftBytes: 2e9, bytesPerSecond: 10_000_000, pace: 10_000_000 };
  const say = (lastResumeAt: string) =>
    words({ downloading: 2, waiting: 1 }, { ...coming, lastResumeAt }).state;
  expect(say('2026-07-15T14:01:00Z')).toBe('10.0 MB/s · 3 min left');
  expect(say('2026-07-15T14:30:00Z')).toBe('10.0 MB/s · 30 min left');
});

it('takes no less time than the pause that a server of it has asked for, and than no other', () => {
  const coming = { receivedBytes: 1e9, leftBytes: 2e9, bytesPerSecond: 10_000_000, pace: 10_000_000 };
  const pauses = [pauseOf('lakes', '14:20'), pauseOf('woods', '14:50')];
  const say = (...queuedIn: string[]) =>
    words({ downloading: 2, queued: 1 }, { ...coming, queuedIn: new Set(queuedIn) }, { pauses }).state;
  expect(say('fields')).toBe('10.0 MB/s · 3 min left');
  expect(say('fields', 'lakes')).toBe('10.0 MB/s · 20 min left');
});

it('tells of the pause of a server of its own that ends first', () => {
  const pauses = [pauseOf('woods', '14:50'), pauseOf('lakes', '14:20'), pauseOf('fields', '14:30')];
  const say = (...queuedIn: string[]) =>
    words({ queued: 2 }, { queuedIn: new Set(queuedIn) }, { pauses }).state;
  expect(say('lakes', 'fields')).toBe('lakes.example has asked for a pause · goes on at 14:20:00 UTC');
  expect(say('fields')).toBe('fields.example has asked for a pause · goes on at 14:30:00 UTC');
  expect(say('seas')).toBe('Queued');
});

it('says when the first of those that wait goes on, or looks again for what need not be there', () => {
  const say = (code: ErrorCode) =>
    words(
      { waiting: 2 },
      {
        firstWait: {
          error: { code, message: '', details: {}, retryable: true },
          resumeAt: '2026-07-15T14:20:00Z',
        },
      },
    ).state;
  expect(say('network.timeout')).toBe('2 waiting · goes on at 14:20:00 UTC');
  expect(say('network.offline')).toBe('2 waiting · looks again at 14:20:00 UTC');
});

it('says how many of its files wait for a person, and for what', () => {
  const error = { code: 'auth.required', message: '', details: {}, retryable: true } as const;
  const stuck = { stuckCount: 2, firstStuck: { error, resumeAt: null } };
  const say = (counts: Partial<OrderSummary['counts']>, change: Partial<OrderSummary> = {}) =>
    words(counts, { ...stuck, ...change }).state;
  expect(say({ waiting: 2 })).toBe('2 waiting for you to sign in');
  expect(say({ waiting: 3, failed: 1 })).toBe('1 waiting · 2 waiting for you to sign in · 1 failed');
  expect(say({ waiting: 2, downloading: 1 })).toBe('1 at work · 2 waiting for you to sign in');
  expect(say({ waiting: 2, downloading: 1 }, { bytesPerSecond: 1e6 })).toBe(
    '1.00 MB/s · 2 waiting for you to sign in',
  );
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
  const change = {
    bytesPerSecond: 10_000_000,
    unknownCount: 5,
    unknownLeftCount: 5,
    receivedBytes: 4_000_000_000,
  };
  expect(words({ downloading: 1, queued: 5 }, change)).toMatchObject({
    state: '10.0 MB/s',
    bytes: '4.00 GB + 5 unknown',
  });
  // One that waits for a person is none of them.
  expect(
    words({ downloading: 1, waiting: 1 }, { ...change, unknownLeftCount: 0, leftBytes: 1e9, pace: 1e7 }),
  ).toMatchObject({
    state: '10.0 MB/s · 2 min left',
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
  [{ done: 1, cancelled: 933 }, { isSettled: true, verifiedCount: 1 }, '1 verified · 933 cancelled', 'plain'],
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
