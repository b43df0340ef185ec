import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
import { fillRings, isDot, tracePath } from './footprint-trace.ts';
import { OutlineBatch } from './outline-batch.ts';
import type { CanvasFrame } from './picture.ts';

/** How footprints that stand out are drawn. */
export interface EmphasisStyle {
  colour: string;
  lineWidthPx: number;
  /** 0 for none. */
  fillOpacity: number;
  /** Drawn wider under the line, so that it stands out from what it lies on, light or dark. */
  casing: string;
  /** Whether a tick is set on each: a mark that is no colour. */
  hasTick: boolean;
}

const CASING_PX = 2.5;
// A tick needs this much room.
const TICK_ROOM_PX = 20;
const TICK_RADIUS_PX = 7;
const FOOTPRINTS_A_STEP = 400;

/** Draws some footprints in one style, in every copy of the world that is in view; a step is what fits in a frame. */
export function* paintEmphasised(
  frame: CanvasFrame,
  set: FootprintSet,
  { indexes, style }: { indexes: Iterable<number>; style: EmphasisStyle },
): Generator<void, void> {
  const { context } = frame;
  const ticked: VisibleFootprint[] = [];
  const outlines = new OutlineBatch((path) => strokeCased(context, path, style));
  context.lineJoin = 'round';
  context.fillStyle = style.colour;
  let drawn = 0;
  for (const footprint of offsetsInView(frame, set, indexes)) {
    if (style.fillOpacity > 0) {
      context.globalAlpha = style.fillOpacity;
      fillRings(frame, set, footprint);
      context.globalAlpha = 1;
    }
    tracePath(frame, set, { footprint, path: outlines.next(), isStroke: true });
    if (style.hasTick && !isDot(frame, set, footprint.index)) ticked.push(footprint);
    if (++drawn % FOOTPRINTS_A_STEP === 0) yield;
  }
  outlines.finish();
  for (const footprint of ticked) paintTick(frame, set, { footprint, style });
}

function strokeCased(context: CanvasRenderingContext2D, path: Path2D, style: EmphasisStyle): void {
  context.lineWidth = style.lineWidthPx + CASING_PX;
  context.strokeStyle = style.casing;
  context.stroke(path);
  context.lineWidth = style.lineWidthPx;
  context.strokeStyle = style.colour;
  context.stroke(path);
}

function paintTick(
  { context, scale, left, top }: CanvasFrame,
  { bounds }: FootprintSet,
  { footprint: { index, offset }, style }: { footprint: VisibleFootprint; style: EmphasisStyle },
): void {
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = bounds.subarray(index * 4, index * 4 + 4);
  if (Math.min(maxX - minX, maxY - minY) * scale < TICK_ROOM_PX) return;
  const x = ((minX + maxX) / 2 + offset) * scale - left;
  const y = ((minY + maxY) / 2) * scale - top;
  context.beginPath();
  context.arc(x, y, TICK_RADIUS_PX, 0, 2 * Math.PI);
  context.fillStyle = style.colour;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = style.casing;
  context.stroke();
  context.beginPath();
  context.moveTo(x - 3, y);
  context.lineTo(x - 0.8, y + 2.4);
  context.lineTo(x + 3.2, y - 2.4);
  context.lineWidth = 1.8;
  context.stroke();
}

function* offsetsInView(
  { box: view }: CanvasFrame,
  set: FootprintSet,
  indexes: Iterable<number>,
): Generator<VisibleFootprint> {
  for (const index of indexes) {
    const box = set.boxOf(index);
    if (!box || box.maxY < view.minY || box.minY > view.maxY) continue;
    const last = Math.floor(view.maxX - box.minX);
    for (let offset = Math.ceil(view.minX - box.maxX); offset <= last; offset++) yield { index, offset };
  }
}
