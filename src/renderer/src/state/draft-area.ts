import type { Geometry } from 'geojson';
import { flatBox, geometryOfBox, type BoxNumbers } from '#shared/geo/box-geometry.ts';
import { polygonsOf } from '#shared/geo/polygons-of.ts';
import { placeOfBox, type QueryPlace } from '#shared/geo/place-in-query.ts';
import { uniteBboxes } from '#shared/geo/unite-bboxes.ts';
import { bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';
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

/** The geometry of an area, of the view only where that is given; null where it has none. */
export function geometryOfArea(area: DraftArea, view: Bbox | null = null): Geometry | null {
  if (area.kind === 'shape') return area.geometry;
  if (area.kind === 'box') return geometryOfBox(flatBox(area.bbox));
  return area.kind === 'view' && view ? geometryOfBox(roundBbox(view)) : null;
}

/** The box around an area, west > east across the antimeridian; null for the view and for everywhere. */
export function boxOfArea(area: DraftArea): Bbox | null {
  if (area.kind === 'box') return flatBox(area.bbox);
  if (area.kind !== 'shape') return null;
  const parts = polygonsOf(area.geometry).map((rings) =>
    bboxOfGeometry({ type: 'Polygon', coordinates: rings.map((ring) => [...ring]) }),
  );
  return uniteBboxes(parts.filter((box) => box !== null)) ?? bboxOfGeometry(area.geometry);
}

// About a metre; a view's further digits mean nothing and make the request hard to read.
function roundBbox([west, south, east, north]: Bbox): Bbox {
  return [roundDegrees(west), roundDegrees(south), roundDegrees(east), roundDegrees(north)];
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
