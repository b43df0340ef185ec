import type { AssetRule } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { OrderedItem } from '../downloads/downloads.ts';
import { readItems, type ReadOptions } from './read-items.ts';

/** Items that are read with one call, so that few lie in memory together. */
const itemsPerCall = 400;

/** Items of an order, in the order of their names: from the library, or asked for where it doesn't have them. */
export async function* readOrderedItems(
  refs: readonly ItemRef[],
  rule: AssetRule,
  options: Omit<ReadOptions, 'onRead'>,
): AsyncGenerator<OrderedItem> {
  for (let start = 0; start < refs.length; start += itemsPerCall) {
    const some = refs.slice(start, start + itemsPerCall);
    const found = new Map<string, OrderedItem>();
    await readItems(some, {
      ...options,
      onRead: (readouts) => {
        for (const readout of readouts) {
          const { ref } = readout;
          const ordered: OrderedItem =
            'item' in readout
              ? { ref, item: readout.item, wanted: rule }
              : { ref, item: null, error: readout.error, wanted: rule };
          found.set(toKey(ref), ordered);
        }
      },
    });
    for (const ref of some) {
      const ordered = found.get(toKey(ref));
      if (ordered) yield ordered;
    }
  }
}

function toKey({ collectionId, itemId }: ItemRef): string {
  return JSON.stringify([collectionId, itemId]);
}
