import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { isSameItem } from '#shared/stac/item-key.ts';
import { PickedState } from './picked-state.svelte.ts';

/** The rows that a person sees, in their order. */
export interface ShownRows {
  readonly rows: readonly ItemRef[];
  /** Where an Item stands in `rows`, known at once; -1 when it isn't there. */
  positionOf?(ref: ItemRef): number;
}

/** Which item the pointer is on, which one the keyboard is on, which one is open, and which ones are picked. */
export class SelectionState {
  readonly #shown: ShownRows;
  readonly #picked = new PickedState();
  /** Where a range of picks begins. */
  #anchor: ItemRef | null = null;
  /** What the range from the anchor has picked; given back when the range becomes another. */
  #range: readonly ItemRef[] = [];
  #hovered = $state.raw<ItemRef | null>(null);
  #active = $state.raw<ItemRef | null>(null);
  #opened = $state.raw<ItemRef | null>(null);
  /** The opened item, where it may not be among the results. */
  #visitor = $state.raw<ItemRow | null>(null);
  #shouldFocusList = $state(false);

  /** Place of the opened item among the results; -1 when it is not among them. */
  readonly openedIndex = $derived(this.indexOf(this.#opened));
  /** Place of the active row; -1 when there is none. */
  readonly activeIndex = $derived(this.indexOf(this.#active));

  /** Picked items among the shown rows. */
  readonly pickedShownCount = $derived.by(() => this.#picked.countIn(this.#shown.rows));

  constructor(shown: ShownRows) {
    this.#shown = shown;
  }

  /** The picked items in the order of picking, shown or not. */
  get picked(): readonly ItemRef[] {
    return this.#picked.refs;
  }

  /** The opened item, where it is not among the results. */
  get visitor(): ItemRow | null {
    return this.openedIndex < 0 ? this.#visitor : null;
  }

  get pickedCount(): number {
    return this.#picked.count;
  }

  isPicked(ref: ItemRef): boolean {
    return this.#picked.has(ref);
  }

  /** Picks an item or gives it back. A range begins here. */
  toggle(ref: ItemRef): void {
    if (this.#picked.has(ref)) this.#picked.remove([ref]);
    else this.#picked.add([ref]);
    this.#beginRange(ref);
  }

  /**
   * Picks all shown rows from where the range began, the active row if it begins now, to this one. What an earlier end
   * of the same range picked is given back.
   */
  selectRange(toRef: ItemRef): void {
    const to = this.indexOf(toRef);
    if (to < 0) return;
    const anchor = this.#anchor ?? this.#active;
    const from = this.indexOf(anchor);
    if (from < 0) this.#beginRange(toRef);
    else this.#anchor = anchor;
    const first = from < 0 ? to : Math.min(from, to);
    this.#picked.remove(this.#range);
    this.#range = this.#picked.add(this.#shown.rows.slice(first, Math.max(from, to) + 1));
    this.#active = toRef;
  }

  /** Picks this item and gives all others back. A range begins here. */
  selectOnly(ref: ItemRef): void {
    this.#picked.clear();
    this.#picked.add([ref]);
    this.#beginRange(ref);
  }

  /** Adds items to the picked ones. */
  selectMany(refs: readonly ItemRef[]): void {
    this.#picked.add(refs);
    this.#endRange();
  }

  /** Adds all shown rows to the picked ones. */
  selectAllShown(): void {
    this.selectMany(this.#shown.rows);
  }

  /** Gives items back. */
  unpick(refs: readonly ItemRef[]): void {
    this.#picked.remove(refs);
    this.#endRange();
  }

  clearPicked(): void {
    this.#picked.clear();
    this.#endRange();
  }

  #beginRange(ref: ItemRef): void {
    this.#active = ref;
    this.#anchor = ref;
    this.#range = [];
  }

  #endRange(): void {
    this.#anchor = null;
    this.#range = [];
  }

  get hovered(): ItemRef | null {
    return this.#hovered;
  }

  get active(): ItemRef | null {
    return this.#active;
  }

  get opened(): ItemRef | null {
    return this.#opened;
  }

  hover(ref: ItemRef | null): void {
    if (!isSameItem(ref, this.#hovered)) this.#hovered = ref;
  }

  /** Puts the keyboard's mark on a row. */
  activate(ref: ItemRef | null): void {
    if (!isSameItem(ref, this.#active)) this.#endRange();
    this.#active = ref;
  }

  open(ref: ItemRef): void {
    this.#opened = ref;
    this.#visitor = null;
    this.#active = ref;
  }

  /** Opens an item that may not be among the results; the map shows it meanwhile. */
  visit(row: ItemRow): void {
    this.open(row);
    this.#visitor = row;
  }

  /** Goes back to the list, which takes the focus. */
  close(): void {
    this.#opened = null;
    this.#visitor = null;
    this.#shouldFocusList = true;
  }

  /** Whether the list should take the focus when it is next shown. */
  get shouldFocusList(): boolean {
    return this.#shouldFocusList;
  }

  /** The list has taken the focus. */
  takeListFocus(): void {
    this.#shouldFocusList = false;
  }

  /** The neighbour of the opened item among the results; null when there is none. */
  neighbourOfOpened(step: 1 | -1): ItemRef | null {
    return this.openedIndex < 0 ? null : (this.#shown.rows[this.openedIndex + step] ?? null);
  }

  /** Forgets what belongs to an earlier answer. Picked items stay: a person may gather them over several searches. */
  clear(): void {
    this.#hovered = null;
    this.#active = null;
    this.#opened = null;
    this.#visitor = null;
  }

  indexOf(ref: ItemRef | null): number {
    if (ref === null) return -1;
    return this.#shown.positionOf?.(ref) ?? this.#shown.rows.findIndex((row) => isSameItem(row, ref));
  }

  /** How many of these are picked. */
  countPickedIn(refs: readonly ItemRef[]): number {
    return this.#picked.countIn(refs);
  }
}
