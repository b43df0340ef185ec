import { expect, it } from 'vitest';
import { OrderTracker } from './order-tracker.ts';
import type { Transfer } from './transfer.ts';

function transfer(transferId: number, change: Partial<Transfer>): Transfer {
  return {
    transferId,
    downloadId: 1,
    collectionId: 's2',
    itemId: 'scene',
    assetKey: 'B04',
    state: 'queued',
    waiting: null,
    receivedBytes: 0,
    totalBytes: null,
    bytesPerSecond: 0,
    filePath: null,
    linkKind: null,
    verification: null,
    error: null,
    priority: 'normal',
    position: transferId,
    undoUntil: null,
    finding: null,
    ...change,
  };
}

const full = { code: 'transfer.disk-full', message: '', details: {}, retryable: true } as const;

function follow(first: readonly Transfer[]) {
  const tracker = new OrderTracker();
  tracker.take({ changed: first, removed: [], isNews: false });
  return (...changed: Transfer[]) => tracker.take({ changed, removed: [], isNews: true });
}

it('tells the end of an order once, with what became of its files', () => {
  const take = follow([transfer(1, {}), transfer(2, {}), transfer(3, { state: 'cancelled' })]);
  expect(take(transfer(1, { state: 'done', verification: 'checksum' }))).toEqual([]);
  expect(take(transfer(2, { state: 'failed' }))).toEqual([
    { kind: 'ended', downloadId: 1, doneCount: 1, verifiedCount: 1, failedCount: 1, pausedCount: 0 },
  ]);
  // Only a look at the file: no end.
  expect(take(transfer(1, { state: 'done', verification: 'checksum', finding: 'missing' }))).toEqual([]);
});

it('is silent about what had ended before, and about what a person paused or cancelled', () => {
  const take = follow([
    transfer(1, { state: 'done', verification: 'none' }),
    transfer(2, {}),
    transfer(3, {}),
  ]);
  expect(take(transfer(2, { state: 'paused' }), transfer(3, { state: 'paused' }))).toEqual([]);
  const cancel = follow([transfer(1, {})]);
  expect(cancel(transfer(1, { state: 'cancelled' }))).toEqual([]);
});

it('tells what a person must do once, and again when it came anew', () => {
  const take = follow([transfer(1, {}), transfer(2, { downloadId: 2 })]);
  const waiting = { state: 'waiting', waiting: { error: full, resumeAt: null } } as const;
  expect(take(transfer(1, waiting))).toEqual([{ kind: 'stuck', code: 'transfer.disk-full', downloadId: 1 }]);
  expect(take(transfer(2, { downloadId: 2, ...waiting }))).toEqual([]);
  expect(take(transfer(1, {}), transfer(2, { downloadId: 2 }))).toEqual([]);
  expect(take(transfer(2, { downloadId: 2, ...waiting }))).toHaveLength(1);
});

it('does not tell what goes on by itself', () => {
  const take = follow([transfer(1, {})]);
  const error = { code: 'http.too-many-requests', message: '', details: {}, retryable: true } as const;
  expect(take(transfer(1, { state: 'waiting', waiting: { error, resumeAt: null } }))).toEqual([]);
});
