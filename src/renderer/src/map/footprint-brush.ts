import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
import { fillRings, isDot, paintDot, tracePath } from './footprint-trace.ts';
import { OutlineBatch } from './outline-batch.ts';
import type { CanvasFrame } from './picture.ts';

const LINE_WIDTH_PX = 1.1;
// Fills add up where footprints lie on each other: many are to leave the map below in sight.
const FILL_OPACITY = { filled: 0.07, faint: 0.02 };
/** Fills of footprints that lie exactly on each other add up to a blot; a few tell enough. */
export const MAX_STACKED_FILLS = 3;
const DENSE_OPACITY = 0.5;
// Of what is known in part only; a shape of line, for colours are the collections'.
const PARTIAL_DASH = [4, 3];
// What an outline costs beside its length.
const LINE_OF_OUTLINE_PX = 40;

/** How one footprint is drawn. The same object for all that look the same. */
export interface FootprintLook {
  colour: string;
  /** Whether only a part of the Item is known. */
  isPartial: boolean;
}

/** How footprints are drawn, by how many are in view and lie on each other. */
export type Density = 'filled' | 'faint' | 'outlined' | 'dense';

/** Draws footprints of one look. Those that would cover the same pixels are drawn once. */
export class FootprintBrush {
  readonly #frame: CanvasFrame;
  readonly #set: FootprintSet;
  readonly #density: Density;
  readonly #lineOpacity: number;
  readonly #outlines: OutlineBatch;
  readonly #drawn = new Map<number, number>();

  constructor(
    frame: CanvasFrame,
    set: FootprintSet,
    { look, density }: { look: FootprintLook; density: Density },
  ) {
    this.#frame = frame;
    this.#set = set;
    this.#density = density;
    const { context } = frame;
    const isDense = density === 'dense';
    this.#lineOpacity = isDense ? DENSE_OPACITY : 1;
    context.fillStyle = context.strokeStyle = look.colour;
    context.lineWidth = isDense ? 1 : LINE_WIDTH_PX;
    context.lineJoin = isDense ? 'miter' : 'round';
    context.globalAlpha = this.#lineOpacity;
    context.setLineDash(look.isPartial && !isDense ? PARTIAL_DASH : []);
    this.#outlines = new OutlineBatch((path) => context.stroke(path));
  }

  /** Draws one, now or with those after it; gives the length of line that this took, in CSS pixels. */
  draw(footprint: VisibleFootprint): number {
    const key = pixelKey(this.#frame, this.#set, footprint);
    const count = this.#drawn.get(key) ?? 0;
    this.#drawn.set(key, count + 1);
    if (count < MAX_STACKED_FILLS) this.#fill(footprint);
    if (count > 0) return 0;
    if (isDot(this.#frame, this.#set, footprint.index)) {
      paintDot(this.#frame, this.#set, footprint);
      return LINE_OF_OUTLINE_PX;
    }
    tracePath(this.#frame, this.#set, { footprint, path: this.#outlines.next(), isStroke: true });
    return LINE_OF_OUTLINE_PX + 2 * this.#sizePx(footprint.index);
  }

  /** Draws what is left. */
  finish(): void {
    const { context } = this.#frame;
    this.#outlines.finish();
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  #fill(footprint: VisibleFootprint): void {
    if (this.#density === 'outlined' || this.#density === 'dense') return;
    this.#frame.context.globalAlpha = FILL_OPACITY[this.#density];
    fillRings(this.#frame, this.#set, footprint);
    this.#frame.context.globalAlpha = this.#lineOpacity;
  }

  /** Width and height of a footprint's box on screen, as far as the canvas may show them. */
  #sizePx(index: number): number {
    const { scale, width, height } = this.#frame;
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = this.#set.bounds.subarray(index * 4, index * 4 + 4);
    return Math.min(width, (maxX - minX) * scale) + Math.min(height, (maxY - minY) * scale);
  }
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
