import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { demoCollections } from './collections/catalog.ts';
import { sentinel1 } from './collections/sentinel-1.ts';
import { hashText } from './random.ts';
import { wishes } from './wishes.ts';

/** A generated catalog. */
export interface Demo {
  collections: StacCollection[];
  /** Makes the items one by one, in no order. Every call begins anew and gives the same. */
  items: () => Generator<IdentifiedItem>;
}

/** The demo catalog of a seed: the same seed and count give the same items. Exactly `itemCount` of them, any number. */
export function generateDemo({ seed, itemCount }: { seed: number; itemCount: number }): Demo {
  return { collections: demoCollections(), items: () => makeItems(seed, itemCount) };
}

function* makeItems(seed: number, itemCount: number): Generator<IdentifiedItem> {
  let made = 0;
  const known = new Set<number>();
  for (const { sensor, ...wish } of wishes(seed)) {
    const room = itemCount - made;
    if (room <= 0) return;
    // In the polar night, and before a satellite flew, radar stands in, so that no place goes without.
    const [first, ...rest] =
      pickNew(sensor.take({ ...wish, room })) ?? pickNew(sentinel1.take({ ...wish, room })) ?? [];
    if (first === undefined) continue;
    yield first;
    yield* rest;
    made += 1 + rest.length;
  }

  /** Null when there is nothing, or the first item was made before: a second wish may come upon the same scene. */
  function pickNew(items: readonly IdentifiedItem[]): readonly IdentifiedItem[] | null {
    const [first] = items;
    if (first === undefined) return null;
    const key = identify(first);
    if (known.has(key)) return null;
    known.add(key);
    return items;
  }
}

/** 53 bits of an item's identity: a number in a set costs a tenth of a text. */
function identify({ ref }: IdentifiedItem): number {
  const text = `${ref.collectionId}/${ref.itemId}`;
  return hashText(text) * 2 ** 21 + (hashText(text, 1) >>> 11);
}
