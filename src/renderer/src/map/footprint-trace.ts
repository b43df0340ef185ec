import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
import type { FootprintPart } from './footprint-shapes.ts';
import type { CanvasFrame } from './picture.ts';

// What is smaller than this on screen is drawn as a dot.
const DOT_PX = 3;

/** Whether a footprint is too small on screen to have a shape. */
export function isDot(frame: CanvasFrame, { bounds }: FootprintSet, index: number): boolean {
  const at = index * 4;
  return (
    ((bounds[at + 2] ?? 0) - (bounds[at] ?? 0)) * frame.scale < DOT_PX &&
    ((bounds[at + 3] ?? 0) - (bounds[at + 1] ?? 0)) * frame.scale < DOT_PX
  );
}

/** Draws what has no shape. */
export function paintDot(
  { context, scale, left, top }: CanvasFrame,
  { bounds }: FootprintSet,
  dot: VisibleFootprint,
): void {
  const at = dot.index * 4;
  const x = (((bounds[at] ?? 0) + (bounds[at + 2] ?? 0)) / 2 + dot.offset) * scale - left;
  const y = (((bounds[at + 1] ?? 0) + (bounds[at + 3] ?? 0)) / 2) * scale - top;
  context.fillRect(Math.round(x) - 1, Math.round(y) - 1, 2, 2);
}

/** Adds the outline of a footprint to a path: to stroke it, where a cut along the antimeridian is no edge, or to fill it. */
export function tracePath(
  frame: CanvasFrame,
  set: FootprintSet,
  { footprint, path, isStroke }: { footprint: VisibleFootprint; path: Path2D; isStroke: boolean },
): void {
  const { index, offset } = footprint;
  const parts = set.partsOf(index);
  if (isDot(frame, set, index)) {
    const x = ((set.bounds[index * 4] ?? 0) + offset) * frame.scale - frame.left;
    const y = (set.bounds[index * 4 + 1] ?? 0) * frame.scale - frame.top;
    path.rect(x - DOT_PX / 2, y - DOT_PX / 2, DOT_PX * 2, DOT_PX * 2);
  } else if (isStroke && set.hasCuts(index)) {
    traceWithoutCuts(frame, set, { footprint, path });
  } else {
    for (const part of parts) tracePart(frame, set.coordinates, { part, offset, path });
  }
}

function tracePart(
  { scale, left, top }: CanvasFrame,
  coordinates: Float64Array,
  { part, offset, path }: { part: FootprintPart; offset: number; path: Path2D },
): void {
  path.moveTo(
    ((coordinates[part.from] ?? 0) + offset) * scale - left,
    (coordinates[part.from + 1] ?? 0) * scale - top,
  );
  for (let i = part.from + 2; i < part.to; i += 2) {
    path.lineTo(((coordinates[i] ?? 0) + offset) * scale - left, (coordinates[i + 1] ?? 0) * scale - top);
  }
  if (part.isRing) path.closePath();
}

/** Rings of several parts are closed by their own last position; where the antimeridian cuts them there is no line. */
function traceWithoutCuts(
  { scale, left, top }: CanvasFrame,
  set: FootprintSet,
  { footprint: { index, offset }, path }: { footprint: VisibleFootprint; path: Path2D },
): void {
  const { coordinates } = set;
  for (const { from, to } of set.partsOf(index)) {
    for (let i = from; i < to; i += 2) {
      const x = ((coordinates[i] ?? 0) + offset) * scale - left;
      const y = (coordinates[i + 1] ?? 0) * scale - top;
      if (i === from || set.isCut(index, i)) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  }
}

/** Fills what is inside of a footprint. */
export function fillRings(frame: CanvasFrame, set: FootprintSet, footprint: VisibleFootprint): void {
  if (!set.partsOf(footprint.index).some(({ isRing }) => isRing)) return;
  const path = new Path2D();
  tracePath(frame, set, { footprint, path, isStroke: false });
  frame.context.fill(path, 'evenodd');
}
