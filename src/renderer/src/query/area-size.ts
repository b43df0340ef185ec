import type { Geometry, Position } from 'geojson';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';

const earthRadiusKm = 6371.0088;

/** Area on the sphere in km²; 0 for anything that is not a polygon. */
export function areaOfGeometry(geometry: Geometry): number {
  switch (geometry.type) {
    case 'Polygon':
      return areaOfPolygon(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.reduce((sum, polygon) => sum + areaOfPolygon(polygon), 0);
    case 'GeometryCollection':
      return geometry.geometries.reduce((sum, member) => sum + areaOfGeometry(member), 0);
    default:
      return 0;
  }
}

/** Area of a box in km². */
export function areaOfBbox(bbox: Bbox): number {
  return splitAtAntimeridian(bbox).reduce((sum, [west, south, east, north]) => {
    const heights = Math.sin(toRadians(north)) - Math.sin(toRadians(south));
    return sum + earthRadiusKm ** 2 * toRadians(east - west) * heights;
  }, 0);
}

/** Corners of a polygon or of several; closing positions are not counted. */
export function countVertices(geometry: Geometry): number {
  switch (geometry.type) {
    case 'Polygon':
      return geometry.coordinates.reduce((sum, ring) => sum + ring.length - 1, 0);
    case 'MultiPolygon':
      return geometry.coordinates.flat().reduce((sum, ring) => sum + ring.length - 1, 0);
    default:
      return 0;
  }
}

function areaOfPolygon(rings: readonly Position[][]): number {
  const [outer = [], ...holes] = rings;
  return areaOfRing(outer) - holes.reduce((sum, hole) => sum + areaOfRing(hole), 0);
}

// Chamberlain and Duquette, "Some algorithms for polygons on a sphere", JPL 2007, eq. 1, trapezoids to the equator.
function areaOfRing(ring: readonly Position[]): number {
  let sum = 0;
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [lon = 0, lat = 0] = ring[index] ?? [];
    const [nextLon = 0, nextLat = 0] = ring[index + 1] ?? [];
    sum += toRadians(nextLon - lon) * (2 + Math.sin(toRadians(lat)) + Math.sin(toRadians(nextLat)));
  }
  return Math.abs((sum * earthRadiusKm ** 2) / 2);
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
