import type { Geometry, Position } from 'geojson';

/**
 * A point of the plane in which areas are measured: Lambert's cylindrical equal-area projection, x the longitude in
 * radians, y the sine of the latitude. Equal areas of the globe are equal areas here wherever they lie, the antimeridian
 * is no edge (x goes on beyond it), boxes of degrees stay boxes, and a pole is the edge of the plane.
 */
export type PlanePoint = [x: number, y: number];
export type PlaneRing = PlanePoint[];
/** The outline first, then its holes. */
export type PlanePolygon = PlaneRing[];

/** How positions between those given are meant. */
export type EdgeMeaning =
  /** As the catalog takes a question's area (RFC 7946 §3.1.1): straight in degrees, longitudes as written. */
  | 'as-written'
  /** As a satellite sees: the short way round, and along a great circle where degrees say little, near a pole. */
  | 'on-the-globe';

const degree = Math.PI / 180;
/** Where straight in degrees and straight on the globe begin to differ by more than a pixel does. */
const highLatitude = 60;
/** Edges longer than this get points between, one for each step. */
const stepDegrees = 1;

/** The polygons of a geometry in the plane; none for points and lines, and where a coordinate is no place on Earth. */
export function toPlane(geometry: Geometry, meaning: EdgeMeaning): PlanePolygon[] {
  switch (geometry.type) {
    case 'Polygon':
      return toPolygons([geometry.coordinates], meaning);
    case 'MultiPolygon':
      return toPolygons(geometry.coordinates, meaning);
    case 'GeometryCollection':
      return geometry.geometries.flatMap((member) => toPlane(member, meaning));
    default:
      return [];
  }
}

function toPolygons(polygons: readonly Position[][][], meaning: EdgeMeaning): PlanePolygon[] {
  return polygons.flatMap((rings) => {
    const plane = rings.map((ring) => toRing(ring, meaning));
    const [outline, ...holes] = plane;
    if (!outline) return [];
    return [[outline, ...holes.filter((hole) => hole !== null).map((hole) => moveNear(hole, outline))]];
  });
}

function toRing(positions: readonly Position[], meaning: EdgeMeaning): PlaneRing | null {
  if (!positions.every(isPlace)) return null;
  const places = positions.map(([longitude = 0, latitude = 0]): [number, number] => [longitude, latitude]);
  const [first] = places;
  const last = places.at(-1);
  if (!first || !last || places.length < 3) return null;
  if (first[0] !== last[0] || first[1] !== last[1]) places.push([...first]);
  const ring = meaning === 'as-written' ? places : unwrap(places);
  const dense = isBox(ring) ? ring : addPoints(ring, meaning);
  return dense.map(([longitude, latitude]) => [longitude * degree, Math.sin(latitude * degree)]);
}

/** Four sides along parallels and meridians: meant as that, however long they are. */
function isBox(ring: readonly [number, number][]): boolean {
  if (ring.length !== 5) return false;
  return ring.every(([x, y], index) => {
    const next = ring[index + 1];
    return !next || next[0] === x || next[1] === y;
  });
}

function isPlace([longitude = NaN, latitude = NaN]: Position): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 720;
}

/** Lets longitudes go on beyond ±180 instead of jumping, and closes a ring around a pole along the edge of the plane. */
function unwrap(places: readonly [number, number][]): [number, number][] {
  // The frame of the whole world goes from one edge to the other; nothing of it crosses.
  if (places.every(([longitude]) => Math.abs(longitude) === 180)) return [...places];
  const ring: [number, number][] = [];
  let shift = 0;
  for (const [index, [longitude, latitude]] of places.entries()) {
    const previous = places[index - 1];
    if (previous) shift -= 360 * Math.round((longitude - previous[0]) / 360);
    ring.push([longitude + shift, latitude]);
  }
  const [start, end] = [ring[0], ring.at(-1)];
  if (start && end && Math.abs(end[0] - start[0]) > 180) {
    const pole = ring.reduce((sum, [, latitude]) => sum + latitude, 0) >= 0 ? 90 : -90;
    ring.push([end[0], pole], [start[0], pole], [start[0], start[1]]);
  }
  return ring;
}

function addPoints(ring: readonly [number, number][], meaning: EdgeMeaning): [number, number][] {
  return ring.flatMap((to, index) => {
    const from = ring[index - 1];
    if (!from) return [to];
    const [wide, high] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    const isPolar = Math.abs(from[1]) === 90 || Math.abs(to[1]) === 90;
    if (wide === 0 || isPolar) return [to];
    const isGreatCircle =
      meaning === 'on-the-globe' && wide < 180 && Math.max(Math.abs(from[1]), Math.abs(to[1])) > highLatitude;
    const steps = Math.ceil((isGreatCircle ? Math.max(wide, high) : high) / stepDegrees);
    const between = Array.from({ length: Math.max(0, steps - 1) }, (_, step): [number, number] => {
      const part = (step + 1) / steps;
      if (isGreatCircle) return onGreatCircle(from, to, part);
      return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    });
    return [...between, to];
  });
}

/** The point at a part of the shortest way between two. */
function onGreatCircle(from: [number, number], to: [number, number], part: number): [number, number] {
  const [a, b] = [toVector(from), toVector(to)];
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
  if (angle === 0) return to;
  const [wa, wb] = [Math.sin((1 - part) * angle), Math.sin(part * angle)];
  const [x, y, z] = [a[0] * wa + b[0] * wb, a[1] * wa + b[1] * wb, a[2] * wa + b[2] * wb];
  const longitude = Math.atan2(y, x) / degree;
  const turn = 360 * Math.round((from[0] - longitude) / 360);
  return [longitude + turn, Math.atan2(z, Math.hypot(x, y)) / degree];
}

function toVector([longitude, latitude]: [number, number]): [number, number, number] {
  const [x, y] = [longitude * degree, latitude * degree];
  return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
}

/** A hole may be written in another turn of the world than its outline. */
function moveNear(hole: PlaneRing, outline: PlaneRing): PlaneRing {
  const turn = 2 * Math.PI;
  const shift = turn * Math.round((middleX(outline) - middleX(hole)) / turn);
  return shift === 0 ? hole : hole.map(([x, y]) => [x + shift, y]);
}

function middleX(ring: PlaneRing): number {
  let min = Infinity;
  let max = -Infinity;
  for (const [x] of ring) {
    if (x < min) min = x;
    if (x > max) max = x;
  }
  return (min + max) / 2;
}
