import { AppError } from '#shared/errors/app-error.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import type { OrderOrigin } from '#shared/transfer/download-order.ts';
import type { CommandContext } from '../command-context.ts';
import type { OpenedQueue } from './open-queue.ts';
import { readItemLines } from './read-item-lines.ts';
import { sayCount } from './words.ts';

/** An Item of an order; as text, since thousands of them lie in memory together. */
export interface FoundItem {
  ref: ItemRef;
  /** Null: it is asked for. */
  text: string | null;
}

/** Where the Items of an order come from. */
export interface ItemSource {
  refs: readonly ItemRef[] | null;
  /** Name of a saved search; standard input where this and `refs` are null. */
  savedName: string | null;
  context: CommandContext;
}

const maxItems = 10_000;

/** The Items that were named, with what the order is made from. @throws AppError `saved.not-found`, `input.*`, as the catalog's */
export async function findItems(
  queue: OpenedQueue,
  { refs, savedName, context }: ItemSource,
): Promise<{ items: FoundItem[]; origin: OrderOrigin; title: string }> {
  if (refs !== null) {
    const items = refs.map((ref) => ({ ref, text: null }));
    const title = items.length === 1 ? (refs[0]?.itemId ?? '') : sayCount(items.length, 'item');
    return { items, origin: { kind: items.length === 1 ? 'item' : 'selection' }, title };
  }
  if (savedName === null) {
    const items = await collect(readItemLines(process.stdin));
    return { items, origin: { kind: 'selection' }, title: sayCount(items.length, 'item') };
  }
  const saved = queue.notebook.savedSearches.findByName(queue.namedId, savedName.trim());
  if (saved === null) {
    throw new AppError('saved.not-found', `There is no saved search named ${savedName}`, {
      details: { name: savedName },
    });
  }
  const items = await collect(search(queue, saved.question, context.signal));
  return { items, origin: { kind: 'saved-search', name: saved.name }, title: saved.name };
}

async function* search(
  queue: OpenedQueue,
  { query, localFilter, maxItems: most }: SavedQuestion,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedItem> {
  const { access } = await queue.catalogs.open(queue.namedId);
  // Whole Items: what was saved may have asked for what a list needs alone.
  const { fields: _, ...whole } = query;
  const pages = access.catalog.search(whole);
  let left = most ?? Infinity;
  while (left > 0) {
    const page = await pages.next({ signal });
    if (!page) return;
    for (const one of page.items) {
      if (left <= 0) return;
      if (!passesLocalFilter(cloudCoverOf(one.item), localFilter)) continue;
      left -= 1;
      yield one;
    }
  }
}

async function collect(items: AsyncIterable<IdentifiedItem>): Promise<FoundItem[]> {
  const found = new Map<string, FoundItem>();
  for await (const { ref, item, isPartial } of items) {
    // What was cut down to some fields may lack what a download needs.
    const isWhole = !isPartial && isJsonObject(item['assets']) && typeof item['type'] === 'string';
    found.set(JSON.stringify([ref.collectionId, ref.itemId]), {
      ref,
      text: isWhole ? JSON.stringify(item) : null,
    });
    if (found.size > maxItems) {
      const why = `one order takes at most ${maxItems} items`;
      throw new AppError('input.too-large', why, { details: { field: 'items', limit: maxItems, why } });
    }
  }
  if (found.size > 0) return [...found.values()];
  throw new AppError('input.invalid', 'There are no items', {
    details: { field: 'items', why: 'there are none' },
  });
}
