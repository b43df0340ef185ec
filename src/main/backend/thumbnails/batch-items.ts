import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';

interface Waiting {
  ref: ItemRef;
  resolve: (item: StacItem | null) => void;
  reject: (reason: unknown) => void;
}

interface BatchOptions {
  ask: <Answer>(question: (catalog: CatalogClient) => Promise<Answer>) => Promise<Answer>;
  /** How long the first of a batch waits for others. */
  delayMs?: number;
  maxItems?: number;
}

/**
 * Finds Items with signed links; those that are asked for at about the same time, as a list does when it is shown,
 * with one search a collection instead of one request each. Null for an Item that the search doesn't give.
 */
export function createItemBatch({
  ask,
  delayMs = 15,
  maxItems = 50,
}: BatchOptions): (ref: ItemRef) => Promise<StacItem | null> {
  const batches = new Map<string, Waiting[]>();

  const send = async (collectionId: string, batch: readonly Waiting[]): Promise<void> => {
    batches.delete(collectionId);
    const ids = [...new Set(batch.map(({ ref }) => ref.itemId))];
    try {
      const query = { collections: [collectionId], ids, limit: ids.length };
      const page = await ask((catalog) => catalog.search(query, { links: 'signed' }).next());
      const items = new Map(page?.items.map(({ ref, item }) => [ref.itemId, item]));
      for (const { ref, resolve } of batch) resolve(items.get(ref.itemId) ?? null);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  };

  return (ref) =>
    new Promise((resolve, reject) => {
      const { collectionId } = ref;
      const batch = batches.get(collectionId) ?? [];
      batch.push({ ref, resolve, reject });
      if (batch.length === 1) {
        batches.set(collectionId, batch);
        setTimeout(() => batches.get(collectionId) === batch && void send(collectionId, batch), delayMs);
      }
      if (batch.length >= maxItems) void send(collectionId, batch);
    });
}
