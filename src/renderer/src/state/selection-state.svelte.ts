import type { ItemRef } from '#shared/stac/item.ts';
import { isSameItem } from './item-key.ts';
import type { SearchState } from './search-state.svelte.ts';

/** Which item the pointer is on, which one the keyboard is on, and which one is open. */
export class SelectionState {
  readonly #search: SearchState;
  #hovered = $state.raw<ItemRef | null>(null);
  #active = $state.raw<ItemRef | null>(null);
  #opened = $state.raw<ItemRef | null>(null);
  /** Items under the last click on the map when there were several. */
  #picked = $state.raw<readonly ItemRef[]>([]);
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

  get picked(): readonly ItemRef[] {
    return this.#picked;
  }

  hover(ref: ItemRef | null): void {
    if (!isSameItem(ref, this.#hovered)) this.#hovered = ref;
  }

  /** Puts the keyboard's mark on a row. */
  activate(ref: ItemRef | null): void {
    this.#active = ref;
  }

  /** Takes the footprints under a click: the first becomes active, and all are offered. */
  pick(refs: readonly ItemRef[]): void {
    this.#picked = refs;
    const [first] = refs;
    if (first) this.#active = first;
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
    this.#picked = [];
  }

  indexOf(ref: ItemRef | null): number {
    return ref === null ? -1 : this.#search.rows.findIndex((row) => isSameItem(row, ref));
  }
}
