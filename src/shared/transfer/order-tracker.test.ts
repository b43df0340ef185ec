import { expect, it } from 'vitest';
import { OrderTracker } from './order-tracker.ts';
import { makeTransfer } from './testing/make-transfer.ts';
import type { Transfer } from './transfer.ts';

const full = { code: 'transfer.disk-full', message: '', details: {}, retryable: true } as const;

function follow(first: readonly Transfer[]) {
  const tracker = new OrderTracker();
  tracker.take({ changed: first, removed: [], isNews: false });
  return (...changed: Transfer[]) => tracker.take({ changed, removed: [], isNews: true });
}

it('tells the end of an order once, with what became of its files', () => {
  const take = follow([makeTransfer(1), makeTransfer(2), makeTransfer(3, { state: 'cancelled' })]);
  expect(take(makeTransfer(1, { state: 'done', verification: 'checksum' }))).toEqual([]);
  expect(take(makeTransfer(2, { state: 'failed' }))).toEqual([
    {
      ...{ kind: 'ended', downloadId: 1, doneCount: 1, verifiedCount: 1, lostCount: 0 },
      ...{ failedCount: 1, pausedCount: 0, cancelledCount: 1 },
    },
  ]);
  // Only a look at the file: no end.
  expect(take(makeTransfer(1, { state: 'done', verification: 'checksum', finding: 'missing' }))).toEqual([]);
});

it('tells of an order that has failed before it was seen on its way', () => {
  const tracker = new OrderTracker();
  tracker.take({ changed: [makeTransfer(1, { state: 'failed' })], removed: [], isNews: false });
  const changed = [2, 3].map((id) => makeTransfer(id, { downloadId: 2, state: 'failed' }));
  expect(tracker.take({ changed, removed: [], isNews: true })).toMatchObject([
    { kind: 'ended', downloadId: 2, failedCount: 2 },
  ]);
});

it('tells the end of an order whose changes come in pieces with the last of them', () => {
  const tracker = new OrderTracker();
  tracker.take({ changed: [makeTransfer(1), makeTransfer(2)], removed: [], isNews: false });
  const done = { state: 'done', verification: 'checksum' } as const;
  const piece = (isComplete: boolean, ...changed: Transfer[]) =>
    tracker.take({ changed, removed: [], isNews: true, isComplete });
  expect(piece(false, makeTransfer(1, done), makeTransfer(2, done))).toEqual([]);
  expect(piece(true, makeTransfer(3, { downloadId: 2 }))).toMatchObject([{ kind: 'ended', doneCount: 2 }]);
  expect(piece(true)).toEqual([]);
});

it('is silent about what had ended before, and about what a person paused or cancelled', () => {
  const take = follow([
    makeTransfer(1, { state: 'done', verification: 'none' }),
    makeTransfer(2),
    makeTransfer(3),
  ]);
  expect(take(makeTransfer(2, { state: 'paused' }), makeTransfer(3, { state: 'paused' }))).toEqual([]);
  const cancel = follow([makeTransfer(1)]);
  expect(cancel(makeTransfer(1, { state: 'cancelled' }))).toEqual([]);
  const rest = follow([makeTransfer(1, { state: 'done', verification: 'none' }), makeTransfer(2)]);
  expect(rest(makeTransfer(2, { state: 'cancelled' }))).toEqual([]);
});

it('does not tell what failed before when a person pauses the rest, and tells it at the end', () => {
  const take = follow([makeTransfer(1, { state: 'failed' }), makeTransfer(2)]);
  expect(take(makeTransfer(2, { state: 'paused' }))).toEqual([]);
  expect(take(makeTransfer(2))).toEqual([]);
  expect(take(makeTransfer(2, { state: 'done' }))).toMatchObject([{ doneCount: 1, failedCount: 1 }]);
});

it('tells what failed though a person cancelled the rest', () => {
  const take = follow([makeTransfer(1, { state: 'failed' }), makeTransfer(2)]);
  expect(take(makeTransfer(2, { state: 'cancelled' }))).toMatchObject([{ kind: 'ended', failedCount: 1 }]);
});

it('tells of a file that is tried again and here before it was seen on its way', () => {
  const take = follow([makeTransfer(1, { state: 'failed' }), makeTransfer(2, { state: 'failed' })]);
  expect(take(makeTransfer(1, { state: 'done' }))).toMatchObject([{ doneCount: 1, failedCount: 1 }]);
  expect(take(makeTransfer(2, { state: 'done' }))).toMatchObject([{ doneCount: 2, failedCount: 0 }]);
});

it('tells what a person must do once, and again when it came anew', () => {
  const take = follow([makeTransfer(1), makeTransfer(2, { downloadId: 2 })]);
  const waiting = { state: 'waiting', waiting: { error: full, resumeAt: null } } as const;
  expect(take(makeTransfer(1, waiting))).toEqual([
    { kind: 'stuck', code: 'transfer.disk-full', downloadId: 1 },
  ]);
  expect(take(makeTransfer(2, { downloadId: 2, ...waiting }))).toEqual([]);
  expect(take(makeTransfer(1), makeTransfer(2, { downloadId: 2 }))).toEqual([]);
  expect(take(makeTransfer(2, { downloadId: 2, ...waiting }))).toHaveLength(1);
});

it('does not tell what goes on by itself', () => {
  const take = follow([makeTransfer(1)]);
  const error = { code: 'http.too-many-requests', message: '', details: {}, retryable: true } as const;
  expect(take(makeTransfer(1, { state: 'waiting', waiting: { error, resumeAt: null } }))).toEqual([]);
});
