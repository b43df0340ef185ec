import { expect, it } from 'vitest';
import { emptyQueueStatus } from '#shared/transfer/queue-status.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { QueueViewState } from './queue-view-state.svelte.ts';
import type { Session } from './session.svelte.ts';
import { TransfersState } from './transfers-state.svelte.ts';

type Tell = (event: object, sequence: number) => void;

interface Watched {
  view: QueueViewState;
  transfers: TransfersState;
  tell: (...changed: Transfer[]) => void;
  tellRemoved: (...removed: number[]) => void;
}

function watch(): Watched {
  let tell: Tell = () => undefined;
  const downloads = { watch: (_: unknown, { onEvent }: { onEvent: Tell }) => void (tell = onEvent) };
  const session = { onOpen: (open: (client: unknown) => void) => open({ downloads }) };
  const transfers = new TransfersState(session as unknown as Session);
  const rest = { orders: [], queue: emptyQueueStatus, isComplete: true };
  return {
    view: new QueueViewState(transfers),
    transfers,
    tell: (...changed) => tell({ changed, removed: [], ...rest }, 1),
    tellRemoved: (...removed) => tell({ changed: [], removed, ...rest }, 1),
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

it('tells a line that was moved in the queue from one that went down as others were done', () => {
  const { view, tell } = watch();
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3));
  view.activate('3');
  const before = view.activePlace;
  tell(makeTransfer(1, { state: 'downloading' }), makeTransfer(3, { state: 'failed' }));
  expect([view.activeIndex, view.activePlace]).toEqual([2, before]);
  tell(makeTransfer(3, { state: 'failed', position: 0 }));
  expect(view.activePlace).not.toBe(before);
});

it.each([
  ['the one below', ['2'], '3'],
  ['the one above, and not all of the next order', ['3'], '2'],
  ['the next order where its own is gone', ['1', '2', '3'], 'order 2'],
])('goes on from what was taken off the list with %s', (_, gone, key) => {
  const { view, tell, tellRemoved } = watch();
  const failed = { state: 'failed' } as const;
  tell(makeTransfer(4, { downloadId: 2 }), ...[1, 2, 3].map((id) => makeTransfer(id, failed)));
  const before = view.entries.toSorted((a, b) => a.downloadId - b.downloadId);
  tellRemoved(...gone.map(Number));
  view.goOnBeside(
    before,
    before.findIndex((entry) => entry.key === gone[0]),
  );
  expect(view.activeKey).toBe(key);
});

it('is on the line of an order that is folded around it', () => {
  const { view, tell } = watch();
  tell(makeTransfer(1), makeTransfer(2));
  view.activate('2');
  view.fold(1, true);
  expect(view.entries[view.activeIndex]?.key).toBe('order 1');
});

it('knows of what waits until when, each time that it is told', () => {
  const { transfers, tell } = watch();
  const error = { code: 'network.timeout', message: '', details: {}, retryable: true } as const;
  for (const resumeAt of ['2026-07-14T10:00:00Z', '2026-07-14T10:05:00Z']) {
    tell(makeTransfer(1, { state: 'waiting', waiting: { error, resumeAt } }));
    expect(transfers.waits).toEqual([{ error, resumeAt }]);
  }
});

it('shows the first file that is missing, wherever the list was, and asks for it once', () => {
  const { view, tell } = watch();
  const missing = { state: 'done', finding: 'missing' } as const;
  tell(makeTransfer(1, { state: 'failed' }), makeTransfer(2, missing), makeTransfer(3, missing));
  view.find('nothing of this name');
  view.fold(1, true);
  view.showLost();
  expect([view.tab, view.text, view.activeKey, view.isAskedFor]).toEqual(['failed', '', '2', true]);
  view.activate('3');
  expect(view.isAskedFor).toBe(false);
});

it('leaves every line where it is while it is held, and lets them go where they belong after that', () => {
  const { view, tell } = watch();
  const keys = () => view.entries.map(({ key }) => key);
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3));
  view.hold();
  tell(makeTransfer(1, { state: 'done' }), makeTransfer(3, { state: 'downloading' }), makeTransfer(4));
  expect(keys()).toEqual(['order 1', '1', '2', '3', '4']);
  view.letGo();
  expect(keys()).toEqual(['order 1', '3', '2', '4', '1']);
});

it('leaves what goes on by itself among those that wait while it is held, and not what was paused', () => {
  const { view, tell } = watch();
  const keys = () => view.entries.map(({ key }) => key);
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3));
  view.showTab('waiting');
  view.hold();
  tell(makeTransfer(1, { state: 'downloading' }), makeTransfer(2, { state: 'paused' }));
  expect(keys()).toEqual(['order 1', '1', '3']);
  view.letGo();
  expect(keys()).toEqual(['order 1', '3']);
});

it('shows a new order of the queue at once, held or not', () => {
  const { view, tell } = watch();
  const keys = () => view.entries.map(({ key }) => key);
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3));
  view.hold();
  tell(makeTransfer(3, { position: 0 }));
  expect(keys()).toEqual(['order 1', '3', '1', '2']);
  view.hold();
  tell(makeTransfer(3, { position: 0, state: 'done' }));
  expect(keys()).toEqual(['order 1', '3', '1', '2']);
});

it('holds what has come to the end of the list like the rest, at the next touch', () => {
  const { view, tell } = watch();
  const keys = () => view.entries.map(({ key }) => key);
  view.showTab('running');
  view.hold();
  tell(makeTransfer(1, { state: 'downloading' }), makeTransfer(2, { state: 'downloading' }));
  view.hold();
  tell(makeTransfer(1, { state: 'done' }));
  expect(keys()).toEqual(['order 1', '1', '2']);
});

it('stays held when an order is folded, and holds what it shows when it is unfolded', () => {
  const { view, tell } = watch();
  const keys = () => view.entries.map(({ key }) => key);
  tell(makeTransfer(1), makeTransfer(2), makeTransfer(3, { downloadId: 2, state: 'downloading' }));
  view.hold();
  view.fold(1, true);
  tell(makeTransfer(3, { downloadId: 2, state: 'done' }), makeTransfer(4, { downloadId: 2, position: 0 }));
  expect(keys()).toEqual(['order 1', 'order 2', '3', '4']);
  view.fold(1, false);
  tell(makeTransfer(1, { state: 'done' }));
  expect(keys()).toEqual(['order 1', '1', '2', 'order 2', '3', '4']);
});
