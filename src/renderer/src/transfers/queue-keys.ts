import { orderKey } from '../state/queue-entries.ts';
import type { ActionTarget, QueueViewState } from '../state/queue-view-state.svelte.ts';
import type { QueueActions } from './queue-actions.ts';

/** What keys in the list of transfers work on. */
export interface QueueKeys {
  view: QueueViewState;
  actions: QueueActions;
  /** Rows that fit into the list. */
  pageRows: number;
  onReport: (downloadId: number) => void;
}

/**
 * Keys of the list: arrows, Page, Home and End move, with Shift they pick on the way; left and right fold an order;
 * Space picks; Ctrl+A picks all; Enter shows details or folds; P pauses or resumes, R tries again, V verifies, C copies
 * the path, Delete cancels or takes off the list; with Alt, up, down, Home and End move in the queue; Escape gives all
 * back, then closes the details.
 */
export function pressInQueue(event: KeyboardEvent, keys: QueueKeys): void {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (take(key, event, keys)) event.preventDefault();
}

function take(key: string, event: KeyboardEvent, keys: QueueKeys): boolean {
  if (event.ctrlKey || event.metaKey) {
    if (key === 'a') keys.view.pickAll();
    return key === 'a';
  }
  if (event.altKey) return moveInQueue(key, keys);
  return walk(key, event.shiftKey, keys) || act(key, keys);
}

const steps: Partial<Record<string, (pageRows: number) => number>> = {
  ArrowDown: () => 1,
  j: () => 1,
  ArrowUp: () => -1,
  k: () => -1,
  PageDown: (pageRows) => pageRows,
  PageUp: (pageRows) => -pageRows,
  Home: () => -Infinity,
  End: () => Infinity,
};

function walk(key: string, isRange: boolean, { view, pageRows }: QueueKeys): boolean {
  const step = steps[key]?.(pageRows);
  if (step === undefined) return false;
  const entry = view.entries[Math.min(view.entries.length - 1, Math.max(0, view.activeIndex + step))];
  if (!entry) return true;
  if (isRange) view.pickRange(entry);
  else view.activate(entry.key);
  return true;
}

function act(key: string, keys: QueueKeys): boolean {
  const { view } = keys;
  if (key === 'Escape') {
    if (view.pickedCount > 0) view.clearPicks();
    else view.open(null);
    return true;
  }
  const entry = view.entries[view.activeIndex];
  const target = view.targetOf(entry ?? null);
  if (!entry || !target) return false;
  const onEntry = entryKeys[key];
  const onTarget = targetKeys[key];
  if (onEntry) onEntry(entry, keys);
  else if (onTarget) onTarget(target, keys.actions);
  return onEntry !== undefined || onTarget !== undefined;
}

type Entry = QueueViewState['entries'][number];

const entryKeys: Partial<Record<string, (entry: Entry, keys: QueueKeys) => void>> = {
  ArrowLeft: (entry, { view }) => {
    if (entry.kind === 'order') view.fold(entry.downloadId, true);
    else view.activate(orderKey(entry.downloadId));
  },
  ArrowRight: (entry, { view }) => {
    if (entry.kind === 'order') view.fold(entry.downloadId, false);
  },
  Enter: (entry, { view, onReport }) => {
    if (entry.kind === 'order') onReport(entry.downloadId);
    else view.open(entry.transferId);
  },
  ' ': (entry, { view }) => view.toggle(entry),
  x: (entry, { view }) => view.toggle(entry),
};

const targetKeys: Partial<Record<string, (target: ActionTarget, actions: QueueActions) => void>> = {
  p: (target, actions) => actions.togglePause(target),
  r: (target, actions) => {
    if (actions.canResume(target)) actions.resume(target);
  },
  v: (target, actions) => {
    if (target.transfers.some(({ state }) => state === 'done')) actions.verify(target);
  },
  c: (target, actions) => actions.copyPath(target),
  Delete: (target, actions) => actions.cancelOrRemove(target),
};

function moveInQueue(key: string, { view, actions }: QueueKeys): boolean {
  const target = view.targetOf(view.entries[view.activeIndex] ?? null);
  if (!target) return false;
  if (key === 'ArrowUp') actions.step(target, 'up');
  else if (key === 'ArrowDown') actions.step(target, 'down');
  else if (key === 'Home') actions.move(target, 'top');
  else if (key === 'End') actions.move(target, 'bottom');
  else return false;
  return true;
}
