import { area as areaOnSphere } from '@turf/area';
import type { Geometry } from 'geojson';
import { splitAtAntimeridian, type Bbox } from '../stac/bbox.ts';

// Mean radius of WGS 84, the one that @turf/area takes.
const earthRadiusKm = 6371.0088;

/** Area on the sphere in km², holes left out; 0 for points and lines. */
export function areaKm2OfGeometry(geometry: Geometry): number {
  return areaOnSphere(geometry) / 1e6;
}

/** Area of a box in km²; it may cross the antimeridian. */
export function areaKm2OfBbox(bbox: Bbox): number {
  return splitAtAntimeridian(bbox).reduce((sum, [west, south, east, north]) => {
    const heights = Math.sin(toRadians(north)) - Math.sin(toRadians(south));
    return sum + earthRadiusKm ** 2 * toRadians(east - west) * heights;
  }, 0);
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
