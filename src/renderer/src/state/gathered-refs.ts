import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';

/** Items that something is to be asked of, each once on every occasion. It has no signals: it is changed while rows are drawn. */
export class GatheredRefs {
  readonly #occasions = new Map<string, string>();
  #wanted: ItemRef[] = [];

  /** Whether it is the first that is wanted since they were taken. */
  want({ collectionId, itemId }: ItemRef, occasion: string): boolean {
    const key = toItemKey({ collectionId, itemId });
    if (this.#occasions.get(key) === occasion) return false;
    this.#occasions.set(key, occasion);
    return this.#wanted.push({ collectionId, itemId }) === 1;
  }

  take(): ItemRef[] {
    return this.#wanted.splice(0);
  }

  /** Another catalog's Items are wanted from now on. */
  forget(): void {
    this.#occasions.clear();
    this.#wanted = [];
  }

  /** These were not answered, and may be wanted again. */
  giveBack(refs: readonly ItemRef[]): void {
    for (const ref of refs) this.#occasions.delete(toItemKey(ref));
  }
}
