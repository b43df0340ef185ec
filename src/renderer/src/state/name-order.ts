import type { ItemRef } from '#shared/stac/item.ts';
import { formatPlural } from '../format/format-number.ts';

/** What an order of these items is called unless a person calls it otherwise: `12 items of Sentinel-2 L2A`. */
export function nameOrder(refs: readonly ItemRef[], titleOf: (collectionId: string) => string): string {
  const [first] = refs;
  if (refs.length === 1 && first) return first.itemId;
  const items = formatPlural(refs.length, 'item');
  const isOfOne =
    first !== undefined && refs.every(({ collectionId }) => collectionId === first.collectionId);
  return isOfOne ? `${items} of ${titleOf(first.collectionId)}` : items;
}
