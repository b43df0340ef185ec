import type { Bbox } from '#shared/stac/bbox.ts';
import type { NumberChunk } from '../columns/column-chunk.ts';
import { builtIn } from '../columns/column-names.ts';
import { createNumberReader } from './number-reader.ts';
import { bindRange } from './number-test.ts';
import { verdicts, type BlockColumns, type SlotTest } from './term.ts';

/** The boxes of a block's Items. */
export interface BoxColumns {
  /** Not numbers where an Item has no box. The same array each time, filled anew: thousands are looked at and forgotten. */
  at(slot: number): Bbox;
  /** Leaves out what is too far north or south, then what is too far west or east; what crosses the antimeridian stays. */
  near(outline: Bbox): SlotTest[];
}

const noNumbers: NumberChunk = { kind: 'numbers', values: new Float64Array(), scale: 1 };

/** Reads the columns of boxes. */
export function readBoxColumns(columns: BlockColumns): BoxColumns {
  const [west, south, east, north] = [builtIn.west, builtIn.south, builtIn.east, builtIn.north].map(
    (name) => {
      const chunk = columns.column(name);
      // They are numbers, or there is no box in the block.
      return chunk?.kind === 'numbers' ? chunk : noNumbers;
    },
  ) as [NumberChunk, NumberChunk, NumberChunk, NumberChunk];
  const [westOf, southOf] = [createNumberReader(west), createNumberReader(south)];
  const [eastOf, northOf] = [createNumberReader(east), createNumberReader(north)];
  const box: [...Bbox] = [NaN, NaN, NaN, NaN];
  return {
    at(slot) {
      box[0] = westOf(slot);
      box[1] = southOf(slot);
      box[2] = eastOf(slot);
      box[3] = northOf(slot);
      return box;
    },
    near: (outline) => [
      bindRange(south, { from: -Infinity, to: outline[3] }),
      bindRange(north, { from: outline[1], to: Infinity }),
      createAcrossTest(west, east, outline),
    ],
  };
}

/** The longitudes and latitudes between which all of some boxes lie, none of which crosses the antimeridian. */
export function outlineOf(boxes: readonly Bbox[]): Bbox {
  const side = (index: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) =>
    pick(...boxes.map((box) => box[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

/** Whether an Item's box touches one of some. With west > east it crosses the antimeridian: to 180, and on from -180. */
export function touchesAny([west, south, east, north]: Bbox, boxes: readonly Bbox[]): boolean {
  for (const box of boxes) {
    if (!(south <= box[3] && north >= box[1])) continue;
    const [isWestOfEnd, isEastOfStart] = [west <= box[2], east >= box[0]];
    if (west <= east ? isWestOfEnd && isEastOfStart : isWestOfEnd || isEastOfStart) return true;
  }
  return false;
}

// Longitudes alone.
function createAcrossTest(west: NumberChunk, east: NumberChunk, [from, , to]: Bbox): SlotTest {
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
