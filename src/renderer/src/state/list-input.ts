import type { ItemRef } from '#shared/stac/item.ts';
import type { AppState } from './app-state.svelte.ts';
import type { ShownRows } from './selection-state.svelte.ts';

/** What keys in a list of results work on. */
export interface ListKeys {
  app: Pick<AppState, 'selection' | 'openItem' | 'giveAllBack'>;
  shown: ShownRows;
  /** Rows that fit into the list. */
  pageRows: number;
}

/**
 * Keys of a list of results, the same for rows and table: arrows, J and K, Page, Home and End move, with Shift they
 * pick on the way; Space and X pick; Enter opens; Ctrl+A picks all shown; Escape gives all back.
 */
export function pressInList(event: KeyboardEvent, { app, shown, pageRows }: ListKeys): void {
  const { selection } = app;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey || (isCommand && key !== 'a')) return;
  const active = shown.rows[selection.activeIndex];
  const step = steps[key];
  if (isCommand) selection.selectAllShown();
  else if (step) moveActive({ app, shown, pageRows }, { step: step(pageRows), isRange: event.shiftKey });
  else if (!active || !act(key, app, active)) return;
  event.preventDefault();
}

/** A click on a row: Ctrl picks it, Shift all up to it, a click on its box picks it, any other opens it. */
export function clickInList(event: MouseEvent, app: ListKeys['app'], row: ItemRef): void {
  const { currentTarget, target } = event;
  const isOnBox = target instanceof Element && target.closest('[data-pick]') !== null;
  if (event.shiftKey) app.selection.selectRange(row);
  else if (isOnBox || event.ctrlKey || event.metaKey) app.selection.toggle(row);
  else app.openItem(row);
  // Keys go on from there: the row that took the focus is gone as soon as it is scrolled out of the list.
  const list = currentTarget instanceof Element ? currentTarget.closest<HTMLElement>('[tabindex="0"]') : null;
  list?.focus({ preventScroll: true });
}

const steps: Partial<Record<string, (pageRows: number) => number>> = {
  ArrowDown: () => 1,
  j: () => 1,
  ArrowUp: () => -1,
  k: () => -1,
  PageDown: (pageRows) => Math.max(1, pageRows - 1),
  PageUp: (pageRows) => -Math.max(1, pageRows - 1),
  Home: () => -Infinity,
  End: () => Infinity,
};

function moveActive({ app, shown }: ListKeys, { step, isRange }: { step: number; isRange: boolean }): void {
  const { selection } = app;
  const row = shown.rows[Math.min(shown.rows.length - 1, Math.max(0, selection.activeIndex + step))];
  if (!row) return;
  if (isRange) selection.selectRange(row);
  else selection.activate(row);
}

function act(key: string, app: ListKeys['app'], active: ItemRef): boolean {
  if (key === 'Enter') app.openItem(active);
  else if (key === ' ' || key === 'x') app.selection.toggle(active);
  else if (key === 'Escape' && app.selection.pickedCount > 0) app.giveAllBack();
  else return false;
  return true;
}
