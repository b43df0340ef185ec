import type { ItemRef } from '#shared/stac/item.ts';

/** One text for one Item. Ids may hold slashes, so a character that no id holds parts them. */
export function toItemKey({ collectionId, itemId }: ItemRef): string {
  return `${collectionId}\n${itemId}`;
}

/** Whether two references name the same Item. */
export function isSameItem(a: ItemRef | null, b: ItemRef | null): boolean {
  if (a === null || b === null) return a === b;
  return a.collectionId === b.collectionId && a.itemId === b.itemId;
}
