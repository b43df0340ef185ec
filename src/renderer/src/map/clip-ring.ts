import type { WorldBox } from './footprint-set.ts';

/**
 * The part of a closed ring that lies in a box (Sutherland and Hodgman): at high zooms a continent's coordinates would
 * be millions of pixels off the canvas. Edges along the box appear; they lie outside what is shown.
 */
export function clipRing(ring: ArrayLike<number>, box: WorldBox): ArrayLike<number> {
  let clipped = clipSide(ring, 0, box.minX, 1);
  clipped = clipSide(clipped, 0, box.maxX, -1);
  clipped = clipSide(clipped, 1, box.minY, 1);
  return clipSide(clipped, 1, box.maxY, -1);
}

/** Keeps what is on the inner side of one edge: axis 0 is x, 1 is y; sign 1 keeps what is larger. */
function clipSide(ring: ArrayLike<number>, axis: 0 | 1, edge: number, sign: 1 | -1): number[] {
  const kept: number[] = [];
  const { length } = ring;
  let fromX = ring[length - 2] ?? 0;
  let fromY = ring[length - 1] ?? 0;
  for (let i = 0; i < length; i += 2) {
    const toX = ring[i] ?? 0;
    const toY = ring[i + 1] ?? 0;
    const fromDistance = ((axis === 0 ? fromX : fromY) - edge) * sign;
    const toDistance = ((axis === 0 ? toX : toY) - edge) * sign;
    if (fromDistance < 0 !== toDistance < 0) {
      const along = fromDistance / (fromDistance - toDistance);
      kept.push(fromX + (toX - fromX) * along, fromY + (toY - fromY) * along);
    }
    if (toDistance >= 0) kept.push(toX, toY);
    fromX = toX;
    fromY = toY;
  }
  return kept;
}
