import type { RasterFrame } from '../files/raster-frame.ts';
import { landRings, type LandRing } from '../geo/land.ts';
import { fromUtm, toUtm, zoneOfEpsg } from '../geo/utm.ts';

interface Window {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Which pixels of a raster are land by the real coastlines: 1 land, 0 sea. */
export function drawLand(frame: RasterFrame): Uint8Array {
  const land = new Uint8Array(frame.columns * frame.rows);
  const crossings: number[][] = Array.from({ length: frame.rows }, () => []);
  const window = windowOf(frame);
  const toPixel = pixelWriter(frame);
  // A raster beyond the antimeridian meets the coastlines of the other side one turn on.
  for (const turn of [0, -360, 360]) {
    for (const ring of landRings()) {
      if (!overlaps(ring, turn, window)) continue;
      addRing(crossings, clipRing(ring, turn, window), toPixel);
    }
  }
  crossings.forEach((columns, row) => {
    columns.sort((a, b) => a - b);
    for (let i = 0; i + 1 < columns.length; i += 2) {
      const from = Math.max(0, Math.ceil((columns[i] ?? 0) - 0.5));
      const to = Math.min(frame.columns, Math.ceil((columns[i + 1] ?? 0) - 0.5));
      if (to > from) land.fill(1, row * frame.columns + from, row * frame.columns + to);
    }
  });
  return land;
}

/** Degrees around the raster, with room for its bent edges. */
function windowOf(frame: RasterFrame): Window {
  const zone = zoneOfEpsg(frame.epsg);
  const right = frame.left + frame.columns * frame.pixelSize;
  const bottom = frame.top - frame.rows * frame.pixelSize;
  const corners = [
    [frame.left, frame.top],
    [right, frame.top],
    [right, bottom],
    [frame.left, bottom],
  ].map(([x = 0, y = 0]) => (zone ? fromUtm(zone, x, y) : [x, y]));
  const lons = corners.map(([lon = 0]) => lon);
  const lats = corners.map(([, lat = 0]) => lat);
  return {
    west: Math.min(...lons) - 0.6,
    east: Math.max(...lons) + 0.6,
    south: Math.min(...lats) - 0.3,
    north: Math.max(...lats) + 0.3,
  };
}

function overlaps(ring: LandRing, turn: number, window: Window): boolean {
  return (
    ring.west + turn <= window.east &&
    ring.east + turn >= window.west &&
    ring.south <= window.north &&
    ring.north >= window.south
  );
}

/**
 * Draws the vertices outside of the window to its border. The result encloses the same part of the window, and runs
 * of far vertices become single ones: a continent has tens of thousands.
 */
function clipRing(ring: LandRing, turn: number, window: Window): number[] {
  let points = clipSide(ring.positions, { axis: 1, limit: window.south, sign: 1 });
  points = clipSide(points, { axis: 1, limit: window.north, sign: -1 });
  points = clipSide(points, { axis: 0, limit: window.west - turn, sign: 1 });
  points = clipSide(points, { axis: 0, limit: window.east - turn, sign: -1 });
  return turn === 0 ? points : points.map((value, i) => (i % 2 === 0 ? value + turn : value));
}

/** Keeps where `sign * (coordinate - limit)` is not negative (Sutherland and Hodgman). */
function clipSide(
  points: ArrayLike<number>,
  { axis, limit, sign }: { axis: 0 | 1; limit: number; sign: 1 | -1 },
): number[] {
  const kept: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const before = i === 0 ? points.length - 2 : i - 2;
    const here = sign * ((points[i + axis] as number) - limit);
    const there = sign * ((points[before + axis] as number) - limit);
    const x1 = points[before] as number;
    const y1 = points[before + 1] as number;
    const x2 = points[i] as number;
    const y2 = points[i + 1] as number;
    if (here >= 0 !== there >= 0) {
      const share = there / (there - here);
      kept.push(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share);
    }
    if (here >= 0) kept.push(x2, y2);
  }
  return kept;
}

function addRing(
  crossings: number[][],
  ring: readonly number[],
  toPixel: (lon: number, lat: number) => readonly [number, number],
): void {
  if (ring.length < 6) return;
  let [x1, y1] = toPixel(ring[ring.length - 2] ?? 0, ring[ring.length - 1] ?? 0);
  for (let i = 0; i < ring.length; i += 2) {
    const [x2, y2] = toPixel(ring[i] ?? 0, ring[i + 1] ?? 0);
    const first = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5));
    const last = Math.min(crossings.length - 1, Math.ceil(Math.max(y1, y2) - 0.5) - 1);
    for (let row = first; row <= last; row += 1) {
      crossings[row]?.push(x1 + ((x2 - x1) * (row + 0.5 - y1)) / (y2 - y1));
    }
    [x1, y1] = [x2, y2];
  }
}

function pixelWriter(frame: RasterFrame): (lon: number, lat: number) => readonly [number, number] {
  const zone = zoneOfEpsg(frame.epsg);
  return (lon, lat) => {
    const [x, y] = zone ? toUtm(zone, lon, lat) : [lon, lat];
    return [(x - frame.left) / frame.pixelSize, (frame.top - y) / frame.pixelSize];
  };
}
