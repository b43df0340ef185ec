import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
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
// What is smaller than this on screen is drawn as a dot of this size.
const DOT_PX = 3;

/** Draws all footprints in view, colour by colour. Footprints that would cover the same pixels are drawn once. */
export function paintFootprints(
  frame: CanvasFrame,
  set: FootprintSet,
  colourAt: (index: number) => string,
): void {
  const visible = set.findVisible(frame.box);
  const isFilled = visible.length <= MAX_FILLED;
  const { context } = frame;
  context.lineWidth = LINE_WIDTH_PX;
  context.lineJoin = 'round';
  for (const [colour, footprints] of groupByColour(visible, colourAt)) {
    const lines = new Path2D();
    const drawn = new Map<string, number>();
    context.fillStyle = colour;
    context.strokeStyle = colour;
    for (const footprint of footprints) {
      const place = placeOf(frame, set, footprint);
      const count = drawn.get(place) ?? 0;
      drawn.set(place, count + 1);
      const isRepeated = count > 0;
      if (isRepeated && (!isFilled || count >= MAX_STACKED_FILLS)) continue;
      if (!isRepeated) tracePath(frame, set, { footprint, path: lines, isStroke: true });
      if (isFilled) {
        context.globalAlpha = FILL_OPACITY;
        fillRings(frame, set, footprint);
      }
    }
    context.globalAlpha = 1;
    context.stroke(lines);
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

/** The same for two footprints whose drawn outlines can't be told apart on screen. */
function placeOf(frame: CanvasFrame, set: FootprintSet, { index, offset }: VisibleFootprint): string {
  const box = set.boxOf(index);
  if (!box) return '';
  const left = Math.round((box.minX + offset) * frame.scale - frame.left);
  const top = Math.round(box.minY * frame.scale - frame.top);
  const width = Math.round((box.maxX - box.minX) * frame.scale);
  const height = Math.round((box.maxY - box.minY) * frame.scale);
  if (width <= DOT_PX && height <= DOT_PX) return `${left},${top}`;
  const part = set.partsOf(index)[0];
  const firstX = part
    ? Math.round(((set.coordinates[part.from] ?? 0) + offset) * frame.scale - frame.left)
    : 0;
  return `${left},${top},${width},${height},${firstX}`;
}

function tracePath(
  frame: CanvasFrame,
  set: FootprintSet,
  { footprint, path, isStroke }: { footprint: VisibleFootprint; path: Path2D; isStroke: boolean },
): void {
  const { scale, left, top } = frame;
  const { index, offset } = footprint;
  const box = set.boxOf(index);
  if (box && (box.maxX - box.minX) * scale < DOT_PX && (box.maxY - box.minY) * scale < DOT_PX) {
    const x = ((box.minX + box.maxX) / 2 + offset) * scale - left;
    const y = ((box.minY + box.maxY) / 2) * scale - top;
    path.rect(x - DOT_PX / 2, y - DOT_PX / 2, DOT_PX, DOT_PX);
    return;
  }
  for (const part of set.partsOf(index)) {
    for (let i = part.from; i < part.to; i += 2) {
      const x = ((set.coordinates[i] ?? 0) + offset) * scale - left;
      const y = (set.coordinates[i + 1] ?? 0) * scale - top;
      if (i === part.from || (isStroke && set.isCut(index, i))) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    if (part.isRing && !(isStroke && set.partsOf(index).length > 1)) path.closePath();
  }
}

function fillRings(frame: CanvasFrame, set: FootprintSet, footprint: VisibleFootprint): void {
  if (!set.partsOf(footprint.index).some(({ isRing }) => isRing)) return;
  const path = new Path2D();
  tracePath(frame, set, { footprint, path, isStroke: false });
  frame.context.fill(path, 'evenodd');
}
