import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry } from 'geojson';
import { bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { footprintOf } from '#shared/stac/item.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import {
  createRoughRing,
  footprintKinds,
  readRing,
  type FootprintChunk,
} from '../columns/footprint-chunk.ts';
import { boxSlack, withSlack } from '../columns/footprint-place.ts';
import { createAreaGrid, type AreaGrid, type BoxRelation } from './area-grid.ts';
import { BoxColumns, BoxTest, outlineOf, touchesAny } from './box-columns.ts';
import { verdicts, type SlotTest, type Term, type Verdict } from './term.ts';
import { toPlainGeometry } from './plain-geometry.ts';
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
  const outline = outlineOf(boxes);
  return {
    readsItem: false,
    accepts: ({ box }) => box !== null && touchesAny(box, boxes),
    bind: (columns) =>
      new BoxTest(new BoxColumns(columns), outline, (_slot, box) =>
        touchesAny(box, boxes) ? verdicts.yes : verdicts.no,
      ),
  };
}

function createIntersectionTerm(geometry: Geometry, boxes: readonly Bbox[]): Term {
  const grid = createAreaGrid(geometry);
  const outline = outlineOf(boxes);
  const ring = createRoughRing();
  const plain = toPlainGeometry(geometry);
  return {
    readsItem: true,
    accepts(facts) {
      const footprint = footprintOf(facts.item());
      return footprint !== null && booleanIntersects(toPlainGeometry(footprint), plain);
    },
    bind(columns): SlotTest | Verdict {
      const chunk = columns.footprints();
      if (!chunk) return verdicts.no;
      const test = new BoxTest(new BoxColumns(columns), outline, (slot, box) => {
        const kind = chunk.kinds[slot] ?? footprintKinds.none;
        if (kind === footprintKinds.none) return verdicts.no;
        const byBox = grid && relateToGrid(grid, box);
        if (byBox === null || byBox === 'unsure') {
          if (!grid || kind === footprintKinds.complex) return verdicts.unsure;
          readRing({ chunk, slot, box }, ring);
          return touchRing(grid, ring);
        }
        return byBox === 'inside' ? verdicts.yes : verdicts.no;
      });
      return exceptAstray(chunk, test);
    },
  };
}

// A footprint that isn't where its box is has to be looked at wherever that is.
function exceptAstray({ kinds, hasAstray }: FootprintChunk, test: SlotTest): SlotTest {
  const isAstray = (slot: number) => kinds[slot] === footprintKinds.astray;
  if (!hasAstray) return test;
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
  return box[0] > box[2] ? 'unsure' : grid.relateBox(box, boxSlack);
}

function boxesOf(geometry: Geometry): Bbox[] {
  const parts: Geometry[] =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
      : [geometry];
  const boxes = (parts.length <= maxBoxes ? parts : [geometry]).map(bboxOfGeometry);
  return boxes.filter((box) => box !== null);
}
