import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import type { TileAddress } from './tile-set.ts';

/** Tiles of one zoom, from the north-western to the south-eastern, both included. */
export interface TileRange {
  from: TileAddress;
  to: TileAddress;
}

/** The tiles of a zoom that touch an area, within the bounds of a basemap; none where they lie apart. */
export function rangesAt(z: number, { bbox, bounds }: { bbox: Bbox; bounds: Bbox | null }): TileRange[] {
  return splitAtAntimeridian(bbox).flatMap((box) => {
    const [west, south, east, north] = bounds ? overlapOf(box, bounds) : box;
    if (west > east || south > north) return [];
    return [{ from: { z, ...placeAt(z, west, north) }, to: { z, ...placeAt(z, east, south) } }];
  });
}

/** How many tiles there are in ranges. */
export function countTiles(ranges: readonly TileRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + (to.x - from.x + 1) * (to.y - from.y + 1), 0);
}

/** Their addresses, column by column. */
export function* addressesIn(ranges: readonly TileRange[]): Generator<TileAddress> {
  for (const { from, to } of ranges) {
    for (let x = from.x; x <= to.x; x++) for (let y = from.y; y <= to.y; y++) yield { z: from.z, x, y };
  }
}

function overlapOf(a: Bbox, b: Bbox): Bbox {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function placeAt(z: number, longitude: number, latitude: number): { x: number; y: number } {
  const clamp = (part: number): number => Math.max(0, Math.min(2 ** z - 1, Math.floor(part * 2 ** z)));
  return { x: clamp(toWorldX(longitude)), y: clamp(toWorldY(latitude)) };
}
