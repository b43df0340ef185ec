import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson';

/** The rings of one polygon: the outer one, then its holes. */
export type Rings = readonly (readonly Position[])[];

/** The polygons of a geometry, those in collections too; none for points and lines. */
export function polygonsOf(geometry: Geometry): readonly Rings[] {
  switch (geometry.type) {
    case 'Polygon':
      return [geometry.coordinates];
    case 'MultiPolygon':
      return geometry.coordinates;
    case 'GeometryCollection':
      return geometry.geometries.flatMap(polygonsOf);
    default:
      return [];
  }
}

/** One polygon, or several as one geometry; null for none. */
export function toPolygonGeometry(polygons: readonly Rings[]): Polygon | MultiPolygon | null {
  const [first] = polygons;
  if (!first) return null;
  const coordinates = polygons.map((rings) => rings.map((ring) => [...ring]));
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0] ?? [] }
    : { type: 'MultiPolygon', coordinates };
}

/** Positions of a geometry; of a ring's two equal ends one counts. */
export function countVertices(geometry: Geometry): number {
  switch (geometry.type) {
    case 'Point':
      return 1;
    case 'MultiPoint':
    case 'LineString':
      return geometry.coordinates.length;
    case 'MultiLineString':
      return geometry.coordinates.reduce((sum, line) => sum + line.length, 0);
    default:
      return polygonsOf(geometry)
        .flat()
        .reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0);
  }
}
