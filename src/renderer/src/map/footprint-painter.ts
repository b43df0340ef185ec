import { FootprintBrush, MAX_STACKED_FILLS, type Density, type FootprintLook } from './footprint-brush.ts';
import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
import { measurePileDepth } from './pile-depth.ts';
import type { CanvasFrame } from './picture.ts';

// More than this in view, and fills only hide the lines.
const MAX_FILLED = 500;
// More than this on each other somewhere in view, and full fills hide the map; even faint ones do in the end.
const MAX_PILE = 5;
const MAX_FAINT_PILE = 20;
// More than this in view, and lines are drawn the fast way, one pixel wide without round corners, and let the map through.
const MAX_SMOOTH = 3000;
// The length of line that is drawn in a frame of the screen without holding it up.
const LINE_A_STEP_PX = 40_000;

/** How the footprints of a whole picture are to be drawn. */
export function densityOf(frame: CanvasFrame, set: FootprintSet): Density {
  const count = set.countVisible(frame.whole);
  if (count > MAX_FILLED) return count <= MAX_SMOOTH ? 'outlined' : 'dense';
  const depth = measurePileDepth(frame, set, MAX_STACKED_FILLS);
  return depth <= MAX_PILE ? 'filled' : depth <= MAX_FAINT_PILE ? 'faint' : 'outlined';
}

/**
 * Draws all footprints in view, look by look; a step is what fits in a frame of the screen. Footprints that would
 * cover the same pixels are drawn once.
 */
export function* paintFootprints(
  frame: CanvasFrame,
  set: FootprintSet,
  { density, lookAt }: { density: Density; lookAt: (index: number) => FootprintLook },
): Generator<void, void> {
  const visible = set.findVisible(frame.box);
  // With many in view their order can't be seen, and the index gives them neighbour by neighbour, which paints faster.
  if (density === 'filled' || density === 'faint') visible.sort((a, b) => a.index - b.index);
  let drawnPx = 0;
  for (const [look, footprints] of groupByLook(visible, lookAt)) {
    const brush = new FootprintBrush(frame, set, { look, density });
    for (const footprint of footprints) {
      drawnPx += brush.draw(footprint);
      if (drawnPx < LINE_A_STEP_PX) continue;
      drawnPx = 0;
      yield;
    }
    brush.finish();
  }
}

function groupByLook(
  visible: readonly VisibleFootprint[],
  lookAt: (index: number) => FootprintLook,
): Map<FootprintLook, VisibleFootprint[]> {
  const groups = new Map<FootprintLook, VisibleFootprint[]>();
  for (const footprint of visible) {
    const look = lookAt(footprint.index);
    const group = groups.get(look);
    if (group) group.push(footprint);
    else groups.set(look, [footprint]);
  }
  return groups;
}
