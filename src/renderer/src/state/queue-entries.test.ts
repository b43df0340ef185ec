import { expect, it } from 'vitest';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { listEntries, type QueueTab } from './queue-entries.ts';
import { summarise } from './order-summary.ts';

function order(downloadId: number, title: string): DownloadOrderView {
  return {
    downloadId,
    title,
    origin: { kind: 'selection' },
    connectionId: 'demo',
    destination: '/out',
    links: 'auto',
    orderedAt: '2026-07-14T10:00:00Z',
  };
}

function keys(
  transfers: readonly Transfer[],
  change: { tab?: QueueTab; text?: string; folded?: number[] } = {},
) {
  return listEntries(transfers, {
    orders: [order(1, 'Fields'), order(2, 'Lakes'), order(3, 'Woods')],
    summaries: summarise(transfers),
    tab: change.tab ?? 'all',
    text: change.text ?? '',
    folded: new Set(change.folded),
  }).map(({ key }) => key);
}

it('puts what works first, then what failed, what is to come by priority and place, and what is done last', () => {
  expect(
    keys([
      makeTransfer(1, { state: 'done' }),
      makeTransfer(2),
      makeTransfer(3, { priority: 'high' }),
      makeTransfer(4, { state: 'downloading' }),
      makeTransfer(5, { state: 'failed' }),
      makeTransfer(6, { state: 'cancelled' }),
      makeTransfer(7, { state: 'paused' }),
      makeTransfer(8, { position: 0 }),
    ]),
  ).toEqual(['order 1', '4', '5', '3', '8', '2', '7', '1', '6']);
});

it('leaves a file where it is while it asks for its link once more', () => {
  const others = [
    makeTransfer(1, { state: 'downloading' }),
    makeTransfer(2, { state: 'failed' }),
    makeTransfer(3),
  ];
  const at = (state: Transfer['state']) => keys([...others, makeTransfer(4, { state })]).indexOf('4');
  expect(at('preparing')).toBe(at('waiting'));
});

it('leaves a file where it is while a person pauses it', () => {
  const at = (state: Transfer['state']) =>
    keys([makeTransfer(1, { position: 0 }), makeTransfer(2, { state }), makeTransfer(3)]).indexOf('2');
  expect(at('paused')).toBe(at('queued'));
});

it('puts orders with something to come on top in the order of the queue, then the newest', () => {
  expect(
    keys([
      makeTransfer(1, { downloadId: 1, state: 'done' }),
      makeTransfer(2, { downloadId: 2 }),
      makeTransfer(3, { downloadId: 3, priority: 'high' }),
    ]),
  ).toEqual(['order 3', '3', 'order 2', '2', 'order 1', '1']);
  expect(
    keys([makeTransfer(1, { state: 'done' }), makeTransfer(2, { downloadId: 2, state: 'failed' })]),
  ).toEqual(['order 2', '2', 'order 1', '1']);
});

it('puts an order with paused files below what goes on, and above what is finished', () => {
  expect(
    keys([
      makeTransfer(1, { downloadId: 1, state: 'paused' }),
      makeTransfer(2, { downloadId: 2, state: 'done' }),
      makeTransfer(3, { downloadId: 3 }),
    ]),
  ).toEqual(['order 3', '3', 'order 1', '1', 'order 2', '2']);
});

it('shows what fits the tab and the words, and folds orders', () => {
  const all = [
    makeTransfer(1, { state: 'done' }),
    makeTransfer(2, { state: 'done', finding: 'missing' }),
    makeTransfer(3, { downloadId: 2, state: 'waiting' }),
  ];
  expect(keys(all, { tab: 'done' })).toEqual(['order 1', '1']);
  expect(keys(all, { tab: 'failed' })).toEqual(['order 1', '2']);
  expect(keys(all, { tab: 'running' })).toEqual([]);
  expect(keys(all, { text: 'LAKES scene' })).toEqual(['order 2', '3']);
  expect(keys(all, { text: 'lakes scene-1' })).toEqual([]);
  expect(keys(all, { folded: [1] })).toEqual(['order 2', '3', 'order 1']);
  expect(keys(all, { folded: [2], text: 'lakes' })).toEqual(['order 2', '3']);
});

it('lists 10,000 transfers', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    makeTransfer(index, { downloadId: 1 + (index % 3), state: index % 7 === 0 ? 'done' : 'queued' }),
  );
  expect(keys(many)).toHaveLength(10_003);
});

it('sums up an order: bytes of what is wanted, what is of unknown size, where it stands', () => {
  const transfers = [
    makeTransfer(1, { state: 'done', receivedBytes: 100, verification: 'checksum' }),
    makeTransfer(2, { state: 'downloading', receivedBytes: 40, bytesPerSecond: 10 }),
    makeTransfer(3, { totalBytes: null }),
    makeTransfer(4, { state: 'cancelled', receivedBytes: 70 }),
    makeTransfer(6, { state: 'paused', receivedBytes: 10 }),
    makeTransfer(5, { state: 'done', finding: 'changed', receivedBytes: 100, verification: 'checksum' }),
  ];
  // What came of a file that is done by now came too.
  const flows = [
    { downloadId: 1, bytesPerSecond: 30, pace: 20, longestSeconds: 7 },
    { downloadId: 2, bytesPerSecond: 5, pace: 5, longestSeconds: 0 },
  ];
  const summary = summarise(transfers, flows).get(1);
  expect(summary).toMatchObject({
    fileCount: 6,
    verifiedCount: 1,
    lostCount: 1,
    // What is changed has to come once more.
    receivedBytes: 150,
    totalBytes: 400,
    unknownCount: 1,
    // What is paused or has failed doesn't come by itself.
    leftBytes: 60,
    bytesPerSecond: 30,
    pace: 20,
    longestSeconds: 7,
    isSettled: false,
  });
});

it('counts nothing towards the time of an order that waits for a person, and knows when the others go on', () => {
  const waitFor = (
    transferId: number,
    code: 'auth.required' | 'network.timeout',
    resumeAt: string,
    totalBytes: number | null = 100,
  ) =>
    makeTransfer(transferId, {
      state: 'waiting',
      totalBytes,
      waiting: { error: { code, message: '', details: {}, retryable: true }, resumeAt },
    });
  const summary = summarise([
    waitFor(1, 'auth.required', '2026-07-16T10:00:00Z'),
    waitFor(2, 'network.timeout', '2026-07-15T10:05:00Z'),
    waitFor(3, 'network.timeout', '2026-07-15T10:01:00Z'),
    waitFor(4, 'network.timeout', '2026-07-15T10:02:00Z', null),
    waitFor(5, 'auth.required', '2026-07-15T10:00:00Z', null),
    makeTransfer(6, { state: 'waiting', totalBytes: 50 }),
  ]).get(1);
  expect(summary).toMatchObject({
    leftBytes: 250,
    unknownLeftCount: 1,
    firstWait: { error: { code: 'network.timeout' }, resumeAt: '2026-07-15T10:01:00Z' },
    lastResumeAt: '2026-07-15T10:05:00Z',
  });
});
