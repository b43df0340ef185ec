import { bboxesIntersect, bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { MAX_LATITUDE, wrapLongitude } from '#shared/geo/mercator.ts';
import { uniteBboxes } from '#shared/geo/unite-bboxes.ts';

/** What a map shows, in degrees; longitudes may lie in any copy of the world. */
export interface ViewBounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The view within -180..180: west > east when it crosses the antimeridian, all of it when it shows a whole turn. */
export function toViewBbox({ west, south, east, north }: ViewBounds): Bbox {
  const bottom = Math.max(-MAX_LATITUDE, south);
  const top = Math.min(MAX_LATITUDE, north);
  if (east - west >= 360) return [-180, bottom, 180, top];
  return [wrapLongitude(west), bottom, wrapLongitude(east), top];
}

/** The box of a row: its own, or else its footprint's. */
export function boxOfRow({ bbox, footprint }: ItemRow): Bbox | null {
  return bbox ?? (footprint && bboxOfGeometry(footprint));
}

/** The box around rows when none of them is in view; null when one is, or none has a place. */
export function boxOutOfView(rows: readonly ItemRow[], view: Bbox): Bbox | null {
  const boxes = rows.map(boxOfRow).filter((box) => box !== null);
  return boxes.some((box) => bboxesIntersect(box, view)) ? null : uniteBboxes(boxes);
}
