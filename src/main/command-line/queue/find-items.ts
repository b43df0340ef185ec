import { AppError } from '#shared/errors/app-error.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { OrderOrigin } from '#shared/transfer/download-order.ts';
import {
  maxGatheredItems,
  maxGatheredLength,
  toGatheredItem,
  type GatheredItem,
} from '#shared/transfer/gathered-item.ts';
import type { CommandContext } from '../command-context.ts';
import type { OpenedQueue } from './open-queue.ts';
import { readItemLines } from './read-item-lines.ts';
import { sayCount } from './words.ts';

/** Where the Items of an order come from: a saved search, or these, which this command knows. */
export type ItemSource = { savedName: string } | { items: readonly GatheredItem[]; isNamed: boolean };

/** What an order is made from. */
export interface FoundItems {
  origin: OrderOrigin;
  title: string;
}

// Of one message, in UTF-16 units.
const lengthAtOnce = 4 * 1024 * 1024;

/** Items by their names. */
export function nameItems(refs: readonly ItemRef[]): ItemSource {
  return { items: refs.map((ref) => ({ ref, text: null })), isNamed: true };
}

/**
 * The Items on standard input, read to its end: whoever writes them may need long, and nobody is to wait for the queue
 * meanwhile.
 * @throws AppError `input.invalid`, `input.too-large`
 */
export async function readItems(): Promise<ItemSource> {
  const found = new Map<string, GatheredItem>();
  for await (const one of readItemLines(process.stdin)) {
    const item = toGatheredItem(one);
    if ((item.text?.length ?? 0) > maxGatheredLength) throw tooLarge('an item is too large');
    found.set(toItemKey(item.ref), item);
    if (found.size > maxGatheredItems) throw tooLarge(`one order takes at most ${maxGatheredItems} items`);
  }
  return { items: [...found.values()], isNamed: false };
}

/** Gathers the Items for an order. @throws AppError `input.invalid`, `saved.not-found`, as the catalog's */
export async function gatherItems(
  { orders, connectionId }: OpenedQueue,
  source: ItemSource,
  { signal }: CommandContext,
): Promise<FoundItems> {
  if ('savedName' in source) {
    const { itemCount, name } = await orders.gatherSaved(
      { connectionId, name: source.savedName },
      { signal },
    );
    if (itemCount === 0) throw none();
    return { origin: { kind: 'saved-search', name }, title: name };
  }
  const { items, isNamed } = source;
  if (items.length === 0) throw none();
  for (const some of inMessages(items)) await orders.gather({ items: some }, { signal });
  const isOne = isNamed && items.length === 1;
  return {
    origin: { kind: isOne ? 'item' : 'selection' },
    title: (isOne ? items[0]?.ref.itemId : null) ?? sayCount(items.length, 'item'),
  };
}

function* inMessages(items: readonly GatheredItem[]): Generator<GatheredItem[]> {
  let some: GatheredItem[] = [];
  let length = 0;
  for (const item of items) {
    some.push(item);
    length += item.text?.length ?? 0;
    if (length < lengthAtOnce && some.length < 1000) continue;
    yield some;
    [some, length] = [[], 0];
  }
  if (some.length > 0) yield some;
}

function none(): AppError {
  return new AppError('input.invalid', 'There are no items', {
    details: { field: 'items', why: 'there are none' },
  });
}

function tooLarge(why: string): AppError {
  return new AppError('input.too-large', why, { details: { field: 'items', why } });
}
