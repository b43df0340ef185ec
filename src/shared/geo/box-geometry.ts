import type { MultiPolygon, Polygon, Position } from 'geojson';
import { splitAtAntimeridian, type Bbox } from '../stac/bbox.ts';

/** West, south, east, north; or, with heights, west, south, lowest, east, north, highest. */
export type BoxNumbers =
  readonly [number, number, number, number] | readonly [number, number, number, number, number, number];

/** A box without its heights. */
export function flatBox(bbox: BoxNumbers): Bbox {
  if (bbox.length === 4) return bbox;
  const [west, south, , east, north] = bbox;
  return [west, south, east, north];
}

/** A box as a polygon, or as two when it crosses the antimeridian. */
export function geometryOfBox(bbox: Bbox): Polygon | MultiPolygon {
  const rings = splitAtAntimeridian(bbox).map(ringOf);
  const [first] = rings;
  return rings.length === 1 && first
    ? { type: 'Polygon', coordinates: [first] }
    : { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) };
}

// No side is half a turn long: a longer one would be read as going the other way around the globe.
function ringOf([west, south, east, north]: Bbox): Position[] {
  const steps = Math.max(1, Math.ceil((east - west) / 120));
  const longitudes = Array.from({ length: steps + 1 }, (_, step) => west + ((east - west) * step) / steps);
  const bottom = longitudes.map((longitude): Position => [longitude, south]);
  const top = longitudes.toReversed().map((longitude): Position => [longitude, north]);
  return [...bottom, ...top, [west, south]];
}
