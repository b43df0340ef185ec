import { describe, expect, it } from 'vitest';
import type { ItemRef } from '#shared/stac/item.ts';
import { SelectionState } from './selection-state.svelte.ts';

function refs(...itemIds: string[]): ItemRef[] {
  return itemIds.map((itemId) => ({ collectionId: 'c', itemId }));
}

function idsOf(picked: readonly ItemRef[]): string {
  return picked.map(({ itemId }) => itemId).join(' ');
}

function ref(itemId: string): ItemRef {
  return { collectionId: 'c', itemId };
}

describe('picking', () => {
  it('keeps the order of picking and gives back what is toggled again', () => {
    const selection = new SelectionState({ rows: refs('a', 'b', 'c') });
    selection.toggle(ref('c'));
    selection.toggle(ref('a'));
    expect(idsOf(selection.picked)).toBe('c a');
    expect(selection.isPicked(ref('b'))).toBe(false);
    selection.toggle(ref('c'));
    expect(idsOf(selection.picked)).toBe('a');
    expect(selection.pickedCount).toBe(1);
  });

  it('tells items of two collections with the same id apart', () => {
    const selection = new SelectionState({ rows: [] });
    selection.toggle({ collectionId: 'one', itemId: 'x' });
    expect(selection.isPicked({ collectionId: 'two', itemId: 'x' })).toBe(false);
  });

  it('extends a range and takes it back as its end moves, and leaves what was picked before', () => {
    const selection = new SelectionState({ rows: refs('a', 'b', 'c', 'd', 'e') });
    selection.toggle(ref('e'));
    selection.activate(ref('b'));
    selection.selectRange(ref('c'));
    selection.selectRange(ref('d'));
    expect(idsOf(selection.picked)).toBe('e b c d');
    selection.selectRange(ref('a'));
    expect(idsOf(selection.picked)).toBe('e a b');
    expect(selection.active?.itemId).toBe('a');
  });

  it('begins a new range where the keyboard went on without Shift', () => {
    const selection = new SelectionState({ rows: refs('a', 'b', 'c', 'd') });
    selection.toggle(ref('a'));
    selection.activate(ref('c'));
    selection.selectRange(ref('d'));
    expect(idsOf(selection.picked)).toBe('a c d');
  });

  it('keeps what filters hide and counts it', () => {
    const shown = { rows: refs('a', 'b', 'c') };
    const selection = new SelectionState(shown);
    selection.selectAllShown();
    expect(selection.pickedCount - selection.pickedShownCount).toBe(0);
    const filtered = new SelectionState({ rows: refs('b') });
    filtered.selectMany(refs('a', 'b', 'c'));
    expect(filtered.pickedCount - filtered.pickedShownCount).toBe(2);
    filtered.clear();
    expect(filtered.pickedCount).toBe(3);
    filtered.clearPicked();
    expect(filtered.pickedCount).toBe(0);
  });

  it('picks and asks 100,000 rows at once', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => ref(`item-${index}`));
    const selection = new SelectionState({ rows });
    selection.selectAllShown();
    // A scan of the picked for each row would take minutes.
    expect(rows.every((row) => selection.isPicked(row))).toBe(true);
    expect(selection.pickedShownCount).toBe(100_000);
  });
});
