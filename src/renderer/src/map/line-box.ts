import type { WorldBox } from './footprint-set.ts';
import type { FlatRing, RingSpan } from './rings.ts';

/** Whether a line through positions, or the one position of a point, shares a point with a box; edges count. */
export function lineMeetsBox(coordinates: FlatRing, { from, to }: RingSpan, box: WorldBox): boolean {
  let lastX = coordinates[from] ?? NaN;
  let lastY = coordinates[from + 1] ?? NaN;
  if (isIn(box, lastX, lastY)) return true;
  for (let i = from + 2; i < to; i += 2) {
    const x = coordinates[i] ?? NaN;
    const y = coordinates[i + 1] ?? NaN;
    if (isIn(box, x, y) || crosses(box, [lastX, lastY, x, y])) return true;
    lastX = x;
    lastY = y;
  }
  return false;
}

function isIn({ minX, minY, maxX, maxY }: WorldBox, x: number, y: number): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY;
}

/** Liang–Barsky: what is left of the segment after each edge of the box has cut it. */
function crosses(box: WorldBox, [x0, y0, x1, y1]: readonly [number, number, number, number]): boolean {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let enter = 0;
  let leave = 1;
  for (const [step, room] of [
    [-dx, x0 - box.minX],
    [dx, box.maxX - x0],
    [-dy, y0 - box.minY],
    [dy, box.maxY - y0],
  ] as const) {
    if (step === 0 && room < 0) return false;
    if (step < 0) enter = Math.max(enter, room / step);
    else if (step > 0) leave = Math.min(leave, room / step);
  }
  return enter <= leave;
}
