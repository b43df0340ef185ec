import { bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';
import { bboxOf, footprintOf, type StacItem } from '#shared/stac/item.ts';
import type { Geometry, Position } from 'geojson';
import { blockSize } from './column-chunk.ts';
import { isWithinBox, withSlack } from './footprint-place.ts';
import { unpack, unshuffleInPlace } from './decode-chunk.ts';
import { pack, shuffle } from './encode-chunk.ts';

/** What is known of a footprint beside its box. From `firstRing` on: a ring of so many corners, without holes. */
export const footprintKinds = {
  none: 0,
  /** Look at the Item: the footprint isn't where the box is. */
  astray: 1,
  /** Look at the Item: the footprint is within its box, and no simple ring. */
  complex: 2,
  firstRing: 3,
} as const;

const mostCorners = 200;
const steps = 65_535;
/** Where the corners of a block are put right, one block after the other. */
let scratch = new Uint16Array(0);

/**
 * The footprints of a block's Items: corners in 65,535 steps across the Item's box, which is about a metre for a scene
 * of a hundred kilometres.
 */
export interface FootprintChunk {
  kinds: Uint8Array;
  /** Whether the footprint of one of them isn't where its box is. */
  hasAstray: boolean;
  /** Where the corners of an Item begin in `corners`. */
  starts: Uint32Array;
  /** East and north, alternately. */
  corners: Uint16Array;
}

/** A footprint as it is kept: its kind, and the corners of a ring. */
export interface FootprintCell {
  kind: number;
  corners: readonly number[] | Uint16Array;
}

/** A ring in degrees, `count` corners of it; the true ones are within `tolerance` of these. Made to be used again. */
export interface RoughRing {
  xs: Float64Array;
  ys: Float64Array;
  count: number;
  tolerance: number;
}

/** Room for any ring. */
export function createRoughRing(): RoughRing {
  return { xs: new Float64Array(mostCorners), ys: new Float64Array(mostCorners), count: 0, tolerance: 0 };
}

/** What is kept of an Item's footprint. */
export function toFootprintCell(item: StacItem): FootprintCell {
  const footprint = footprintOf(item);
  const bounds = footprint && bboxOfGeometry(footprint);
  if (!footprint || !bounds) return { kind: footprintKinds.none, corners: [] };
  const box = bboxOf(item);
  if (!box || !isWithinBox(bounds, box)) return { kind: footprintKinds.astray, corners: [] };
  const ring = box[0] <= box[2] ? simpleRingOf(footprint) : null;
  if (!ring) return { kind: footprintKinds.complex, corners: [] };
  const [west, south, east, north] = withSlack(box);
  return {
    kind: ring.length,
    corners: ring.flatMap(([x = 0, y = 0]) => [
      Math.round(((x - west) / (east - west)) * steps),
      Math.round(((y - south) / (north - south)) * steps),
    ]),
  };
}

/** Stores the footprints of a block by slot. */
export function encodeFootprints(cells: readonly (FootprintCell | undefined)[]): Buffer {
  const kinds = new Uint8Array(blockSize);
  const corners: number[] = [];
  cells.forEach((cell, slot) => {
    if (!cell) return;
    kinds[slot] = cell.kind;
    for (const corner of cell.corners) corners.push(corner);
  });
  return pack([], kinds, shuffle(Uint16Array.from(corners)));
}

/** Reads what `encodeFootprints` stored. */
export function decodeFootprints(stored: Buffer): FootprintChunk {
  const bytes = unpack(stored, 0);
  const kinds = bytes.subarray(0, blockSize);
  const starts = new Uint32Array(blockSize);
  let length = 0;
  kinds.forEach((kind, slot) => {
    starts[slot] = length;
    if (kind >= footprintKinds.firstRing) length += 2 * kind;
  });
  if (scratch.length < length) scratch = new Uint16Array(length);
  const corners = new Uint16Array(
    ...unshuffleInPlace(bytes.subarray(blockSize), scratch.subarray(0, length)),
  );
  return { kinds, hasAstray: kinds.includes(footprintKinds.astray), starts, corners };
}

/** Brings a kept ring into degrees. */
export function readRing(
  { chunk, slot, box }: { chunk: FootprintChunk; slot: number; box: Bbox },
  into: RoughRing,
): void {
  const [west, south, east, north] = withSlack(box);
  const [width, height] = [east - west, north - south];
  const start = chunk.starts[slot] ?? 0;
  into.count = chunk.kinds[slot] ?? 0;
  // Half a step, and the rounding of the sums.
  into.tolerance = Math.max(width, height) / steps / 2 + 1e-12;
  for (let corner = 0; corner < into.count; corner++) {
    into.xs[corner] = west + ((chunk.corners[start + 2 * corner] ?? 0) / steps) * width;
    into.ys[corner] = south + ((chunk.corners[start + 2 * corner + 1] ?? 0) / steps) * height;
  }
}

// A closed ring without holes, without its last position.
function simpleRingOf(footprint: Geometry): Position[] | null {
  if (footprint.type !== 'Polygon' || footprint.coordinates.length !== 1) return null;
  const ring = footprint.coordinates[0] ?? [];
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
  const count = ring.length - 1;
  return isClosed && count >= footprintKinds.firstRing && count <= mostCorners ? ring.slice(0, -1) : null;
}
