import type { Geometry, Position } from 'geojson';

/**
 * A geometry as the test for intersection takes it: rings closed that a sender left open, and no position of a line
 * repeated, since a side without a length would be met by all that has the same longitude.
 */
export function toPlainGeometry(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(closeRing) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(closeRing)) };
    case 'LineString':
      return toPlainLine(geometry.coordinates);
    case 'MultiLineString':
      return { type: 'GeometryCollection', geometries: geometry.coordinates.map(toPlainLine) };
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map(toPlainGeometry) };
    default:
      return geometry;
  }
}

function closeRing(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || isSame(first, last)) return ring;
  return [...ring, first];
}

function toPlainLine(line: readonly Position[]): Geometry {
  const coordinates = line.filter((position, index) => {
    const before = line[index - 1];
    return !before || !isSame(before, position);
  });
  const [first] = coordinates;
  return first && coordinates.length === 1
    ? { type: 'Point', coordinates: first }
    : { type: 'LineString', coordinates };
}

function isSame([x, y]: Position, [otherX, otherY]: Position): boolean {
  return x === otherX && y === otherY;
}
