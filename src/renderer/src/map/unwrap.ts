import type { Position } from 'geojson';
import { MAX_LATITUDE } from '#shared/geo/mercator.ts';

/**
 * A ring or line whose longitudes go on beyond ±180 instead of jumping where it crosses the antimeridian. Positions that
 * are no place (NaN, a latitude beyond ±90, an absurd longitude) are left out. A ring around a pole is closed along the
 * map's edge.
 */
export function unwrapPositions(positions: readonly Position[]): [longitude: number, latitude: number][] {
  const places = positions.filter((position): position is [number, number] => isPlace(position));
  const unwrapped: [number, number][] = [];
  // The frame of the whole world goes from one edge to the other; nothing of it crosses.
  const isWorldFrame = places.every(([longitude]) => Math.abs(longitude) === 180);
  let previous: number | null = null;
  let shift = 0;
  for (const [longitude, latitude] of places) {
    if (previous !== null && !isWorldFrame) shift -= 360 * Math.round((longitude - previous) / 360);
    previous = longitude;
    unwrapped.push([longitude + shift, latitude]);
  }
  closeAroundPole(unwrapped);
  return unwrapped;
}

/** Whether a ring can be taken as it is: every position a place, no jump, not around a pole. Most are. */
export function isPlain(positions: readonly Position[]): boolean {
  let previous: number | null = null;
  for (const [longitude = NaN, latitude = NaN] of positions) {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 720)) return false;
    if (previous !== null && Math.abs(longitude - previous) > 180) return false;
    previous = longitude;
  }
  const [first, last] = [positions[0]?.[0] ?? 0, positions.at(-1)?.[0] ?? 0];
  return Math.abs(first - last) < 180;
}

function isPlace([longitude = NaN, latitude = NaN]: Position): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 720;
}

/** A closed ring that ends a world away from where it began has gone around a pole. */
function closeAroundPole(ring: [number, number][]): void {
  const first = ring[0];
  const last = ring.at(-1);
  if (!first || !last || ring.length < 4) return;
  const turned = Math.abs(last[0] - first[0]);
  if (Math.abs(turned - 360) > 1e-6 || Math.abs(last[1] - first[1]) > 1e-6) return;
  const meanLatitude = ring.reduce((sum, [, latitude]) => sum + latitude, 0) / ring.length;
  const edge = meanLatitude >= 0 ? MAX_LATITUDE : -MAX_LATITUDE;
  ring.push([last[0], edge], [first[0], edge], [first[0], first[1]]);
}
