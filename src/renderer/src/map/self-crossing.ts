import type { Position } from 'geojson';

/** Whether two sides of a line, or of the ring it closes to, cross or touch anywhere but at the corner they share. */
export function crossesItself(corners: readonly Position[], options: { isClosed: boolean }): boolean {
  const last = options.isClosed ? corners.length : corners.length - 1;
  for (let i = 0; i < last; i++) {
    for (let j = i + 1; j < last; j++) {
      const isNext = j === i + 1 || (options.isClosed && i === 0 && j === corners.length - 1);
      if (!isNext && sidesMeet(sideAt(corners, i), sideAt(corners, j))) return true;
    }
  }
  return false;
}

type Side = readonly [x1: number, y1: number, x2: number, y2: number];

function sideAt(corners: readonly Position[], i: number): Side {
  const [x1 = NaN, y1 = NaN] = corners[i] ?? [];
  const [x2 = NaN, y2 = NaN] = corners[(i + 1) % corners.length] ?? [];
  return [x1, y1, x2, y2];
}

function sidesMeet(a: Side, b: Side): boolean {
  const from = turn(a, b[0], b[1]);
  const to = turn(a, b[2], b[3]);
  const back = turn(b, a[0], a[1]);
  const forth = turn(b, a[2], a[3]);
  if (from * to < 0 && back * forth < 0) return true;
  return (
    (from === 0 && isWithin(a, b[0], b[1])) ||
    (to === 0 && isWithin(a, b[2], b[3])) ||
    (back === 0 && isWithin(b, a[0], a[1])) ||
    (forth === 0 && isWithin(b, a[2], a[3]))
  );
}

/** On which side of a line a point lies: the sign says, 0 is on it. */
function turn([x1, y1, x2, y2]: Side, x: number, y: number): number {
  return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
}

function isWithin([x1, y1, x2, y2]: Side, x: number, y: number): boolean {
  return Math.min(x1, x2) <= x && x <= Math.max(x1, x2) && Math.min(y1, y2) <= y && y <= Math.max(y1, y2);
}
