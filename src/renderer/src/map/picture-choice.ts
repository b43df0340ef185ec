import type { FootprintSet, VisibleFootprint, WorldBox } from './footprint-set.ts';

/** Smaller ones show nothing that can be made out. */
const minSidePx = 40;
/** So many at most, so that a pan stays smooth. */
const maxPictures = 60;

/**
 * The footprints whose pictures are shown, in the order in which they are painted: the largest on the screen, and those
 * that came first over the others. Of several in the very same place only the first could be seen.
 */
export function choosePictures(
  { whole, scale }: { whole: WorldBox; scale: number },
  set: FootprintSet,
  hasPicture: (index: number) => boolean,
): VisibleFootprint[] {
  const places = new Set<string>();
  const sizes = new Map<VisibleFootprint, number>();
  for (const footprint of set.findVisible(whole).sort((a, b) => a.index - b.index)) {
    const box = set.boxOf(footprint.index);
    if (!box || !hasPicture(footprint.index)) continue;
    const [width, height] = [(box.maxX - box.minX) * scale, (box.maxY - box.minY) * scale];
    if (Math.min(width, height) < minSidePx) continue;
    const place = [box.minX + footprint.offset, box.minY, box.maxX - box.minX, box.maxY - box.minY]
      .map((number) => Math.round(number * scale))
      .join();
    if (places.has(place)) continue;
    places.add(place);
    sizes.set(footprint, width * height);
  }
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxPictures)
    .map(([footprint]) => footprint)
    .sort((a, b) => b.index - a.index);
}
