import type { IdentifiedItem } from '#shared/stac/item.ts';

/** Which Items a library is filled with. */
export interface Filling {
  collectionId: string;
  from: number;
  count: number;
  fetchedAtMs: number;
}

/** The number of an Item in its collection tells its place: one degree of longitude each. */
export function anItem(collectionId: string, number: number): IdentifiedItem {
  const itemId = `${collectionId}-${String(number).padStart(6, '0')}`;
  const west = (number % 350) - 175;
  const south = Math.floor(number / 350) % 80;
  return {
    ref: { collectionId, itemId },
    item: {
      type: 'Feature',
      id: itemId,
      collection: collectionId,
      bbox: [west, south, west + 0.5, south + 0.5],
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [west + 0.5, south],
            [west + 0.5, south + 0.5],
            [west, south + 0.5],
            [west, south],
          ],
        ],
      },
      properties: {
        datetime: new Date(1_600_000_000_000 + number * 60_000).toISOString(),
        'eo:cloud_cover': number % 101,
        note: `${itemId} `.repeat(20),
      },
      assets: { visual: { href: `https://files.example/${itemId}.tif` } },
    },
  };
}

/** Items in a row, as a page of an answer. */
export function itemsOf({ collectionId, from, count }: Filling): IdentifiedItem[] {
  return Array.from({ length: count }, (_, index) => anItem(collectionId, from + index));
}
