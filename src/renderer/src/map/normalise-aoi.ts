import type { MultiPolygon, Polygon, Position } from 'geojson';
import { findCrossing } from '#shared/geo/find-crossing.ts';
import { normaliseArea } from '#shared/geo/normalise-area.ts';

/**
 * A ring as drawn, perhaps in another copy of the world, as an area a catalog takes (see `normaliseArea`). Null when it
 * has no area or crosses itself.
 */
export function normaliseAoi(drawn: readonly Position[]): Polygon | MultiPolygon | null {
  const area = normaliseArea([[drawn]], { isContinuous: true });
  return area && !findCrossing(area.geometry) ? area.geometry : null;
}
