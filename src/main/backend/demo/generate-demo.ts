import type { StacCollection } from '#shared/stac/collection.ts';
import { timeOf, type IdentifiedItem } from '#shared/stac/item.ts';
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
    const optical = sensor.take({ ...wish, room });
    // In the polar night, and before a satellite flew, radar stands in, so that no place goes without.
    const [first, ...rest] = optical.length > 0 ? optical : sentinel1.take({ ...wish, room });
    if (first === undefined) continue;
    const scene = identifyScene(first);
    // A second wish may come upon a scene that was made before: no satellite takes one twice.
    if (known.has(scene)) continue;
    known.add(scene);
    yield first;
    yield* rest;
    made += 1 + rest.length;
  }
}

/** 53 bits of what makes a scene, its place and its minute: a number in a set costs a tenth of a text. */
function identifyScene({ ref, item }: IdentifiedItem): number {
  const { datetimeMicros } = timeOf(item);
  const text = JSON.stringify([ref.collectionId, item['bbox'], Math.floor((datetimeMicros ?? 0) / 60e6)]);
  return hashText(text) * 2 ** 21 + (hashText(text, 1) >>> 11);
}
