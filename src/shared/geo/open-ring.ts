import type { Position } from 'geojson';

/** Longitude and latitude of one corner. */
export type Corner = [longitude: number, latitude: number];

// 1.1 cm on the ground; more digits mean nothing and make requests long.
const decimals = 7;

/** Degrees to about a centimetre. */
export function roundDegrees(degrees: number): number {
  // Adding 0 takes the sign off -0.
  return Math.round(degrees * 10 ** decimals) / 10 ** decimals + 0;
}

/** The corners of a ring, rounded, each once: no repeats in a row, no closing one. What is no number is left out. */
export function toCorners(ring: readonly Position[]): Corner[] {
  const corners: Corner[] = [];
  for (const [longitude = NaN, latitude = NaN] of ring) {
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) continue;
    const corner: Corner = [roundDegrees(longitude), roundDegrees(Math.max(-90, Math.min(90, latitude)))];
    if (!isSameCorner(corner, corners.at(-1))) corners.push(corner);
  }
  while (corners.length > 1 && isSameCorner(corners[0], corners.at(-1))) corners.pop();
  return corners;
}

/** Corners as a ring that ends where it began. */
export function closeRing(corners: readonly Corner[]): Corner[] {
  const [first] = corners;
  return first ? [...corners, [first[0], first[1]]] : [];
}

/** Twice the area in square degrees: positive when the corners turn counterclockwise. */
export function turnOf(corners: readonly Position[]): number {
  let sum = 0;
  let [previousX = 0, previousY = 0] = corners.at(-1) ?? [];
  for (const [x = 0, y = 0] of corners) {
    sum += previousX * y - x * previousY;
    previousX = x;
    previousY = y;
  }
  return sum;
}

function isSameCorner(a: Corner | undefined, b: Corner | undefined): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}
