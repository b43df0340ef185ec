import { bboxOfGeometry, splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import { bboxOf, footprintOf, type StacItem } from '#shared/stac/item.ts';

/** Servers round boxes and footprints apart: so far, in degrees, a footprint may stand out of its box. */
export const boxSlack = 0.001;

/** The box that a footprint is within although it stands out of its own. */
export function withSlack([west, south, east, north]: Bbox): Bbox {
  return [west - boxSlack, south - boxSlack, east + boxSlack, north + boxSlack];
}

/** Whether a footprint with these bounds is within the Item's box, or stands out of it by no more than is rounded. */
export function isWithinBox(bounds: Bbox, box: Bbox): boolean {
  // A footprint cut at the antimeridian reaches from one half of its box to the other.
  const [west, south, east, north] = withSlack(joinBoxes(splitAtAntimeridian(box)));
  return bounds[0] >= west && bounds[1] >= south && bounds[2] <= east && bounds[3] <= north;
}

/**
 * A box around both where an Item's box doesn't say where its footprint is: `bbox` asks for the one and `intersects` for
 * the other. Null for nearly all Items, which are found by their own box.
 */
export function boxIfAstray(item: StacItem): Bbox | null {
  const box = bboxOf(item);
  const footprint = footprintOf(item);
  const bounds = footprint && bboxOfGeometry(footprint);
  if (!box || !bounds || isWithinBox(bounds, box)) return null;
  return joinBoxes([bounds, ...splitAtAntimeridian(box)]);
}

function joinBoxes(boxes: readonly Bbox[]): Bbox {
  return boxes.reduce((around, box): Bbox => [
    Math.min(around[0], box[0]),
    Math.min(around[1], box[1]),
    Math.max(around[2], box[2]),
    Math.max(around[3], box[3]),
  ]);
}
