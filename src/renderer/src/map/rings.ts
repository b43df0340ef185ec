/** Coordinates of one ring or line, x and y in turn. */
export type FlatRing = Float64Array | readonly number[];

/** A ring is a stretch of coordinates. */
export interface RingSpan {
  from: number;
  to: number;
}

/** Whether a point lies in a closed ring (even-odd rule). */
export function isInRing(coordinates: FlatRing, span: RingSpan, point: { x: number; y: number }): boolean {
  const { x, y } = point;
  let isInside = false;
  let previousX = coordinates[span.to - 2] ?? NaN;
  let previousY = coordinates[span.to - 1] ?? NaN;
  for (let i = span.from; i < span.to; i += 2) {
    const currentX = coordinates[i] ?? NaN;
    const currentY = coordinates[i + 1] ?? NaN;
    if (
      currentY > y !== previousY > y &&
      x < ((previousX - currentX) * (y - currentY)) / (previousY - currentY) + currentX
    ) {
      isInside = !isInside;
    }
    previousX = currentX;
    previousY = currentY;
  }
  return isInside;
}

/** Area by the shoelace formula: positive when the ring turns clockwise on a map whose y points down. */
export function signedArea(coordinates: FlatRing, from = 0, to = coordinates.length): number {
  let sum = 0;
  let previousX = coordinates[to - 2] ?? 0;
  let previousY = coordinates[to - 1] ?? 0;
  for (let i = from; i < to; i += 2) {
    const x = coordinates[i] ?? 0;
    const y = coordinates[i + 1] ?? 0;
    sum += previousX * y - x * previousY;
    previousX = x;
    previousY = y;
  }
  return sum / 2;
}

/** The shortest distance from a point to a line through the positions. */
export function distanceToLine(coordinates: FlatRing, x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 2; i < coordinates.length; i += 2) {
    const fromX = coordinates[i - 2] ?? 0;
    const fromY = coordinates[i - 1] ?? 0;
    const deltaX = (coordinates[i] ?? 0) - fromX;
    const deltaY = (coordinates[i + 1] ?? 0) - fromY;
    const length = deltaX * deltaX + deltaY * deltaY;
    const along =
      length === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * deltaX + (y - fromY) * deltaY) / length));
    nearest = Math.min(nearest, Math.hypot(x - fromX - along * deltaX, y - fromY - along * deltaY));
  }
  return nearest;
}
