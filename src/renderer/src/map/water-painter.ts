import type { WaterLevel, WorldLine } from './basemap-data.ts';
import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { overlap, shiftedView } from './trace-lines.ts';

// What is shorter on screen is not drawn: from far away only the great rivers and lakes are left.
const SHORTEST_RIVER_PX = 34;
const SMALLEST_LAKE_PX = 3;

/** Draws lakes and rivers on land. */
export function paintWater(
  frame: CanvasFrame,
  { lakes, rivers }: WaterLevel,
  { theme, offsets }: { theme: MapTheme; offsets: readonly number[] },
): void {
  const { context, zoom } = frame;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = theme.river;
  for (const offset of offsets) {
    context.lineWidth = Math.max(0.7, Math.min(2.2, 0.7 + (zoom - 3) * 0.18));
    context.stroke(traceCurves(frame, rivers, { offset, shortestPx: SHORTEST_RIVER_PX, isClosed: false }));
    const shores = traceCurves(frame, lakes, { offset, shortestPx: SMALLEST_LAKE_PX, isClosed: true });
    context.fillStyle = theme.sea;
    context.fill(shores, 'evenodd');
    context.lineWidth = 0.8;
    context.stroke(shores);
  }
  context.lineCap = 'butt';
}

interface Tracing {
  offset: number;
  shortestPx: number;
  isClosed: boolean;
}

/** The lines as curves through the middles of their pieces: the source's corners are kilometres apart. */
function traceCurves(frame: CanvasFrame, lines: readonly WorldLine[], tracing: Tracing): Path2D {
  const { scale } = frame;
  const view = shiftedView(frame, tracing.offset);
  const path = new Path2D();
  for (const { coordinates, box } of lines) {
    const sizePx = Math.hypot(box.maxX - box.minX, box.maxY - box.minY) * scale;
    if (sizePx >= tracing.shortestPx && overlap(box, view))
      traceCurve(frame, { coordinates, ...tracing }, path);
  }
  return path;
}

function traceCurve(
  { scale, left, top }: CanvasFrame,
  { coordinates, offset, isClosed }: { coordinates: Float64Array; offset: number; isClosed: boolean },
  path: Path2D,
): void {
  const xAt = (i: number): number => ((coordinates[i * 2] ?? 0) + offset) * scale - left;
  const yAt = (i: number): number => (coordinates[i * 2 + 1] ?? 0) * scale - top;
  // A ring's last corner is its first one again.
  const count = coordinates.length / 2 - (isClosed ? 1 : 0);
  if (count < 2) return;
  if (isClosed) path.moveTo((xAt(count - 1) + xAt(0)) / 2, (yAt(count - 1) + yAt(0)) / 2);
  else path.moveTo(xAt(0), yAt(0));
  for (let i = isClosed ? 0 : 1; i < (isClosed ? count : count - 1); i++) {
    const next = (i + 1) % count;
    path.quadraticCurveTo(xAt(i), yAt(i), (xAt(i) + xAt(next)) / 2, (yAt(i) + yAt(next)) / 2);
  }
  if (isClosed) path.closePath();
  else path.lineTo(xAt(count - 1), yAt(count - 1));
}
