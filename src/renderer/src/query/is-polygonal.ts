import type { Geometry, MultiPolygon, Polygon } from 'geojson';

/** Whether a geometry has an inside. */
export function isPolygonal(geometry: Geometry): geometry is Polygon | MultiPolygon {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}
