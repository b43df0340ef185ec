import { bboxOfGeometry, splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import { bboxOf, footprintOf, type StacItem } from '#shared/stac/item.ts';
import { isAstray } from './footprint-chunk.ts';

/**
 * The boxes by which an Item is found: its own, in two halves where it crosses the antimeridian. One whose footprint is
 * elsewhere has a box around both, for `bbox` asks for its box and `intersects` for its footprint.
 */
export function indexedBoxes(item: StacItem): readonly Bbox[] {
  const bbox = bboxOf(item);
  if (!bbox) return [];
  const halves = splitAtAntimeridian(bbox);
  const footprint = footprintOf(item);
  const bounds = footprint && bboxOfGeometry(footprint);
  if (!bounds || !isAstray(item)) return halves;
  return [
    halves.reduce(
      (around, half): Bbox => [
        Math.min(around[0], half[0]),
        Math.min(around[1], half[1]),
        Math.max(around[2], half[2]),
        Math.max(around[3], half[3]),
      ],
      bounds,
    ),
  ];
}
