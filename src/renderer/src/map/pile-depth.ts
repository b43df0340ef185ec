import type { FootprintSet } from './footprint-set.ts';
import type { CanvasFrame } from './picture.ts';

const CELLS_ACROSS = 16;
// Footprints whose boxes differ by less count as the same; of these the brush fills only some.
const SAME_PX = 4;

/**
 * How many footprints lie on each other where the most do, by their boxes on a coarse grid over the view. Those that
 * can't be told apart on screen count `maxAlike` times at most.
 */
export function measurePileDepth(frame: CanvasFrame, set: FootprintSet, maxAlike: number): number {
  const { minX, minY, maxX, maxY } = frame.whole;
  const columnWidth = (maxX - minX) / CELLS_ACROSS;
  const rowHeight = (maxY - minY) / CELLS_ACROSS;
  const depths = new Uint16Array(CELLS_ACROSS * CELLS_ACROSS);
  const alike = new Map<string, number>();
  const toPx = (world: number): number => Math.round((world * frame.scale) / SAME_PX);
  for (const { index, offset } of set.findVisible(frame.whole)) {
    const box = set.boxOf(index);
    if (!box) continue;
    const key = [box.minX + offset, box.minY, box.maxX + offset, box.maxY].map(toPx).join();
    const count = alike.get(key) ?? 0;
    if (count >= maxAlike) continue;
    alike.set(key, count + 1);
    // A cell counts when its middle is inside, so that neighbours don't make a pile.
    const left = Math.max(0, Math.ceil((box.minX + offset - minX) / columnWidth - 0.5));
    const right = Math.min(CELLS_ACROSS - 1, Math.floor((box.maxX + offset - minX) / columnWidth - 0.5));
    const top = Math.max(0, Math.ceil((box.minY - minY) / rowHeight - 0.5));
    const bottom = Math.min(CELLS_ACROSS - 1, Math.floor((box.maxY - minY) / rowHeight - 0.5));
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = row * CELLS_ACROSS + column;
        depths[cell] = (depths[cell] ?? 0) + 1;
      }
    }
  }
  return depths.reduce((deepest, depth) => Math.max(deepest, depth), 0);
}
