import type { Geometry, Position } from 'geojson';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import { geometrySchema } from '#shared/stac/geometry.ts';

/** Where the geometry of an area came from. */
export type AreaOrigin = 'rectangle' | 'polygon' | 'typed' | 'file' | 'saved' | 'json';

/** West, south, east, north; or, with heights, west, south, lowest, east, north, highest. */
export type BoxNumbers =
  readonly [number, number, number, number] | readonly [number, number, number, number, number, number];

/** Where to look. `view` follows the map until the search is made. */
export type DraftArea =
  | { kind: 'everywhere' }
  | { kind: 'view' }
  | { kind: 'box'; bbox: BoxNumbers; name?: string | null }
  | { kind: 'shape'; geometry: Geometry; origin: AreaOrigin; name: string | null };

/** An area as members of the request; nothing for everywhere, and for a view before there is a map. */
export function toPlace(area: DraftArea, view: Bbox | null): Pick<SearchQuery, 'bbox' | 'intersects'> {
  switch (area.kind) {
    case 'everywhere':
      return {};
    case 'view':
      return view ? placeOfBox(roundBbox(view)) : {};
    case 'box':
      return placeOfBox(area.bbox);
    case 'shape':
      return { intersects: geometrySchema.parse(area.geometry) };
  }
}

/** What the map shows of an area; null where there is nothing of its own to show. */
export function geometryOfArea(area: DraftArea): Geometry | null {
  if (area.kind === 'shape') return area.geometry;
  return area.kind === 'box' ? geometryOfBox(flatBox(area.bbox)) : null;
}

/** A box without its heights. */
export function flatBox(bbox: BoxNumbers): Bbox {
  if (bbox.length === 4) return bbox;
  const [west, south, , east, north] = bbox;
  return [west, south, east, north];
}

/** A box as a polygon, or as two when it crosses the antimeridian. */
export function geometryOfBox(bbox: Bbox): Geometry {
  const rings = splitAtAntimeridian(bbox).map(ringOf);
  const [first] = rings;
  return rings.length === 1 && first
    ? { type: 'Polygon', coordinates: [first] }
    : { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) };
}

// Servers read a box with west > east as one around the other side of the globe (field notes §2).
function placeOfBox(bbox: BoxNumbers): Pick<SearchQuery, 'bbox' | 'intersects'> {
  const flat = flatBox(bbox);
  return flat[0] > flat[2]
    ? { intersects: geometrySchema.parse(geometryOfBox(flat)) }
    : { bbox: [...bbox] as NonNullable<SearchQuery['bbox']> };
}

// About a metre; a view's further digits mean nothing and make the request hard to read.
function roundBbox([west, south, east, north]: Bbox): Bbox {
  return [roundDegrees(west), roundDegrees(south), roundDegrees(east), roundDegrees(north)];
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

// No side is half a turn long: a longer one would be read as going the other way around the globe.
function ringOf([west, south, east, north]: Bbox): Position[] {
  const steps = Math.max(1, Math.ceil((east - west) / 120));
  const longitudes = Array.from({ length: steps + 1 }, (_, step) => west + ((east - west) * step) / steps);
  const bottom = longitudes.map((longitude): Position => [longitude, south]);
  const top = longitudes.toReversed().map((longitude): Position => [longitude, north]);
  return [...bottom, ...top, [west, south]];
}
