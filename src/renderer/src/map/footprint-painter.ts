import type { FootprintPart, FootprintSet, VisibleFootprint } from './footprint-set.ts';
import type { CanvasFrame } from './map-canvas.ts';

/** How one footprint that stands out is drawn. */
export interface FootprintStyle {
  colour: string;
  lineWidthPx: number;
  fillOpacity: number;
  /** Drawn wider under the line, so that it stands out from what it lies on. */
  casing: string | null;
}

const LINE_WIDTH_PX = 1.1;
const FILL_OPACITY = 0.07;
// More than this in view, and fills only hide the lines.
const MAX_FILLED = 500;
// Fills of footprints that lie exactly on each other add up to a blot; a few tell enough.
const MAX_STACKED_FILLS = 3;
// What is smaller than this on screen is drawn as a dot.
const DOT_PX = 3;
// More than this in view, and lines are drawn the fast way: one pixel wide, without round corners.
const MAX_SMOOTH = 3000;
const OUTLINES_A_PATH = 8;
const OUTLINES_A_STEP = 1000;

/**
 * Draws all footprints in view, colour by colour; a step is what fits in a frame of the screen. Footprints that would
 * cover the same pixels are drawn once.
 */
export function* paintFootprints(
  frame: CanvasFrame,
  set: FootprintSet,
  colourAt: (index: number) => string,
): Generator<void, void> {
  const visible = set.findVisible(frame.box);
  const isFilled = visible.length <= MAX_FILLED;
  // With many in view their order can't be seen, and the index gives them neighbour by neighbour, which paints faster.
  if (isFilled) visible.sort((a, b) => a.index - b.index);
  const { context } = frame;
  context.lineWidth = visible.length > MAX_SMOOTH ? 1 : LINE_WIDTH_PX;
  context.lineJoin = visible.length > MAX_SMOOTH ? 'miter' : 'round';
  let drawnInStep = 0;
  for (const [colour, footprints] of groupByColour(visible, colourAt)) {
    context.fillStyle = colour;
    context.strokeStyle = colour;
    const outlines = new OutlineBatch(context);
    const drawn = new Map<number, number>();
    for (const footprint of footprints) {
      const key = pixelKey(frame, set, footprint);
      const count = drawn.get(key) ?? 0;
      drawn.set(key, count + 1);
      if (count === 0) {
        if (isDot(frame, set, footprint.index)) paintDot(frame, set, footprint);
        else tracePath(frame, set, { footprint, path: outlines.next(), isStroke: true });
        drawnInStep++;
      }
      if (isFilled && count < MAX_STACKED_FILLS) {
        context.globalAlpha = FILL_OPACITY;
        fillRings(frame, set, footprint);
        context.globalAlpha = 1;
      }
      if (drawnInStep === OUTLINES_A_STEP) {
        drawnInStep = 0;
        yield;
      }
    }
    outlines.finish();
  }
}

/** Strokes many outlines in paths of a few: the time a path takes grows faster than what is in it. */
class OutlineBatch {
  readonly #context: CanvasRenderingContext2D;
  #path = new Path2D();
  #count = 0;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** The path to add one more outline to. */
  next(): Path2D {
    if (this.#count === OUTLINES_A_PATH) this.finish();
    this.#count++;
    return this.#path;
  }

  /** Draws what is left. */
  finish(): void {
    if (this.#count > 0) this.#context.stroke(this.#path);
    this.#path = new Path2D();
    this.#count = 0;
  }
}

/** Draws some footprints in one style, in every copy of the world that is in view. */
export function paintEmphasised(
  frame: CanvasFrame,
  set: FootprintSet,
  chosen: { indexes: ReadonlySet<number>; style: FootprintStyle },
): void {
  if (chosen.indexes.size === 0) return;
  const { context } = frame;
  const { style } = chosen;
  const visible = offsetsInView(frame, set, chosen.indexes);
  const lines = new Path2D();
  context.fillStyle = style.colour;
  context.globalAlpha = style.fillOpacity;
  for (const footprint of visible) {
    tracePath(frame, set, { footprint, path: lines, isStroke: true });
    fillRings(frame, set, footprint);
  }
  context.globalAlpha = 1;
  context.lineJoin = 'round';
  if (style.casing) {
    context.lineWidth = style.lineWidthPx + 2.5;
    context.strokeStyle = style.casing;
    context.stroke(lines);
  }
  context.lineWidth = style.lineWidthPx;
  context.strokeStyle = style.colour;
  context.stroke(lines);
}

function offsetsInView(
  frame: CanvasFrame,
  set: FootprintSet,
  indexes: ReadonlySet<number>,
): VisibleFootprint[] {
  const found: VisibleFootprint[] = [];
  for (const index of indexes) {
    const box = set.boxOf(index);
    if (!box || box.maxY < frame.box.minY || box.minY > frame.box.maxY) continue;
    const last = Math.floor(frame.box.maxX - box.minX);
    for (let offset = Math.ceil(frame.box.minX - box.maxX); offset <= last; offset++)
      found.push({ index, offset });
  }
  return found;
}

function groupByColour(
  visible: readonly VisibleFootprint[],
  colourAt: (index: number) => string,
): Map<string, VisibleFootprint[]> {
  const groups = new Map<string, VisibleFootprint[]>();
  for (const footprint of visible) {
    const colour = colourAt(footprint.index);
    const group = groups.get(colour);
    if (group) group.push(footprint);
    else groups.set(colour, [footprint]);
  }
  return groups;
}

/** The same for two footprints whose outlines can't be told apart on screen: their box in whole pixels, and its slant. */
function pixelKey(frame: CanvasFrame, set: FootprintSet, { index, offset }: VisibleFootprint): number {
  const { bounds, coordinates } = set;
  const minX = bounds[index * 4] ?? 0;
  const minY = bounds[index * 4 + 1] ?? 0;
  const worldWidth = (bounds[index * 4 + 2] ?? 0) - minX;
  const left = wholePixels((minX + offset) * frame.scale - frame.left, 8192);
  const top = wholePixels(minY * frame.scale - frame.top, 8192);
  if (isDot(frame, set, index)) return left * 8192 + top;
  const width = wholePixels(worldWidth * frame.scale, 4096);
  const height = wholePixels(((bounds[index * 4 + 3] ?? 0) - minY) * frame.scale, 4096);
  const firstX = coordinates[set.partsOf(index)[0]?.from ?? 0] ?? 0;
  const slant = worldWidth > 0 ? Math.round(((firstX - minX) / worldWidth) * 6) + 1 : 1;
  return (((left * 8192 + top) * 4096 + width) * 2048 + Math.floor(height / 2)) * 8 + slant;
}

/** Within 0..range; what is far outside the canvas may share a number. */
function wholePixels(px: number, range: number): number {
  return Math.max(0, Math.min(range - 1, Math.round(px) + range / 4));
}

function isDot(frame: CanvasFrame, { bounds }: FootprintSet, index: number): boolean {
  const at = index * 4;
  return (
    ((bounds[at + 2] ?? 0) - (bounds[at] ?? 0)) * frame.scale < DOT_PX &&
    ((bounds[at + 3] ?? 0) - (bounds[at + 1] ?? 0)) * frame.scale < DOT_PX
  );
}

function paintDot(
  { context, scale, left, top }: CanvasFrame,
  { bounds }: FootprintSet,
  dot: VisibleFootprint,
): void {
  const at = dot.index * 4;
  const x = (((bounds[at] ?? 0) + (bounds[at + 2] ?? 0)) / 2 + dot.offset) * scale - left;
  const y = (((bounds[at + 1] ?? 0) + (bounds[at + 3] ?? 0)) / 2) * scale - top;
  context.fillRect(Math.round(x) - 1, Math.round(y) - 1, 2, 2);
}

function tracePath(
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
  } else if (isStroke && parts.length > 1) {
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

function fillRings(frame: CanvasFrame, set: FootprintSet, footprint: VisibleFootprint): void {
  if (!set.partsOf(footprint.index).some(({ isRing }) => isRing)) return;
  const path = new Path2D();
  tracePath(frame, set, { footprint, path, isStroke: false });
  frame.context.fill(path, 'evenodd');
}
