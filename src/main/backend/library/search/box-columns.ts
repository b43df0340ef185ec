import type { Bbox } from '#shared/stac/bbox.ts';
import { missingInteger, type NumberChunk } from '../columns/column-chunk.ts';
import { builtIn } from '../columns/column-names.ts';
import { bindRange } from './number-test.ts';
import { createSlotTest, type SlotSelection } from './slot-selection.ts';
import { verdicts, type BlockColumns, type SlotTest, type Verdict } from './term.ts';

const noNumbers: NumberChunk = { kind: 'numbers', values: new Float64Array(), scale: 1 };

/** The boxes of a block's Items. */
export class BoxColumns {
  readonly #west: NumberChunk;
  readonly #south: NumberChunk;
  readonly #east: NumberChunk;
  readonly #north: NumberChunk;

  constructor(columns: BlockColumns) {
    this.#west = readNumbers(columns, builtIn.west);
    this.#south = readNumbers(columns, builtIn.south);
    this.#east = readNumbers(columns, builtIn.east);
    this.#north = readNumbers(columns, builtIn.north);
  }

  /** Brings an Item's box into an array, because thousands are looked at and forgotten; not numbers where it has none. */
  read(slot: number, into: [...Bbox]): Bbox {
    into[0] = numberAt(this.#west, slot);
    into[1] = numberAt(this.#south, slot);
    into[2] = numberAt(this.#east, slot);
    into[3] = numberAt(this.#north, slot);
    return into;
  }

  /** Leaves out what is too far north or south, then what is too far west or east; what crosses the antimeridian stays. */
  siftNear(outline: Bbox, selection: SlotSelection): void {
    bindRange(this.#south, { from: -Infinity, to: outline[3] }).sift(selection);
    bindRange(this.#north, { from: outline[1], to: Infinity }).sift(selection);
    siftAcross(this.#west, this.#east, { outline, selection });
  }
}

const scratch: [...Bbox] = [NaN, NaN, NaN, NaN];

/** A test of Items whose box touches an outline; no other passes. One object a block: a page looks into a hundred. */
export class BoxTest implements SlotTest {
  readonly #boxes: BoxColumns;
  readonly #outline: Bbox;
  readonly #judgeNear: (slot: number, box: Bbox) => Verdict;

  /** `judgeNear` must not keep the box. */
  constructor(boxes: BoxColumns, outline: Bbox, judgeNear: (slot: number, box: Bbox) => Verdict) {
    this.#boxes = boxes;
    this.#outline = outline;
    this.#judgeNear = judgeNear;
  }

  judge(slot: number): Verdict {
    const box = this.#boxes.read(slot, scratch);
    return isNear(box, this.#outline) ? this.#judgeNear(slot, box) : verdicts.no;
  }

  sift(selection: SlotSelection): void {
    this.#boxes.siftNear(this.#outline, selection);
    if (selection.count > 0) createSlotTest((slot) => this.judge(slot)).sift(selection);
  }
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

function isNear(box: Bbox, outline: Bbox): boolean {
  if (!(box[1] <= outline[3] && box[3] >= outline[1])) return false;
  return (box[0] <= outline[2] && box[2] >= outline[0]) || box[0] > box[2];
}

function readNumbers(columns: BlockColumns, name: string): NumberChunk {
  const chunk = columns.column(name);
  // They are numbers, or there is no box in the block.
  return chunk?.kind === 'numbers' ? chunk : noNumbers;
}

function numberAt({ values, scale }: NumberChunk, slot: number): number {
  const value = values[slot] ?? NaN;
  return value === missingInteger && values instanceof Int32Array ? NaN : value / scale;
}

// Longitudes alone.
function siftAcross(
  { values: wests, scale: westScale }: NumberChunk,
  { values: easts, scale: eastScale }: NumberChunk,
  { outline: [from, , to], selection }: { outline: Bbox; selection: SlotSelection },
): void {
  const { slots, count } = selection;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const slot = slots[index] ?? 0;
    const west = (wests[slot] ?? NaN) / westScale;
    const east = (easts[slot] ?? NaN) / eastScale;
    slots[kept] = slot;
    kept += (Number(west <= to) & Number(east >= from)) | Number(west > east);
  }
  selection.count = kept;
}
