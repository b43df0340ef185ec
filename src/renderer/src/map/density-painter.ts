import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';

/** How many things lie in a cell of the world. */
export interface DensityCell {
  /** West and south edge, in degrees. */
  west: number;
  south: number;
  count: number;
}

/** A cell is never smaller than this, or a few items would not be seen. */
const minSizePx = 3;

/** Draws a square in each cell, the denser the fuller. */
export function paintDensity(
  { context, scale, left, top }: CanvasFrame,
  { cells, cellDegrees }: { cells: readonly DensityCell[]; cellDegrees: number },
  theme: MapTheme,
): void {
  const most = cells.reduce((max, { count }) => Math.max(max, count), 1);
  context.fillStyle = theme.accent;
  for (const { west, south, count } of cells) {
    const x = toWorldX(west) * scale - left;
    const y = toWorldY(south + cellDegrees) * scale - top;
    const width = Math.max(minSizePx, (cellDegrees / 360) * scale);
    const height = Math.max(minSizePx, toWorldY(south) * scale - top - y);
    context.globalAlpha = shadeOf(count, most);
    context.fillRect(x, y, width, height);
  }
  context.globalAlpha = 1;
}

/** From 0.35 for one to 1 for the most, by the logarithm: a few places usually have nearly everything. */
export function shadeOf(count: number, most: number): number {
  return most <= 1 ? 1 : 0.35 + 0.65 * (Math.log(count) / Math.log(most));
}
