import type { Position } from 'geojson';
import { roundDegrees } from '#shared/geo/open-ring.ts';
import type { Bbox } from '#shared/stac/bbox.ts';

/** The smallest box around positions; west > east where it is smaller across the antimeridian. */
export function boxAround(positions: readonly Position[]): Bbox {
  let [south, north] = [Infinity, -Infinity];
  const longitudes: number[] = [];
  for (const [longitude = 0, latitude = 0] of positions) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    longitudes.push(longitude === 180 ? 180 : ((((longitude + 180) % 360) + 360) % 360) - 180);
  }
  longitudes.sort((a, b) => a - b);
  const [first = 0, last = 0] = [longitudes[0], longitudes.at(-1)];
  // Leaves out the widest gap: by default the one from the last to the first, across the antimeridian.
  let widest = { gap: first + 360 - last, west: first, east: last };
  longitudes.forEach((longitude, index) => {
    const before = longitudes[index - 1] ?? longitude;
    if (longitude - before > widest.gap) widest = { gap: longitude - before, west: longitude, east: before };
  });
  return [roundDegrees(widest.west), roundDegrees(south), roundDegrees(widest.east), roundDegrees(north)];
}
