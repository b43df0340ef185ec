import { expect, it } from 'vitest';
import { noTransfers } from '#shared/transfer/queue-status.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { QueueViewState } from './queue-view-state.svelte.ts';
import type { Session } from './session.svelte.ts';
import { TransfersState } from './transfers-state.svelte.ts';

const queue = {
  isPaused: false,
  hold: null,
  counts: noTransfers,
  leftBytes: 0,
  unknownCount: 0,
  bytesPerSecond: 0,
  secondsLeft: null,
  flows: [],
  notice: null,
};

type Tell = (event: object, sequence: number) => void;

function watch(): { view: QueueViewState; tell: (...changed: Transfer[]) => void } {
  let tell: Tell = () => undefined;
  const downloads = { watch: (_: unknown, { onEvent }: { onEvent: Tell }) => void (tell = onEvent) };
  const session = { onOpen: (open: (client: unknown) => void) => open({ downloads }) };
  const view = new QueueViewState(new TransfersState(session as unknown as Session));
  return {
    view,
    tell: (...changed) => tell({ changed, removed: [], orders: [], queue, isComplete: true }, 1),
  };
}

function toggle(view: QueueViewState, ...keys: string[]): void {
  for (const entry of view.entries) if (keys.includes(entry.key)) view.toggle(entry);
}

const idsOf = (view: QueueViewState) => view.pickedTarget?.transfers.map(({ transferId }) => transferId);

it('lets nothing be done to what was picked and has left the list', () => {
  const { view, tell } = watch();
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3));
  view.showTab('waiting');
  toggle(view, '1', '2');
  expect(idsOf(view)).toEqual([1, 2]);
  tell(makeTransfer(1, { state: 'cancelled' }));
  expect([view.pickedCount, idsOf(view)]).toEqual([1, [2]]);
  toggle(view, '3');
  expect(view.targetOf(view.entries[1] ?? null)?.which).toEqual({ transferIds: [2, 3] });
  tell(makeTransfer(1));
  expect(idsOf(view)).toEqual([2, 3]);
  tell(makeTransfer(2, { state: 'cancelled' }), makeTransfer(3, { state: 'cancelled' }));
  expect([view.pickedCount, view.pickedTarget]).toEqual([0, null]);
});

it('means by an order what a filter lets through, folded or not, and all of it where none is hidden', () => {
  const { view, tell } = watch();
  const done = { state: 'done' } as const;
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3, done));
  const whichOf = () => view.targetOf(view.entries[0] ?? null)?.which;
  expect(whichOf()).toEqual({ downloadId: 1 });
  view.showTab('waiting');
  expect(whichOf()).toEqual({ transferIds: [1, 2] });
  view.fold(1, true);
  expect(whichOf()).toEqual({ transferIds: [1, 2] });
  tell(makeTransfer(2, done));
  expect(whichOf()).toEqual({ transferIds: [1] });
  view.showTab('all');
  expect(whichOf()).toEqual({ downloadId: 1 });
});

it('does nothing to picks of an order that is folded, and has them again when it is not', () => {
  const { view, tell } = watch();
  tell(makeTransfer(1), makeTransfer(2, { downloadId: 2 }));
  toggle(view, '1', '2');
  view.fold(1, true);
  expect(idsOf(view)).toEqual([2]);
  view.fold(1, false);
  expect(idsOf(view)).toEqual([1, 2]);
});
