import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry } from 'geojson';
import { difference } from 'polyclip-ts';
import { toClipPolygon } from './dissolve.ts';
import { polygonsOf } from './polygons-of.ts';
import { bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from '../stac/bbox.ts';
import type { SearchQuery } from '../search/search-query.ts';

/** Part of an area that may stick out, by rounding alone. */
const maxRelativeRest = 1e-9;

type Place = Pick<SearchQuery, 'bbox' | 'intersects'>;

/**
 * Whether what a catalog finds in one place is sure to be among what it finds in another. A box is asked of an Item's
 * box and a shape of its outline, so that a box within a shape proves nothing. In doubt it says no.
 */
export function isWithinArea(inner: Place, outer: Place): boolean {
  const outerBox = toBbox(outer.bbox);
  const innerBox = toBbox(inner.bbox);
  if (outerBox) {
    const boxes = innerBox ? [innerBox] : boxesOf(inner.intersects);
    return boxes !== null && boxes.flatMap(splitAtAntimeridian).every((box) => isInBox(box, outerBox));
  }
  if (!outer.intersects) return true;
  if (!inner.intersects) return false;
  return isInShape(inner.intersects, outer.intersects);
}

function boxesOf(geometry: Geometry | undefined): Bbox[] | null {
  if (!geometry) return null;
  const parts: Geometry[] = polygonsOf(geometry).map((rings) => ({
    type: 'Polygon',
    coordinates: rings.map((ring) => [...ring]),
  }));
  const boxes = (parts.length > 0 && !hasOthers(geometry) ? parts : [geometry]).map(bboxOfGeometry);
  return boxes.every((box) => box !== null) ? boxes : null;
}

// Points and lines beside polygons are no polygons, and may lie outside of these.
function hasOthers(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.some(hasOthers);
  return polygonsOf(geometry).length === 0;
}

function isInBox([west, south, east, north]: Bbox, outer: Bbox): boolean {
  return splitAtAntimeridian(outer).some(
    ([w, s, e, n]) => w <= west && east <= e && s <= south && north <= n,
  );
}

function isInShape(inner: Geometry, outer: Geometry): boolean {
  if (JSON.stringify(inner) === JSON.stringify(outer)) return true;
  const [innerBox, outerBox] = [bboxOfGeometry(inner), bboxOfGeometry(outer)];
  if (!innerBox || !outerBox || !isInBox(innerBox, outerBox)) return false;
  if (inner.type === 'Point') return !hasOthers(outer) && booleanIntersects(inner, outer);
  if (hasOthers(inner) || hasOthers(outer)) return false;
  const [innerParts, outerParts] = [polygonsOf(inner), polygonsOf(outer)].map((parts) =>
    parts.map(toClipPolygon),
  );
  if (!innerParts || !outerParts) return false;
  try {
    return areaOf(difference(innerParts, outerParts)) <= maxRelativeRest * areaOf(innerParts);
  } catch {
    // Shapes that cross themselves are more than the clipping can judge.
    return false;
  }
}

// In square degrees, which compares one place with itself.
function areaOf(polygons: readonly (readonly (readonly (readonly number[])[])[])[]): number {
  return polygons.reduce((sum, [outer = [], ...holes]) => {
    return sum + ringArea(outer) - holes.reduce((taken, hole) => taken + ringArea(hole), 0);
  }, 0);
}

function ringArea(ring: readonly (readonly number[])[]): number {
  const sum = ring.reduce((total, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum) / 2;
}
