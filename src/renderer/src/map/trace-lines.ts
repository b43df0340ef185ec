import type { WorldLine } from './basemap-data.ts';
import type { WorldBox } from './footprint-set.ts';
import type { CanvasFrame } from './picture.ts';

// Points closer than this on screen are left out.
export const DETAIL_PX = 0.6;

/** Only the pieces near the view: a piece whose two ends are beyond the same edge is left out. */
export function traceLines(frame: CanvasFrame, lines: readonly WorldLine[], offset: number): Path2D {
  const view = shiftedView(frame, offset);
  const path = new Path2D();
  for (const line of lines) {
    if (overlap(line.box, view)) traceLine(frame, { coordinates: line.coordinates, offset }, path);
  }
  return path;
}

/** What has to be drawn, as seen from another copy of the world. */
export function shiftedView({ box }: CanvasFrame, offset: number): WorldBox {
  return { ...box, minX: box.minX - offset, maxX: box.maxX - offset };
}

function traceLine(
  frame: CanvasFrame,
  { coordinates, offset }: { coordinates: Float64Array; offset: number },
  path: Path2D,
): void {
  const { scale, left, top } = frame;
  const end = coordinates.length - 2;
  let lastX = NaN;
  let lastY = NaN;
  let lastSides = 0;
  let isDown = false;
  for (let i = 0; i <= end; i += 2) {
    const x = ((coordinates[i] ?? 0) + offset) * scale - left;
    const y = (coordinates[i + 1] ?? 0) * scale - top;
    if (i < end && Math.abs(x - lastX) < DETAIL_PX && Math.abs(y - lastY) < DETAIL_PX) continue;
    const sides = sidesBeyond(frame, x, y);
    const isSeen = i > 0 && (sides & lastSides) === 0;
    if (isSeen) {
      if (!isDown) path.moveTo(lastX, lastY);
      path.lineTo(x, y);
    }
    isDown = isSeen;
    lastX = x;
    lastY = y;
    lastSides = sides;
  }
}

/** Beyond which edges of the canvas a point lies, a bit for each. */
function sidesBeyond({ width, height }: CanvasFrame, x: number, y: number): number {
  return (x < 0 ? 1 : x > width ? 2 : 0) | (y < 0 ? 4 : y > height ? 8 : 0);
}

/** Whether two boxes share a point. */
export function overlap(a: WorldBox, b: WorldBox): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}
