import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson';
import { normaliseArea } from '#shared/geo/normalise-area.ts';
import { toCorners, turnOf } from '#shared/geo/open-ring.ts';
import { polygonsOf, type Rings } from '#shared/geo/polygons-of.ts';
import { hasLongSide } from '#shared/geo/unwrap-corners.ts';

/**
 * A footprint by RFC 7946: outer rings counterclockwise and holes clockwise (§3.1.6), cut at the antimeridian (§3.1.9).
 * Numbers stay as they are where nothing had to be cut.
 */
export function toRfc7946(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, coordinates: wrap(geometry.coordinates) };
    case 'MultiPoint':
      return { ...geometry, coordinates: geometry.coordinates.map(wrap) };
    case 'LineString':
      return toLines([geometry.coordinates]);
    case 'MultiLineString':
      return toLines(geometry.coordinates);
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map(toRfc7946) };
    default:
      return toPolygons(geometry);
  }
}

function toPolygons(geometry: Polygon | MultiPolygon): Geometry {
  const polygons = polygonsOf(geometry);
  if (polygons.some(needsCut)) return normaliseArea(polygons)?.geometry ?? geometry;
  const wound = polygons.map(windRings);
  return geometry.type === 'Polygon'
    ? { ...geometry, coordinates: wound[0] ?? [] }
    : { ...geometry, coordinates: wound };
}

function needsCut(rings: Rings): boolean {
  return rings.some(
    (ring) => ring.some(([longitude = 0]) => Math.abs(longitude) > 180) || hasLongSide(toCorners(ring)),
  );
}

function windRings(rings: Rings): Position[][] {
  return rings.map((ring, index) => {
    const turn = turnOf(ring);
    const isWrong = index === 0 ? turn < 0 : turn > 0;
    return isWrong ? [...ring].reverse() : [...ring];
  });
}

function toLines(lines: readonly Position[][]): Geometry {
  const parts = lines.flatMap(cutLine);
  const [first] = parts;
  return parts.length === 1 && first
    ? { type: 'LineString', coordinates: first }
    : { type: 'MultiLineString', coordinates: parts };
}

/** The parts of a line on either side of the antimeridian; each side of it goes the short way around. */
function cutLine(line: readonly Position[]): Position[][] {
  let part: Position[] = [];
  const parts: Position[][] = [part];
  let previous: Position | null = null;
  for (const position of line.map(wrap)) {
    const crossing = previous && findCrossing(previous, position);
    if (crossing) {
      part.push(crossing.before);
      part = [crossing.after];
      parts.push(part);
    }
    part.push(position);
    previous = position;
  }
  // A line that ends at ±180 leaves a part of one place.
  return parts.filter(({ length }) => length > 1);
}

function findCrossing(from: Position, to: Position): { before: Position; after: Position } | null {
  const [west = 0, fromLatitude = 0] = from;
  const [east = 0, toLatitude = 0] = to;
  if (Math.abs(east - west) <= 180) return null;
  const edge = west > 0 ? 180 : -180;
  const span = 360 - Math.abs(east - west);
  const along = span === 0 ? 0 : (edge - west) / (edge > 0 ? span : -span);
  const latitude = fromLatitude + (toLatitude - fromLatitude) * along;
  return { before: [edge, latitude], after: [-edge, latitude] };
}

function wrap(position: Position): Position {
  const [longitude = 0, ...others] = position;
  if (Math.abs(longitude) <= 180) return position;
  return [((((longitude + 180) % 360) + 360) % 360) - 180, ...others];
}
