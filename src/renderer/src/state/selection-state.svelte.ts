import type { ItemRef } from '#shared/stac/item.ts';
import { isSameItem } from './item-key.ts';
import type { SearchState } from './search-state.svelte.ts';

/** Which item the pointer is on, which one the keyboard is on, and which one is open. */
export class SelectionState {
  readonly #search: SearchState;
  #hovered = $state.raw<ItemRef | null>(null);
  #active = $state.raw<ItemRef | null>(null);
  #opened = $state.raw<ItemRef | null>(null);
  #shouldFocusList = $state(false);

  /** Place of the opened item among the results; -1 when it is not among them. */
  readonly openedIndex = $derived(this.indexOf(this.#opened));
  /** Place of the active row; -1 when there is none. */
  readonly activeIndex = $derived(this.indexOf(this.#active));

  constructor(search: SearchState) {
    this.#search = search;
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
    this.#active = ref;
  }

  /** Takes the footprints under a click on the map; clicking again goes through those that lie over each other. */
  pick(refs: readonly ItemRef[]): void {
    const current = refs.findIndex((ref) => isSameItem(ref, this.#active));
    const next = refs[(current + 1) % Math.max(1, refs.length)];
    if (next) this.#active = next;
  }

  open(ref: ItemRef): void {
    this.#opened = ref;
    this.#active = ref;
  }

  /** Goes back to the list, which takes the focus. */
  close(): void {
    this.#opened = null;
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
    return this.openedIndex < 0 ? null : (this.#search.rows[this.openedIndex + step] ?? null);
  }

  /** Forgets what belongs to an earlier answer. */
  clear(): void {
    this.#hovered = null;
    this.#active = null;
    this.#opened = null;
  }

  indexOf(ref: ItemRef | null): number {
    return ref === null ? -1 : this.#search.rows.findIndex((row) => isSameItem(row, ref));
  }
}
