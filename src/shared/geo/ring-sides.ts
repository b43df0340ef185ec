import type { Position } from 'geojson';

/** A side of a ring, with the box around it. */
export interface Side {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  minX: number;
  maxX: number;
  minY: number;
  maxY: number;
  ring: number;
  /** Its place in the ring, and how many there are: neighbours share a corner. */
  index: number;
  count: number;
}

/** The sides of a ring given by its corners, the closing one included. */
export function sidesOf(corners: readonly Position[], ring: number): Side[] {
  return corners.map(([x1 = NaN, y1 = NaN], index) => {
    const [x2 = NaN, y2 = NaN] = corners[(index + 1) % corners.length] ?? [];
    const [minX, maxX] = x1 < x2 ? [x1, x2] : [x2, x1];
    const [minY, maxY] = y1 < y2 ? [y1, y2] : [y2, y1];
    return { x1, y1, x2, y2, minX, maxX, minY, maxY, ring, index, count: corners.length };
  });
}

/** Where two sides meet in a way that a polygon's sides must not; null when they don't. */
export function meet(a: Side, b: Side): Position | null {
  const isSameRing = a.ring === b.ring;
  if (isSameRing && (a.index + 1) % a.count === b.index) return findFold(a, b);
  if (isSameRing && (b.index + 1) % b.count === a.index) return findFold(b, a);
  const fromB = turn(a, b.x1, b.y1);
  const toB = turn(a, b.x2, b.y2);
  const fromA = turn(b, a.x1, a.y1);
  const toA = turn(b, a.x2, a.y2);
  if (fromB * toB < 0 && fromA * toA < 0) {
    const along = fromB / (fromB - toB);
    return [b.x1 + (b.x2 - b.x1) * along, b.y1 + (b.y2 - b.y1) * along];
  }
  // Rings of one polygon may touch (OGC 06-103r4 §6.1.11.1); a ring may not touch itself.
  return isSameRing ? findTouch(a, b, { fromA, toA, fromB, toB }) : null;
}

/** Neighbours share a corner, and more only where the second runs back over the first. */
function findFold(first: Side, second: Side): Position | null {
  if (turn(first, second.x2, second.y2) !== 0) return null;
  const { x2: x, y2: y } = first;
  const isBack = (first.x1 - x) * (second.x2 - x) + (first.y1 - y) * (second.y2 - y) > 0;
  return isBack ? [x, y] : null;
}

interface Turns {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

function findTouch(a: Side, b: Side, { fromA, toA, fromB, toB }: Turns): Position | null {
  if (fromB === 0 && isWithin(a, b.x1, b.y1)) return [b.x1, b.y1];
  if (toB === 0 && isWithin(a, b.x2, b.y2)) return [b.x2, b.y2];
  if (fromA === 0 && isWithin(b, a.x1, a.y1)) return [a.x1, a.y1];
  return toA === 0 && isWithin(b, a.x2, a.y2) ? [a.x2, a.y2] : null;
}

/** On which side of a line a point lies: the sign says, 0 is on it. */
function turn({ x1, y1, x2, y2 }: Side, x: number, y: number): number {
  return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
}

function isWithin({ minX, maxX, minY, maxY }: Side, x: number, y: number): boolean {
  return minX <= x && x <= maxX && minY <= y && y <= maxY;
}
