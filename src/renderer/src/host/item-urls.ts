import type { ItemRef } from '#shared/stac/item.ts';

/** Address of an Item's picture on the window's own origin, where the program fetches and keeps it. */
export function thumbnailUrl(connectionId: string, { collectionId, itemId }: ItemRef): string {
  return `/_thumb/${[connectionId, collectionId, itemId].map(encodeURIComponent).join('/')}`;
}
