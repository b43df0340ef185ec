import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry, Position } from 'geojson';
import { bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { footprintOf } from '#shared/stac/item.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { builtIn } from '../columns/column-names.ts';
import { createRoughRing, footprintKinds, readRing } from '../columns/footprint-chunk.ts';
import { withSlack } from '../columns/footprint-place.ts';
import { createNumberReader } from './number-reader.ts';
import { createAreaGrid, type AreaGrid, type BoxRelation } from './area-grid.ts';
import { bindRange, type NumberValues } from './number-test.ts';
import { allOf, createSlotTest } from './slot-selection.ts';
import { verdicts, type BlockColumns, type SlotTest, type Term, type Verdict } from './term.ts';
import { touchRing } from './touch-ring.ts';

const noNumbers: NumberValues = { values: new Float64Array(), scale: 1 };

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
      const readBox = createBoxReader(columns);
      const exact = createSlotTest((slot) => (touchesAny(readBox(slot), boxes) ? verdicts.yes : verdicts.no));
      return allOf([...bindAround(columns, boxes), exact]);
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
      const readBox = createBoxReader(columns);
      const near = createSlotTest((slot) => {
        const kind = chunk.kinds[slot] ?? footprintKinds.none;
        if (kind === footprintKinds.none) return verdicts.no;
        const box = readBox(slot);
        const byBox = grid && relateToGrid(grid, box);
        if (byBox === null || byBox === 'unsure') {
          if (!grid || kind === footprintKinds.complex) return verdicts.unsure;
          readRing({ chunk, slot, box }, ring);
          return touchRing(grid, ring);
        }
        return byBox === 'inside' ? verdicts.yes : verdicts.no;
      });
      return exceptAstray(chunk.kinds, allOf([...bindAround(columns, boxes), near]));
    },
  };
}

// A footprint that isn't where its box is has to be looked at wherever that is.
function exceptAstray(kinds: Uint8Array, test: SlotTest): SlotTest {
  const isAstray = (slot: number) => kinds[slot] === footprintKinds.astray;
  if (!kinds.includes(footprintKinds.astray)) return test;
  return {
    judge: (slot) => (isAstray(slot) ? verdicts.unsure : test.judge(slot)),
    sift(selection) {
      const astray = selection.remove(isAstray);
      test.sift(selection);
      for (const slot of astray) selection.addUnsure(slot);
    },
  };
}

function relateToGrid(grid: AreaGrid, box: Bbox): BoxRelation {
  return box[0] > box[2] ? 'unsure' : grid.relateBox(withSlack(box));
}

function createBoxReader(columns: BlockColumns): (slot: number) => Bbox {
  const west = createNumberReader(columns.column(builtIn.west));
  const south = createNumberReader(columns.column(builtIn.south));
  const east = createNumberReader(columns.column(builtIn.east));
  const north = createNumberReader(columns.column(builtIn.north));
  return (slot) => [west(slot), south(slot), east(slot), north(slot)];
}

// Leaves out what is too far north or south, then what is too far west or east.
function bindAround(columns: BlockColumns, boxes: readonly Bbox[]): SlotTest[] {
  const chunkOf = (name: string): NumberValues => {
    const chunk = columns.column(name);
    // Columns of boxes are numbers, or there is no box in the block.
    return chunk?.kind === 'numbers' ? chunk : noNumbers;
  };
  const around = outlineOf(boxes);
  return [
    bindRange(chunkOf(builtIn.south), { from: -Infinity, to: around[3] }),
    bindRange(chunkOf(builtIn.north), { from: around[1], to: Infinity }),
    createAcrossTest(chunkOf(builtIn.west), chunkOf(builtIn.east), around),
  ];
}

// Longitudes alone. What crosses the antimeridian passes.
function createAcrossTest(west: NumberValues, east: NumberValues, [from, , to]: Bbox): SlotTest {
  const [wests, easts] = [west.values, east.values];
  // 1 or 0.
  const isNear = (slot: number) => {
    const itemWest = (wests[slot] ?? NaN) / west.scale;
    const itemEast = (easts[slot] ?? NaN) / east.scale;
    return (Number(itemWest <= to) & Number(itemEast >= from)) | Number(itemWest > itemEast);
  };
  return {
    judge: (slot) => (isNear(slot) === 1 ? verdicts.yes : verdicts.no),
    sift(selection) {
      const { slots, count } = selection;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const slot = slots[index] ?? 0;
        slots[kept] = slot;
        kept += isNear(slot);
      }
      selection.count = kept;
    },
  };
}

function outlineOf(boxes: readonly Bbox[]): Bbox {
  const side = (index: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) =>
    pick(...boxes.map((box) => box[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
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
