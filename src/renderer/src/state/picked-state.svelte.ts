import type { ItemRef } from '#shared/stac/item.ts';
import { ItemSet } from './item-set.ts';

/** The picked items. */
export class PickedState {
  // One signal for the whole set, which is wrapped anew when it changes: 100,000 picks at once would otherwise be as
  // many signals, or a copy of the set for each pick.
  #held = $state.raw({ items: new ItemSet() });

  /** In the order of picking. */
  readonly refs: readonly ItemRef[] = $derived(this.#held.items.toArray());

  get count(): number {
    return this.#held.items.size;
  }

  has(ref: ItemRef): boolean {
    return this.#held.items.has(ref);
  }

  /** How many of these are picked. */
  countIn(refs: readonly ItemRef[]): number {
    const { items } = this.#held;
    return items.size === 0 ? 0 : refs.reduce((count, ref) => (items.has(ref) ? count + 1 : count), 0);
  }

  /** Picks items; gives those that were not picked before. */
  add(refs: Iterable<ItemRef>): ItemRef[] {
    return this.#change((items) => items.add(refs));
  }

  remove(refs: Iterable<ItemRef>): void {
    this.#change((items) => items.remove(refs));
  }

  clear(): void {
    this.#change((items) => items.clear());
  }

  #change<Result>(change: (items: ItemSet) => Result): Result {
    const { items } = this.#held;
    const before = items.size;
    const result = change(items);
    if (items.size !== before) this.#held = { items };
    return result;
  }
}
