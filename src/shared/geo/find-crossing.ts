import type { Geometry, Position } from 'geojson';
import { toCorners } from './open-ring.ts';
import { polygonsOf } from './polygons-of.ts';
import { meet, sidesOf, type Side } from './ring-sides.ts';

/** Where an outline crosses or touches itself, or another ring of its polygon crosses it; null when none does. */
export function findCrossing(geometry: Geometry): Position | null {
  for (const rings of polygonsOf(geometry)) {
    const place = findAmong(rings.flatMap((ring, index) => sidesOf(toCorners(ring), index)));
    if (place) return place;
  }
  return null;
}

/** The same for the corners of a line, or of the ring that it closes to. */
export function findCrossingOfLine(
  corners: readonly Position[],
  { isClosed }: { isClosed: boolean },
): Position | null {
  const sides = sidesOf(corners, 0);
  return findAmong(isClosed ? sides : sides.slice(0, -1));
}

/** Sides that meet share a strip of latitudes; within one they come from west to east, and few lie side by side. */
function findAmong(sides: readonly Side[]): Position | null {
  for (const strip of toStrips(sides)) {
    strip.sort((a, b) => a.minX - b.minX);
    for (const [index, side] of strip.entries()) {
      const place = findAfter(strip, index, side);
      if (place) return place;
    }
  }
  return null;
}

function findAfter(strip: readonly Side[], index: number, side: Side): Position | null {
  for (let next = index + 1; next < strip.length; next += 1) {
    const other = strip[next];
    if (!other || other.minX > side.maxX) return null;
    if (other.minY > side.maxY || other.maxY < side.minY) continue;
    const place = meet(side, other);
    if (place) return place;
  }
  return null;
}

function toStrips(sides: readonly Side[]): Side[][] {
  let [south, north] = [Infinity, -Infinity];
  for (const { minY, maxY } of sides) {
    south = Math.min(south, minY);
    north = Math.max(north, maxY);
  }
  const count = Math.ceil(Math.sqrt(sides.length));
  const strips = Array.from({ length: count }, (): Side[] => []);
  const stripOf = (y: number): number =>
    north === south ? 0 : Math.min(count - 1, Math.floor(((y - south) / (north - south)) * count));
  for (const side of sides) {
    for (let strip = stripOf(side.minY); strip <= stripOf(side.maxY); strip += 1) strips[strip]?.push(side);
  }
  return strips;
}
