import type { Bbox } from '../stac/bbox.ts';
import { wrapLongitude } from './mercator.ts';

/** The smallest box around several, as the crow flies over the antimeridian where that is shorter. Null for none. */
export function uniteBboxes(boxes: Iterable<Bbox>): Bbox | null {
  const spans: [from: number, to: number][] = [];
  let south = Infinity;
  let north = -Infinity;
  for (const [west, bottom, east, top] of boxes) {
    if (![west, bottom, east, top].every(Number.isFinite) || Math.abs(bottom) > 90 || Math.abs(top) > 90)
      continue;
    const from = wrapLongitude(west);
    spans.push([from, from + Math.min(360, west > east ? east + 360 - west : east - west)]);
    south = Math.min(south, bottom);
    north = Math.max(north, top);
  }
  if (spans.length === 0) return null;
  const [west, east] = smallestSpan(spans);
  return [west, south, east > 180 ? east - 360 : east, north];
}

const MIN_GAP_DEGREES = 90;

/** Goes around the world once and leaves out the widest gap. */
function smallestSpan(spans: [from: number, to: number][]): [west: number, east: number] {
  spans.sort((a, b) => a[0] - b[0]);
  const [first] = spans;
  if (!first) return [-180, 180];
  let reached = first[1];
  let widest = { gap: -Infinity, after: reached, before: first[0] };
  for (const [from, to] of spans) {
    if (from - reached > widest.gap) widest = { gap: from - reached, after: reached, before: from };
    reached = Math.max(reached, to);
  }
  const lastGap = first[0] + 360 - reached;
  if (lastGap >= widest.gap) return lastGap <= 0 ? [-180, 180] : [first[0], reached];
  // Results nearly all around the world are looked for on the usual map, not on one that begins in the middle of Asia.
  return widest.gap < MIN_GAP_DEGREES ? [-180, 180] : [widest.before, widest.after + 360];
}
