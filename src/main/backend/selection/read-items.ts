import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';

/** An Item, or why it can't be had. */
export type ItemReadout = { ref: ItemRef; item: IdentifiedItem['item'] } | { ref: ItemRef; error: AppError };

/** Items that are read in one task, so that the event loop is free again within a frame. */
const itemsPerSlice = 50;
/** Items asked for with one request: their ids fit into any server's limits. */
const itemsPerRequest = 100;
const requestsAtOnce = 4;

/** What reading needs. */
export interface ReadOptions {
  source: Pick<OpenCatalog, 'connection' | 'library'>;
  /** Given what came from the catalog, to keep it. */
  keep: (items: readonly IdentifiedItem[]) => Promise<void>;
  onRead: (readout: readonly ItemReadout[]) => void;
  signal: AbortSignal;
}

/**
 * Reads whole Items: from the library those that it has, from the catalog, many with one request, the others. Each is
 * given to `onRead` once, with its error where it can't be had. Ends early when the signal aborts.
 */
export async function readItems(refs: readonly ItemRef[], options: ReadOptions): Promise<void> {
  const { source, onRead, signal } = options;
  const missing = new Map<string, ItemRef[]>();
  for (let start = 0; start < refs.length && !signal.aborted; start += itemsPerSlice) {
    if (start > 0) await yieldToOthers();
    const found: ItemReadout[] = [];
    for (const ref of refs.slice(start, start + itemsPerSlice)) {
      const kept = source.library.item(ref)?.value;
      if (kept && !kept.isPartial) found.push({ ref, item: kept.item });
      else addTo(missing, ref);
    }
    onRead(found);
  }
  const batches = [...missing].flatMap(([collectionId, some]) =>
    Array.from({ length: Math.ceil(some.length / itemsPerRequest) }, (_, index) => ({
      collectionId,
      refs: some.slice(index * itemsPerRequest, (index + 1) * itemsPerRequest),
    })),
  );
  const work = async (): Promise<void> => {
    for (let batch = batches.shift(); batch && !signal.aborted; batch = batches.shift()) {
      onRead(await askFor(batch, options));
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}

function addTo(missing: Map<string, ItemRef[]>, ref: ItemRef): void {
  const others = missing.get(ref.collectionId);
  if (others) others.push(ref);
  else missing.set(ref.collectionId, [ref]);
}

interface Batch {
  collectionId: string;
  refs: readonly ItemRef[];
}

async function askFor({ collectionId, refs }: Batch, options: ReadOptions): Promise<ItemReadout[]> {
  const { source, keep, signal } = options;
  const wanted = new Set(refs.map(({ itemId }) => itemId));
  const found = new Map<string, IdentifiedItem>();
  let failure: AppError | null = null;
  try {
    await source.connection.ask(async (catalog) => {
      const ids = [...wanted];
      const pages = catalog.search({ collections: [collectionId], ids, limit: ids.length });
      let isUseful = true;
      while (isUseful && pages.hasMore && found.size < ids.length) {
        const countBefore = found.size;
        const page = await pages.next({ signal });
        for (const one of page?.items ?? []) if (wanted.has(one.ref.itemId)) found.set(one.ref.itemId, one);
        // A server that doesn't know `ids` would give its whole archive.
        isUseful = found.size > countBefore;
      }
    });
    await keep([...found.values()]);
  } catch (thrown) {
    failure = toAppError(thrown);
  }
  return refs.map((ref) => {
    const item = found.get(ref.itemId)?.item;
    return item ? { ref, item } : { ref, error: failure ?? notFound(ref) };
  });
}

function notFound({ collectionId, itemId }: ItemRef): AppError {
  return new AppError('stac.item-not-found', `There is no item ${itemId} in ${collectionId}`, {
    details: { collectionId, itemId },
  });
}
