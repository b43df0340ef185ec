import type { Geometry, Position } from 'geojson';

/** West, south, east, north in degrees. West > east means that it crosses the antimeridian. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** Servers send 4 or 6 numbers (with heights); the heights are dropped. Null when it is neither. */
export function toBbox(numbers: unknown): Bbox | null {
  if (
    !Array.isArray(numbers) ||
    !numbers.every((n): n is number => typeof n === 'number' && Number.isFinite(n))
  ) {
    return null;
  }
  const [a, b, c, d, e, f] = numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  if (numbers.length === 4) return [a, b, c, d];
  return numbers.length === 6 && e !== undefined && f !== undefined ? [a, b, d, e] : null;
}

/** The smallest box around a geometry, or null for one without positions. Doesn't look for antimeridian crossings. */
export function bboxOfGeometry(geometry: Geometry): Bbox | null {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  forEachPosition(geometry, ([lon = NaN, lat = NaN]) => {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  });
  return Number.isFinite(west + south + east + north) ? [west, south, east, north] : null;
}

/**
 * A box that crosses the antimeridian as its two halves; any other box as itself. Of one that ends beyond ±180 degrees,
 * as some servers send, only what is on the map.
 */
export function splitAtAntimeridian(bbox: Bbox): readonly Bbox[] {
  const [west, south, east, north] = bbox;
  if (west <= east) return [bbox];
  const halves: Bbox[] = [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
  const real = halves.filter((half) => half[0] <= half[2]);
  return real.length > 0 ? real : [[-180, south, 180, north]];
}

/** Whether two boxes share a point; edges count. Boxes may cross the antimeridian. */
export function bboxesIntersect(a: Bbox, b: Bbox): boolean {
  return splitAtAntimeridian(a).some((p) =>
    splitAtAntimeridian(b).some((q) => p[0] <= q[2] && q[0] <= p[2] && p[1] <= q[3] && q[1] <= p[3]),
  );
}

/** Calls back with every position of a geometry, collections included. */
export function forEachPosition(geometry: Geometry, visit: (position: Position) => void): void {
  if (geometry.type === 'GeometryCollection') {
    for (const member of geometry.geometries) forEachPosition(member, visit);
    return;
  }
  visitNested(geometry.coordinates, visit);
}

type NestedPositions = Position | NestedPositions[];

function visitNested(nested: NestedPositions, visit: (position: Position) => void): void {
  if (isPosition(nested)) visit(nested);
  else for (const member of nested) visitNested(member, visit);
}

function isPosition(nested: NestedPositions): nested is Position {
  return nested.length > 0 && typeof nested[0] === 'number';
}
