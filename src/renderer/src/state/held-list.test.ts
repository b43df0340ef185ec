import { expect, it } from 'vitest';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { holdList, keepLines } from './held-list.ts';
import { summarise } from './order-summary.ts';
import { isUnfolded, listEntries, type QueueTab } from './queue-entries.ts';

interface Looked {
  tab?: QueueTab;
  folded?: readonly number[];
}

function list(transfers: readonly Transfer[], { tab = 'all', folded = [] }: Looked) {
  const view = { tab, text: '', folded: new Set(folded) };
  return listEntries(transfers, { ...view, orders: [], summaries: summarise(transfers) });
}

/** The keys of the lines of a list that was held as it was. */
function held(
  before: readonly Transfer[],
  after: readonly Transfer[],
  looked: Looked & { then?: Looked } = {},
) {
  const { tab = 'all', folded = [] } = { ...looked, ...looked.then };
  const view = { text: '', folded: new Set(folded) };
  const now = { transfers: after, tab, isUnfolded: (id: number) => isUnfolded(id, view) };
  return keepLines(holdList(list(before, looked), before), list(after, { tab, folded }), now);
}

const keysOf = (entries: ReturnType<typeof held>) => entries.map(({ key }) => key);
const of = (downloadId: number, state: Transfer['state']) => ({ downloadId, state });
const active = 'downloading';

it('shows nothing new above a line that is held, and all of it below the last', () => {
  const before = [
    makeTransfer(1, of(1, active)),
    makeTransfer(2, of(1, 'queued')),
    makeTransfer(3, of(2, active)),
  ];
  const after = [
    before[0],
    makeTransfer(2, of(1, active)),
    before[2],
    makeTransfer(4, of(2, active)),
    makeTransfer(5, of(3, active)),
  ];
  expect(keysOf(held(before, after as Transfer[], { tab: 'running' }))).toEqual([
    'order 1',
    '1',
    'order 2',
    '3',
    '4',
    'order 3',
    '5',
  ]);
});

it.each(['done', 'failed', 'waiting'] as const)(
  'leaves an order where it was whose last file is %s',
  (state) => {
    const before = [makeTransfer(1, of(1, active)), makeTransfer(2, of(2, active))];
    const after = [makeTransfer(1, of(1, state)), makeTransfer(2, of(2, active))];
    expect(keysOf(held(before, after, { tab: 'running' }))).toEqual(['order 1', '1', 'order 2', '2']);
    expect(keysOf(held(before, after, { tab: 'running', folded: [1] }))).toEqual(['order 1', 'order 2', '2']);
  },
);

it('takes away what a person has sent off the list', () => {
  const before = [
    makeTransfer(1, of(1, active)),
    makeTransfer(2, of(1, active)),
    makeTransfer(3, of(2, active)),
  ];
  const after = [makeTransfer(1, of(1, 'paused')), makeTransfer(3, of(2, 'cancelled'))];
  expect(keysOf(held(before, after, { tab: 'running' }))).toEqual([]);
});

it('folds and unfolds an order where it is', () => {
  const before = [
    makeTransfer(1, of(1, active)),
    makeTransfer(2, of(1, 'queued')),
    makeTransfer(3, of(2, active)),
  ];
  const after = [
    makeTransfer(1, of(1, 'done')),
    makeTransfer(2, of(1, active)),
    makeTransfer(3, of(2, 'done')),
  ];
  expect(keysOf(held(before, after, { then: { folded: [1] } }))).toEqual(['order 1', 'order 2', '3']);
  expect(keysOf(held(before, after, { folded: [1], then: { folded: [] } }))).toEqual([
    'order 1',
    '2',
    '1',
    'order 2',
    '3',
  ]);
});

it('means by an order what its lines show', () => {
  const before = [makeTransfer(1, of(1, active)), makeTransfer(2, of(2, active))];
  const after = [
    makeTransfer(1, of(1, 'done')),
    makeTransfer(3, of(1, active)),
    makeTransfer(2, of(2, active)),
  ];
  const [head] = held(before, after, { tab: 'running' });
  expect(head).toMatchObject({ kind: 'order', transferIds: [1] });
  const [folded] = held(before, after, { tab: 'running', folded: [1] });
  expect(folded).toMatchObject({ kind: 'order', transferIds: [1, 3] });
});
