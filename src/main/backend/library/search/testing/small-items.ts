import type { IdentifiedItem } from '#shared/stac/item.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

/** The ring of a box. */
export function box([west, south, east, north]: Box): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** An Item on one degree, with members and properties of its own. */
export function anItem(
  id: string,
  members: Record<string, unknown> = {},
  properties: Record<string, unknown> = {},
): IdentifiedItem {
  const item = {
    type: 'Feature',
    id,
    collection: 'optical',
    bbox: [0, 0, 1, 1],
    geometry: { type: 'Polygon', coordinates: [box([0, 0, 1, 1])] },
    properties: { datetime: '2026-01-01T00:00:00Z', ...properties },
    ...members,
  };
  return { ref: { collectionId: item.collection, itemId: id }, item };
}
