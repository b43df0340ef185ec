import type { WorldBox } from './footprint-set.ts';

/**
 * The part of a closed ring that lies in a box (Sutherland and Hodgman): at high zooms a continent's coordinates would
 * be millions of pixels off the canvas. Edges along the box appear; they lie outside what is shown.
 */
export function clipRing(ring: ArrayLike<number>, box: WorldBox): ArrayLike<number> {
  let clipped = clipSide(ring, { axis: 0, edge: box.minX, sign: 1 });
  clipped = clipSide(clipped, { axis: 0, edge: box.maxX, sign: -1 });
  clipped = clipSide(clipped, { axis: 1, edge: box.minY, sign: 1 });
  return clipSide(clipped, { axis: 1, edge: box.maxY, sign: -1 });
}

interface Side {
  /** 0 is x, 1 is y. */
  axis: 0 | 1;
  edge: number;
  /** 1 keeps what is larger. */
  sign: 1 | -1;
}

function clipSide(ring: ArrayLike<number>, { axis, edge, sign }: Side): number[] {
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
