import type { Corner } from './open-ring.ts';

/** A ring that goes on beyond ±180 instead of jumping, and what that showed. */
export interface UnwrappedRing {
  corners: Corner[];
  /** Whether it goes once around the globe, so that a pole lies in it. */
  isAroundPole: boolean;
}

/**
 * Takes each side the short way around the globe. A ring that ends a turn away from where it began goes around a pole
 * and is closed along it: the pole of the hemisphere that most of its corners lie in.
 */
export function unwrapCorners(corners: readonly Corner[]): UnwrappedRing {
  // The frame of the whole world goes from one edge to the other; no side of it jumps.
  if (corners.every(([longitude]) => Math.abs(longitude) === 180)) {
    return { corners: [...corners], isAroundPole: false };
  }
  const unwrapped: Corner[] = [];
  let previous: Corner | null = null;
  let shift = 0;
  for (const corner of corners) {
    if (previous) shift += shiftBetween(previous, corner);
    unwrapped.push([corner[0] + shift, corner[1]]);
    previous = corner;
  }
  const [first] = corners;
  const turned = previous && first ? shift + shiftBetween(previous, first) : 0;
  if (!first || turned === 0) return { corners: unwrapped, isAroundPole: false };
  const sumOfLatitudes = corners.reduce((sum, [, latitude]) => sum + latitude, 0);
  const pole = sumOfLatitudes >= 0 ? 90 : -90;
  return {
    corners: [...unwrapped, [first[0] + turned, first[1]], [first[0] + turned, pole], [first[0], pole]],
    isAroundPole: true,
  };
}

/** Whether some side is longer than half a turn: read literally, it would go the other way around the globe. */
export function hasLongSide(corners: readonly Corner[]): boolean {
  if (corners.every(([longitude]) => Math.abs(longitude) === 180)) return false;
  return corners.some((corner, index) => shiftBetween(corners.at(index - 1) ?? corner, corner) !== 0);
}

// A side along a pole is as good in one direction as in the other, and is what closes a ring around that pole.
function shiftBetween([from, fromLatitude]: Corner, [to, toLatitude]: Corner): number {
  if (Math.abs(fromLatitude) === 90 && toLatitude === fromLatitude) return 0;
  const step = to - from;
  return Math.abs(step) > 180 ? -360 * Math.round(step / 360) : 0;
}
