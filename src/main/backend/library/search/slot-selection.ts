import { blockSize } from '../columns/column-chunk.ts';
import { verdicts, type SlotTest, type Verdict } from './term.ts';

const allSlots = Uint16Array.from({ length: blockSize }, (_, slot) => slot);

/** Slots of a block that have passed so far, in no order. Made to be used again. */
export class SlotSelection {
  /** Those that are left come first. */
  readonly slots = new Uint16Array(blockSize);
  /** How many are left. */
  count = 0;
  /** By slot, 1 for an Item that has to be looked at; of those that are left. */
  readonly unsure = new Uint8Array(blockSize);
  hasUnsure = false;

  /** Begins with all slots. */
  reset(): void {
    this.slots.set(allSlots);
    this.count = blockSize;
    if (this.hasUnsure) this.unsure.fill(0);
    this.hasUnsure = false;
  }

  /** Those that are left. */
  taken(): Uint16Array {
    return this.slots.subarray(0, this.count);
  }

  /** Takes some out, and gives them. */
  remove(isMeant: (slot: number) => boolean): number[] {
    const removed: number[] = [];
    let kept = 0;
    for (const slot of this.taken()) {
      if (isMeant(slot)) removed.push(slot);
      else this.slots[kept++] = slot;
    }
    this.count = kept;
    return removed;
  }

  /** Puts one that was taken out back, to be looked at. */
  addUnsure(slot: number): void {
    this.slots[this.count++] = slot;
    this.markUnsure(slot);
  }

  /** The Item in a slot has to be looked at. */
  markUnsure(slot: number): void {
    this.unsure[slot] = 1;
    this.hasUnsure = true;
  }
}

/** Passes what all pass, which are asked one after the other. */
export function allOf(tests: readonly SlotTest[]): SlotTest {
  const [first] = tests;
  if (first && tests.length === 1) return first;
  return {
    judge(slot) {
      let verdict: Verdict = verdicts.yes;
      for (const test of tests) {
        const one = test.judge(slot);
        if (one === verdicts.no) return one;
        if (one === verdicts.unsure) verdict = one;
      }
      return verdict;
    },
    sift(selection) {
      for (const test of tests) {
        if (selection.count === 0) return;
        test.sift(selection);
      }
    },
  };
}

/** A test that is asked slot by slot. */
export function createSlotTest(judge: (slot: number) => Verdict): SlotTest {
  return {
    judge,
    sift(selection) {
      const { slots, count } = selection;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const slot = slots[index] ?? 0;
        const verdict = judge(slot);
        if (verdict === verdicts.no) continue;
        slots[kept++] = slot;
        if (verdict === verdicts.unsure) selection.markUnsure(slot);
      }
      selection.count = kept;
    },
  };
}

// Loops that keep some of many add 0 or 1 instead of branching: a processor guesses wrong half of the time, and such a
// loop takes four times as long.

/** Codes whose verdicts a table lists; a code beyond it is refused. */
export function createTableTest(
  codes: Uint8Array | Uint16Array | Int32Array | Float64Array,
  table: Uint8Array,
): SlotTest {
  const judge = (slot: number) => (table[codes[slot] ?? -1] ?? verdicts.no) as Verdict;
  return {
    judge,
    sift(selection) {
      const { slots, count } = selection;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const slot = slots[index] ?? 0;
        const verdict = table[codes[slot] ?? -1] ?? verdicts.no;
        slots[kept] = slot;
        kept += Number(verdict !== verdicts.no);
        if (verdict === verdicts.unsure) selection.markUnsure(slot);
      }
      selection.count = kept;
    },
  };
}

/** Values between two, both included; what is not a number is refused. */
export function createRangeTest(
  values: Float64Array | Int32Array,
  { from, to }: { from: number; to: number },
): SlotTest {
  return {
    judge(slot) {
      const value = values[slot] ?? NaN;
      return value >= from && value <= to ? verdicts.yes : verdicts.no;
    },
    sift(selection) {
      const { slots, count } = selection;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const slot = slots[index] ?? 0;
        const value = values[slot] ?? NaN;
        slots[kept] = slot;
        kept += Number(value >= from) & Number(value <= to);
      }
      selection.count = kept;
    },
  };
}
