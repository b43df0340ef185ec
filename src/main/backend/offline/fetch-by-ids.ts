import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Connection } from '../connection/connection.ts';

/** Items asked for with one request: their ids fit into any server's limits. */
const itemsPerRequest = 100;

/** Whole Items, many with one request. Those that the catalog doesn't give are left out. @throws AppError as `ask` */
export async function fetchByIds(
  connection: Connection,
  refs: readonly ItemRef[],
  signal: AbortSignal,
): Promise<IdentifiedItem[]> {
  const found: IdentifiedItem[] = [];
  for (const [collectionId, some] of Map.groupBy(refs, (ref) => ref.collectionId)) {
    for (let start = 0; start < some.length; start += itemsPerRequest) {
      const ids = some.slice(start, start + itemsPerRequest).map(({ itemId }) => itemId);
      found.push(...(await fetchSome(connection, { collectionId, ids }, signal)));
    }
  }
  return found;
}

async function fetchSome(
  connection: Connection,
  { collectionId, ids }: { collectionId: string; ids: string[] },
  signal: AbortSignal,
): Promise<IdentifiedItem[]> {
  const wanted = new Set(ids);
  const found: IdentifiedItem[] = [];
  await connection.ask(async (catalog) => {
    const pages = catalog.search({ collections: [collectionId], ids, limit: ids.length });
    let isUseful = true;
    while (isUseful && pages.hasMore && found.length < wanted.size) {
      const countBefore = found.length;
      const page = await pages.next({ signal });
      found.push(...(page?.items.filter(({ ref }) => wanted.has(ref.itemId)) ?? []));
      // A server that doesn't know `ids` would give its whole archive.
      isUseful = found.length > countBefore;
    }
  });
  return found;
}
