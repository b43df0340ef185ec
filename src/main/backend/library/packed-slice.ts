import { deserialize, serialize } from 'node:v8';
import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';
import type { ItemSlice, SliceShape } from './item-slice.ts';
import { createShape } from './shape/item-shape.ts';
import { readDifference } from './shape/shape-difference.ts';

/**
 * A slice as bytes. Made slice by slice, so that no task has to make thousands of Items ready for the other thread at
 * once; and while it waits there is nothing in it that a garbage collection has to look at.
 */
export interface PackedSlice {
  itemCount: number;
  bytes: Uint8Array;
  /** Beside them, because the other thread is told of each but once. */
  shapes: SliceShape[];
}

/** Packs a slice. */
export function packSlice({ shapes, ...slice }: ItemSlice): PackedSlice {
  return { itemCount: slice.itemIds.length, bytes: toShared(serialize(slice)), shapes };
}

// Other threads see it as well: to copy many at once, when they are handed over, would hold the event loop up.
function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** Reads what `packSlice` made. */
export function unpackSlice({ bytes, shapes }: PackedSlice): ItemSlice {
  return { ...(deserialize(bytes) as Omit<ItemSlice, 'shapes'>), shapes };
}

/** One Item of a slice, with all its shapes, as it will be kept. */
export function readPacked(packed: PackedSlice, index: number): IdentifiedItem {
  const { collectionIds, itemIds, bytes, ends, shapeNumbers } = unpackSlice(packed);
  const ref = { collectionId: collectionIds[index] ?? '', itemId: itemIds[index] ?? '' };
  const own = Buffer.from(bytes.subarray(ends[index - 1] ?? 0, ends[index]));
  const shape = packed.shapes.find(({ number }) => number === shapeNumbers[index]);
  const item: unknown = shape
    ? readDifference(createShape(JSON.parse(shape.json)), own)
    : JSON.parse(own.toString());
  const partial = shapeNumbers[index] === -1 ? { isPartial: true } : {};
  return { ref, item: item as StacItem, ...partial };
}
