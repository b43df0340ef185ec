import type { MultiPolygon, Polygon, Position } from 'geojson';
import { clipRing } from './clip-ring.ts';
import { crossesItself } from './self-crossing.ts';
import { signedArea } from './rings.ts';

// 0.1 m on the ground: finer than anyone draws.
const DECIMALS = 6;

/**
 * A ring as drawn, perhaps in another copy of the world, as an area a catalog takes: within -180..180, cut in two where it
 * crosses the antimeridian, counterclockwise and closed (RFC 7946 §3.1.6, §3.1.9). Null when it has no area or crosses itself.
 */
export function normaliseAoi(drawn: readonly Position[]): Polygon | MultiPolygon | null {
  const corners = withoutRepeats(drawn);
  if (corners.length < 3 || crossesItself(corners, { isClosed: true })) return null;
  const longitudes = corners.map(([longitude]) => longitude);
  const west = Math.min(...longitudes);
  const shift = -360 * Math.floor((west + 180) / 360);
  const flat = corners.flatMap(([longitude, latitude]) => [longitude + shift, latitude]);
  const rings =
    Math.max(...longitudes) + shift <= 180 ? [flat] : [clipToWorld(flat, 0), clipToWorld(flat, 360)];
  const polygons = rings.map(toClosedRing).filter((ring) => ring !== null);
  const [first] = polygons;
  if (!first) return null;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: [first] }
    : { type: 'MultiPolygon', coordinates: polygons.map((ring) => [ring]) };
}

function withoutRepeats(positions: readonly Position[]): [number, number][] {
  const corners: [number, number][] = [];
  for (const [longitude = NaN, latitude = NaN] of positions) {
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) continue;
    const corner: [number, number] = [round(longitude), Math.max(-90, Math.min(90, round(latitude)))];
    if (!isSame(corner, corners.at(-1))) corners.push(corner);
  }
  while (corners.length > 1 && isSame(corners[0], corners.at(-1))) corners.pop();
  return corners;
}

function clipToWorld(flat: readonly number[], copy: number): number[] {
  const clipped = clipRing(flat, { minX: copy - 180, maxX: copy + 180, minY: -90, maxY: 90 });
  return Array.from(clipped, (value, i) => (i % 2 === 0 ? value - copy : value));
}

function toClosedRing(flat: readonly number[]): Position[] | null {
  const corners: Position[] = [];
  for (let i = 0; i < flat.length; i += 2) corners.push([round(flat[i] ?? 0), round(flat[i + 1] ?? 0)]);
  const area = signedArea(flat);
  const [first] = corners;
  if (!first || Math.abs(area) < 1e-10) return null;
  if (area < 0) corners.reverse();
  return [...corners, [...(corners[0] ?? first)]];
}

function round(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}

function isSame(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}
