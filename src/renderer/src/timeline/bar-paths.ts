import type { TimelineBins } from './timeline-bins.ts';

/** One collection's bars as SVG paths, in units of one bar wide and of the fullest bar high. */
export interface BarPaths {
  /** Bars within the brush. */
  bright: string;
  /** Bars outside it. */
  dim: string;
}

/** Part of a bar's width that is drawn; the rest parts it from its neighbour. */
const fill = 0.78;

/**
 * The bars of all collections, one on top of the other. A bar's height goes by the root of its rows: a day with one image
 * has to be seen beside a day with hundreds.
 */
export function toBarPaths(
  { counts, tallest }: TimelineBins,
  isBright: (bar: number) => boolean,
): BarPaths[] {
  const totals = counts[0]?.map((_, bar) => counts.reduce((sum, bars) => sum + (bars[bar] ?? 0), 0)) ?? [];
  const heights: number[] = [];
  return counts.map((bars) => {
    const paths = { bright: '', dim: '' };
    for (const [bar, count] of bars.entries()) {
      if (count === 0) continue;
      const below = heights[bar] ?? 0;
      const total = totals[bar] ?? count;
      const height = Math.sqrt(total / tallest) * (count / total);
      heights[bar] = below + height;
      const left = round(bar + (1 - fill) / 2);
      const path = `M${left} ${round(1 - below)}v${-round(height)}h${fill}v${round(height)}z`;
      if (isBright(bar)) paths.bright += path;
      else paths.dim += path;
    }
    return paths;
  });
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
