import type { Geometry, Position } from 'geojson';
import { forEachPosition } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';

/** Why the map can't show a row, in words; null when it can, by its footprint or by its box. */
export function explainNoPlace({ footprint, bbox }: ItemRow): string | null {
  const box = bbox && [
    [bbox[0], bbox[1]],
    [bbox[2], bbox[3]],
  ];
  if (footprint && hasPlace(footprint)) return null;
  if (box?.every(isPlace)) return null;
  return footprint || box
    ? 'Its coordinates are no place on Earth'
    : 'It came without a footprint and without a box';
}

function hasPlace(footprint: Geometry): boolean {
  let hasAny = false;
  forEachPosition(footprint, (position) => (hasAny ||= isPlace(position)));
  return hasAny;
}

function isPlace([longitude = NaN, latitude = NaN]: Position): boolean {
  return Math.abs(longitude) <= 720 && Math.abs(latitude) <= 90;
}
