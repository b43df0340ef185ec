import { roundDegrees } from '#shared/geo/open-ring.ts';
import type { Bbox } from '#shared/stac/bbox.ts';

// A degree of latitude on the mean sphere.
const kmPerDegree = 111.195;

/** The box with sides of `sideKm` around a point; west > east across the antimeridian, all longitudes at a pole. */
export function boxAroundPoint(longitude: number, latitude: number, sideKm: number): Bbox {
  const halfHeight = sideKm / 2 / kmPerDegree;
  const [south, north] = [Math.max(-90, latitude - halfHeight), Math.min(90, latitude + halfHeight)];
  const halfWidth = halfHeight / Math.cos((latitude * Math.PI) / 180);
  if (halfWidth >= 180 || south === -90 || north === 90)
    return [-180, roundDegrees(south), 180, roundDegrees(north)];
  return [
    roundDegrees(bringHome(longitude - halfWidth)),
    roundDegrees(south),
    roundDegrees(bringHome(longitude + halfWidth)),
    roundDegrees(north),
  ];
}

function bringHome(longitude: number): number {
  if (longitude < -180) return longitude + 360;
  return longitude > 180 ? longitude - 360 : longitude;
}
