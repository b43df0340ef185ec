import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry, Position } from 'geojson';
import { bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { footprintOf } from '#shared/stac/item.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { builtIn } from '../columns/column-names.ts';
import { createRoughRing, footprintKinds, readRing } from '../columns/footprint-chunk.ts';
import { withSlack } from '../columns/footprint-place.ts';
import { createNumberReader, type NumberReader } from './number-reader.ts';
import { createAreaGrid, type AreaGrid, type BoxRelation } from './area-grid.ts';
import { verdicts, type BlockColumns, type SlotTest, type Term, type Verdict } from './term.ts';
import { touchRing } from './touch-ring.ts';

/** More parts than this are searched by the one box around them all. */
const maxBoxes = 16;

/** The spatial part of a query: boxes that find candidates fast, and what decides for good. */
export interface Area {
  /** None for a geometry without positions, which nothing can touch. */
  boxes: readonly Bbox[];
  term: Term;
}

/**
 * Reads `bbox`, which is matched against the Item's bbox, or `intersects`, matched against its geometry
 * (catalog-service.md §4.6). Null when the query names no area.
 */
export function readArea(query: SearchQuery): Area | null {
  const bbox = toBbox(query.bbox);
  if (bbox) {
    const boxes = splitAtAntimeridian(bbox);
    return { boxes, term: createBoxTerm(boxes) };
  }
  if (!query.intersects) return null;
  const geometry = query.intersects as Geometry;
  const boxes = boxesOf(geometry).map(withSlack);
  return { boxes, term: createIntersectionTerm(geometry, boxes) };
}

function createBoxTerm(boxes: readonly Bbox[]): Term {
  return {
    readsItem: false,
    accepts: ({ box }) => box !== null && touchesAny(box, boxes),
    bind(columns) {
      const isTouching = bindBoxes(createBoxReaders(columns), boxes);
      return (slot) => (isTouching(slot) ? verdicts.yes : verdicts.no);
    },
  };
}

function createIntersectionTerm(geometry: Geometry, boxes: readonly Bbox[]): Term {
  const grid = createAreaGrid(geometry);
  const ring = createRoughRing();
  return {
    readsItem: true,
    accepts(facts) {
      const footprint = footprintOf(facts.item());
      return footprint !== null && booleanIntersects(closeRings(footprint), geometry);
    },
    bind(columns): SlotTest | Verdict {
      const chunk = columns.footprints();
      if (!chunk) return verdicts.no;
      const readers = createBoxReaders(columns);
      const isTouching = bindBoxes(readers, boxes);
      return (slot) => {
        const kind = chunk.kinds[slot] ?? footprintKinds.none;
        if (kind === footprintKinds.none) return verdicts.no;
        if (kind === footprintKinds.astray) return verdicts.unsure;
        if (!isTouching(slot)) return verdicts.no;
        const box = readBox(readers, slot);
        const byBox = grid && relateToGrid(grid, box);
        if (byBox === null || byBox === 'unsure') {
          if (!grid || kind === footprintKinds.complex) return verdicts.unsure;
          readRing({ chunk, slot, box }, ring);
          return touchRing(grid, ring);
        }
        return byBox === 'inside' ? verdicts.yes : verdicts.no;
      };
    },
  };
}

function relateToGrid(grid: AreaGrid, box: Bbox): BoxRelation {
  return box[0] > box[2] ? 'unsure' : grid.relateBox(withSlack(box));
}

interface BoxReaders {
  west: NumberReader;
  south: NumberReader;
  east: NumberReader;
  north: NumberReader;
}

function createBoxReaders(columns: BlockColumns): BoxReaders {
  return {
    west: createNumberReader(columns.column(builtIn.west)),
    south: createNumberReader(columns.column(builtIn.south)),
    east: createNumberReader(columns.column(builtIn.east)),
    north: createNumberReader(columns.column(builtIn.north)),
  };
}

function readBox({ west, south, east, north }: BoxReaders, slot: number): Bbox {
  return [west(slot), south(slot), east(slot), north(slot)];
}

// As `touchesAny`, and reads no more of a box than it needs: most are too far north or south.
function bindBoxes(readers: BoxReaders, boxes: readonly Bbox[]): (slot: number) => boolean {
  const { west, south, east, north } = readers;
  const [lowest, highest] = [
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[3])),
  ];
  return (slot) => {
    const itemSouth = south(slot);
    if (!(itemSouth <= highest)) return false;
    const itemNorth = north(slot);
    return itemNorth >= lowest && touchesAny([west(slot), itemSouth, east(slot), itemNorth], boxes);
  };
}

function boxesOf(geometry: Geometry): Bbox[] {
  const parts: Geometry[] =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
      : [geometry];
  const boxes = (parts.length <= maxBoxes ? parts : [geometry]).map(bboxOfGeometry);
  return boxes.filter((box) => box !== null);
}

// An Item's box with west > east crosses the antimeridian: it reaches from west to 180 and from -180 to east.
function touchesAny([west, south, east, north]: Bbox, boxes: readonly Bbox[]): boolean {
  for (const box of boxes) {
    if (!(south <= box[3] && north >= box[1])) continue;
    const [isWestOfEnd, isEastOfStart] = [west <= box[2], east >= box[0]];
    if (west <= east ? isWestOfEnd && isEastOfStart : isWestOfEnd || isEastOfStart) return true;
  }
  return false;
}

// A ring that its sender left open is taken for the closed one.
function closeRings(footprint: Geometry): Geometry {
  if (footprint.type === 'Polygon')
    return { ...footprint, coordinates: footprint.coordinates.map(closeRing) };
  if (footprint.type === 'MultiPolygon') {
    return { ...footprint, coordinates: footprint.coordinates.map((rings) => rings.map(closeRing)) };
  }
  return footprint;
}

function closeRing(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return ring;
  return [...ring, first];
}
