import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry } from 'geojson';
import { bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { footprintOf } from '#shared/stac/item.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { ItemTest, SqlCondition } from './condition.ts';

/** More parts than this are searched by the one box around them all. */
const maxBoxes = 16;

/** The spatial part of a query: boxes that find candidates fast, and what decides for good. */
export interface Area {
  /** None for a geometry without positions, which nothing can touch. */
  boxes: readonly Bbox[];
  /** Exact for `bbox`; for `intersects` a prefilter before `test`. */
  condition: SqlCondition;
  /** True geometry intersection; null where the boxes decide alone. */
  test: ItemTest | null;
}

/**
 * Reads `bbox`, which is matched against the Item's bbox, or `intersects`, matched against its geometry
 * (catalog-service.md §4.6). Null when the query names no area.
 */
export function readArea(query: SearchQuery): Area | null {
  const bbox = toBbox(query.bbox);
  if (bbox) {
    const boxes = splitAtAntimeridian(bbox);
    return { boxes, condition: touchesAny(boxes), test: null };
  }
  if (!query.intersects) return null;
  const geometry = query.intersects as Geometry;
  const boxes = boxesOf(geometry);
  return {
    boxes,
    condition: touchesAny(boxes),
    test: createIntersectionTest(geometry),
  };
}

/** Candidates by the R*Tree. Its boxes are 32-bit and rounded outwards, so `condition` still has to be asked. */
export function selectCandidates(boxes: readonly Bbox[]): { sql: string; parameters: number[] } {
  const one =
    'SELECT abs(id) AS pk FROM item_box WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?';
  return {
    sql: boxes.map(() => one).join(' UNION '),
    parameters: boxes.flatMap(([west, south, east, north]) => [east, west, north, south]),
  };
}

function createIntersectionTest(geometry: Geometry): ItemTest {
  return (_collectionPk, item) => {
    const footprint = footprintOf(item);
    return footprint !== null && booleanIntersects(footprint, geometry);
  };
}

function boxesOf(geometry: Geometry): Bbox[] {
  const parts: Geometry[] =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
      : [geometry];
  const boxes = (parts.length <= maxBoxes ? parts : [geometry]).map(bboxOfGeometry);
  return boxes.filter((box) => box !== null);
}

function touchesAny(boxes: readonly Bbox[]): SqlCondition {
  return {
    sql: `(${boxes.map(() => touchesOne).join(' OR ')})`,
    parameters: boxes.flatMap(([west, south, east, north]) => [north, south, east, west, east, west]),
  };
}

// An Item's box with west > east crosses the antimeridian: it reaches from west to 180 and from -180 to east.
const touchesOne = `(item.south <= ? AND item.north >= ? AND CASE WHEN item.west <= item.east
  THEN item.west <= ? AND item.east >= ? ELSE item.west <= ? OR item.east >= ? END)`;
