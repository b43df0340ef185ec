import type { ItemRef } from '#shared/stac/item.ts';

/** A set of Items that answers at once, however many there are, and keeps the order in which they came. */
export class ItemSet {
  // Two levels spare joining two ids into a key for every row that is drawn or counted.
  readonly #byCollection = new Map<string, Map<string, ItemRef>>();
  readonly #inOrder = new Set<ItemRef>();

  get size(): number {
    return this.#inOrder.size;
  }

  has({ collectionId, itemId }: ItemRef): boolean {
    return this.#byCollection.get(collectionId)?.has(itemId) ?? false;
  }

  toArray(): ItemRef[] {
    return [...this.#inOrder];
  }

  /** Adds items; gives those that were not in the set before. */
  add(refs: Iterable<ItemRef>): ItemRef[] {
    const added: ItemRef[] = [];
    for (const { collectionId, itemId } of refs) {
      const items = this.#itemsOf(collectionId);
      if (items.has(itemId)) continue;
      const ref = { collectionId, itemId };
      items.set(itemId, ref);
      this.#inOrder.add(ref);
      added.push(ref);
    }
    return added;
  }

  remove(refs: Iterable<ItemRef>): void {
    for (const { collectionId, itemId } of refs) {
      const items = this.#byCollection.get(collectionId);
      const ref = items?.get(itemId);
      if (!items || !ref) continue;
      items.delete(itemId);
      this.#inOrder.delete(ref);
    }
  }

  clear(): void {
    this.#byCollection.clear();
    this.#inOrder.clear();
  }

  #itemsOf(collectionId: string): Map<string, ItemRef> {
    const known = this.#byCollection.get(collectionId);
    if (known) return known;
    const items = new Map<string, ItemRef>();
    this.#byCollection.set(collectionId, items);
    return items;
  }
}
