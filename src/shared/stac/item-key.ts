import type { ItemRef } from './item.ts';

/** One text for one Item. Collection ids can't hold a line break in a URL; item ids may hold anything else. */
export function toItemKey({ collectionId, itemId }: ItemRef): string {
  return `${collectionId}\n${itemId}`;
}

/** Whether two references name the same Item. */
export function isSameItem(a: ItemRef | null, b: ItemRef | null): boolean {
  if (a === null || b === null) return a === b;
  return a.collectionId === b.collectionId && a.itemId === b.itemId;
}
