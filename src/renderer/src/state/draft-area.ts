import type { Geometry } from 'geojson';
import { flatBox, geometryOfBox, type BoxNumbers } from '#shared/geo/box-geometry.ts';
import { placeOfBox, type QueryPlace } from '#shared/geo/place-in-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { geometrySchema } from '#shared/stac/geometry.ts';

/** Where the geometry of an area came from. */
export type AreaOrigin = 'rectangle' | 'polygon' | 'typed' | 'file' | 'saved' | 'json';

/** Where to look. `view` follows the map until the search is made. */
export type DraftArea =
  | { kind: 'everywhere' }
  | { kind: 'view' }
  | { kind: 'box'; bbox: BoxNumbers; name?: string | null }
  | { kind: 'shape'; geometry: Geometry; origin: AreaOrigin; name: string | null };

/** An area as members of the request; nothing for everywhere, and for a view before there is a map. */
export function toPlace(area: DraftArea, view: Bbox | null): QueryPlace {
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

// About a metre; a view's further digits mean nothing and make the request hard to read.
function roundBbox([west, south, east, north]: Bbox): Bbox {
  return [roundDegrees(west), roundDegrees(south), roundDegrees(east), roundDegrees(north)];
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
