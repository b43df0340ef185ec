import type { IdentifiedItem } from '#shared/stac/item.ts';

export const benchCollectionId = 'bench';

// Over Europe and its neighbours: one view of the window shows them all, many to a place, as years of a mission lie.
const region = { west: -15, south: 36, width: 60, height: 30 };
// Coordinates as catalogs send them, not round ones.
const digits = 13;

/** A slanted scene of about a hundred kilometres, the same for the same number. */
export function benchItem(number: number): IdentifiedItem {
  const west = region.west + fraction(number, 0.754877666) * region.width;
  const south = region.south + fraction(number, 0.569840291) * region.height;
  const lean = 0.2 + fraction(number, 0.38) * 0.15;
  const ring = [
    [west, south],
    [west + 1.3, south - lean],
    [west + 1.5, south + 0.9 - lean],
    [west + 0.2, south + 0.9],
    [west, south],
  ].map(([x = 0, y = 0]) => [Number(x.toFixed(digits)), Number(y.toFixed(digits))]);
  const id = `BENCH_${String(number).padStart(6, '0')}_${((number * 7919) % 1e6).toString(36)}`;
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    collection: benchCollectionId,
    bbox: [west, south - lean, west + 1.5, south + 0.9],
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: {
      datetime: new Date(1.7e12 + number * 60_000).toISOString(),
      'eo:cloud_cover': (number * 31) % 100,
      platform: 'bench-1',
    },
    assets: {},
    links: [],
  };
  return { ref: { collectionId: benchCollectionId, itemId: id }, item };
}

/** Items 0 to `count`. */
export function benchItems(count: number): IdentifiedItem[] {
  return Array.from({ length: count }, (_, number) => benchItem(number));
}

// Spreads evenly whatever the count: the additive sequence of an irrational number.
function fraction(number: number, step: number): number {
  return (number * step) % 1;
}
