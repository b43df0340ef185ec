import { AppError } from '#shared/errors/app-error.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { maxGatheredItems, type GatheredItem } from '#shared/transfer/gathered-item.ts';
import type { OrderedItem } from '../../downloads/downloads.ts';

/** Items that a command has gathered for an order, each once. */
export interface Basket {
  readonly itemCount: number;
  /** @throws AppError `input.too-large` */
  add(item: GatheredItem): void;
  /** Unpacked one by one. @throws AppError `input.invalid` */
  unpack(wanted: readonly string[] | AssetRule): Iterable<OrderedItem>;
}

// In UTF-16 units; 10,000 Items of 50 kB, which few catalogs have.
const maxLength = 512 * 1024 * 1024;

/** An empty basket. It is gone with the command that it is for. */
export function createBasket(): Basket {
  const items = new Map<string, GatheredItem>();
  let length = 0;
  return {
    get itemCount() {
      return items.size;
    },
    add(item) {
      const key = toItemKey(item.ref);
      length += (item.text?.length ?? 0) - (items.get(key)?.text?.length ?? 0);
      items.set(key, item);
      if (items.size > maxGatheredItems) throw tooLarge(maxGatheredItems, `${maxGatheredItems} items`);
      if (length > maxLength) throw tooLarge(maxLength, 'items of half a gigabyte');
    },
    *unpack(wanted) {
      for (const { ref, text } of items.values()) {
        yield { ref, item: text === null ? null : { ...parse(text), id: ref.itemId }, wanted };
      }
    },
  };
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new AppError('input.invalid', 'An item is no JSON object', {
    details: { field: 'items', why: 'one is no JSON object' },
  });
}

function tooLarge(limit: number, words: string): AppError {
  const why = `one order takes at most ${words}`;
  return new AppError('input.too-large', why, { details: { field: 'items', limit, why } });
}
