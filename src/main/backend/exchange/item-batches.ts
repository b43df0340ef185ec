import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { passesLocalFilter, type LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import type { Library, PagePosition } from '../library/library.ts';
import { readItems } from '../selection/read-items.ts';

/** Items unpacked and handed over in one task, so that the event loop is free again within a frame. */
const itemsPerBatch = 40;

/** What could not be had whole. */
export interface Shortfall {
  missingCount: number;
  partialCount: number;
}

interface RefOptions {
  source: Pick<OpenCatalog, 'connection' | 'library'>;
  /** Given what came from the catalog, to keep it. */
  keep: (items: readonly IdentifiedItem[]) => Promise<void>;
  /** Counted up. */
  shortfall: Shortfall;
  signal: AbortSignal;
}

/**
 * Items by their names, in that order: from the library, and those that it doesn't have whole from the catalog, as long
 * as that answers.
 */
export async function* itemsByRef(
  refs: Iterable<ItemRef>,
  options: RefOptions,
): AsyncGenerator<IdentifiedItem[]> {
  let isCatalogAway = false;
  for (const batch of inBatches(refs)) {
    options.signal.throwIfAborted();
    await yieldToOthers();
    const found = findKept(batch, options.source.library);
    const lacking = batch.filter((_, index) => found[index]?.isPartial !== false);
    const fetched: Fetched | null =
      isCatalogAway || lacking.length === 0 ? null : await fetch(lacking, options);
    isCatalogAway ||= fetched?.isAway ?? false;
    yield batch.flatMap((ref, index) => {
      const kept = found[index];
      const item = fetched?.items.get(ref) ?? kept?.one;
      if (!item) options.shortfall.missingCount += 1;
      else if (kept?.isPartial && item === kept.one) options.shortfall.partialCount += 1;
      return item ?? [];
    });
  }
}

/** All that a library has to a question, in the question's order. */
export async function* itemsByQuery(
  query: SearchQuery,
  { library, signal }: { library: Library; signal: AbortSignal },
): AsyncGenerator<IdentifiedItem[]> {
  await library.settle();
  let after: PagePosition | null = null;
  do {
    const page = await library.engine.search(query, { limit: itemsPerBatch, after, signal });
    yield page.items;
    after = page.next;
  } while (after);
}

/** The names of what a past search brought, in its order; read as they are asked for. */
export function* refsOfRun(searchNumber: number, library: Library): Generator<ItemRef> {
  let from = 0;
  for (;;) {
    const page = library.runs.items(searchNumber, { from, limit: itemsPerBatch });
    for (const { ref } of page) yield ref;
    if (page.length < itemsPerBatch) return;
    from = (page.at(-1)?.position ?? from) + 1;
  }
}

/** Those that a search's own filter leaves. */
export async function* passing(
  batches: AsyncIterable<IdentifiedItem[]>,
  filter: LocalFilter | null,
): AsyncGenerator<IdentifiedItem[]> {
  for await (const items of batches) {
    yield items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), filter));
  }
}

interface KeptItem {
  one: IdentifiedItem;
  isPartial: boolean;
}

function findKept(refs: readonly ItemRef[], library: Library): (KeptItem | null)[] {
  return refs.map((ref) => {
    const one = library.item(ref)?.value;
    return one ? { one, isPartial: one.isPartial ?? false } : null;
  });
}

interface Fetched {
  items: ReadonlyMap<ItemRef, IdentifiedItem>;
  isAway: boolean;
}

async function fetch(refs: readonly ItemRef[], { source, keep, signal }: RefOptions): Promise<Fetched> {
  const items = new Map<ItemRef, IdentifiedItem>();
  let isAway = false;
  await readItems(refs, {
    source,
    keep,
    signal,
    onRead: (readouts) => {
      for (const readout of readouts) {
        if ('item' in readout) items.set(readout.ref, { ref: readout.ref, item: readout.item });
        else isAway ||= readout.error.code.startsWith('network.');
      }
    },
  });
  return { items, isAway };
}

function* inBatches(refs: Iterable<ItemRef>): Generator<ItemRef[]> {
  let batch: ItemRef[] = [];
  for (const ref of refs) {
    batch.push(ref);
    if (batch.length < itemsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
