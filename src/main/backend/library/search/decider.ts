import { setImmediate } from 'node:timers/promises';
import { blockBits, blockSize } from '../columns/column-chunk.ts';
import { builtIn, propertyColumn } from '../columns/column-names.ts';
import { uncoveredRanges, type ColumnReader, type Coverage } from '../columns/column-reader.ts';
import { missingDatetimeMicros } from '../item-slice.ts';
import type { CompiledQuery } from './compile-query.ts';
import type { ItemRows } from './item-rows.ts';
import { SummaryBuilder, groupByBlock } from './answer-summary.ts';
import type { OrderFront } from './order-front.ts';
import { createNumberReader, readCloudCover, type NumberReader } from './number-reader.ts';
import { allOf, SlotSelection } from './slot-selection.ts';
import type { SortOrder } from './sort-order.ts';
import { verdicts, type BlockColumns, type SlotTest, type Verdict } from './term.ts';

/** How long a task may hold the event loop, in milliseconds. */
const sliceMs = 6;
/** Items that are looked at one by one before the clock is asked. */
const itemsPerLook = 20;
const candidatesPerLook = 1000;
/** Matches that are gathered before a sieve is used. */
const matchesToThin = 1000;
const allItems = { withItems: true };

/** Items that match: their row numbers, and beside them their values in the answer's order. */
export interface Matches {
  pks: number[];
  sortValues: number[];
}

/** Leaves out what isn't wanted of the matches that are being gathered. */
export interface MatchSieve {
  /** Whether, after what was thinned so far, Items of this value are out. */
  isOut(sortValue: number): boolean;
  thin(matches: Matches): Matches;
}

/** What a decider works with. */
export interface DeciderParts {
  reader: ColumnReader;
  rows: ItemRows;
  signal: AbortSignal | undefined;
}

/** A query's terms for the Items of one block. */
interface BoundTerms {
  /** Without what all Items of the block pass. Null when none of them can match. */
  test: SlotTest | null;
  /** Whether all that pass have to be looked at. */
  isUnsure: boolean;
}

interface BoundBlock extends BoundTerms {
  coveredPk: number;
  sortValue: NumberReader;
}

/** Decides which Items match a query: by columns where they tell, otherwise by the Items themselves. */
export class Decider {
  readonly #coverage: Coverage;
  readonly #compiled: CompiledQuery;
  readonly #parts: DeciderParts;
  readonly #readsItem: boolean;
  /** By block; null for one that isn't written. */
  readonly #bound: (BoundBlock | null)[] = [];
  readonly #selection = new SlotSelection();
  #sliceStartMs = performance.now();
  #readCount = 0;

  constructor(compiled: CompiledQuery, parts: DeciderParts) {
    this.#compiled = compiled;
    this.#parts = parts;
    this.#coverage = parts.reader.coverage();
    this.#readsItem = compiled.terms.some(({ readsItem }) => readsItem);
  }

  /** What the columns covered when it began. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /** How many Items had to be unpacked to decide, so far. */
  get readCount(): number {
    return this.#readCount;
  }

  /** The matching ones of some Items that are in the library, in their order. */
  async choose(pks: readonly number[]): Promise<Matches> {
    const matches: Matches = { pks: [], sortValues: [] };
    for (let start = 0; start < pks.length; start += candidatesPerLook) {
      const some = pks.slice(start, start + candidatesPerLook);
      const verdictOf = Uint8Array.from(some, (pk) => this.#judge(pk));
      const valueByPk = verdictOf.includes(verdicts.unsure)
        ? await this.#valuesOf(some.filter((_pk, index) => verdictOf[index] === verdicts.unsure))
        : null;
      for (let index = 0; index < some.length; index++) {
        const pk = some[index] ?? -1;
        if (verdictOf[index] === verdicts.no) continue;
        const sortValue = verdictOf[index] === verdicts.yes ? this.#toldValueOf(pk) : valueByPk?.get(pk);
        if (sortValue === undefined) continue;
        matches.pks.push(pk);
        matches.sortValues.push(sortValue);
      }
      await this.rest();
    }
    return matches;
  }

  /** The matching ones of a front, from a place on and in order, at most `limit`. */
  async chooseInFront(
    { pks, columns }: OrderFront,
    { from, limit }: { from: number; limit: number },
  ): Promise<number[]> {
    const { test, isUnsure } = this.#bindTerms(columns);
    if (!test) return [];
    const selected = this.#selection;
    selected.reset();
    test.sift(selected);
    // Those that were put back stand last.
    const places = selected.hasUnsure ? selected.taken().sort() : selected.taken();
    const found: number[] = [];
    const first = places.findIndex((place) => place >= from);
    for (let start = first; start >= 0 && start < places.length && found.length < limit; start += limit) {
      const some = places.subarray(start, start + limit);
      const isSure = (place: number) => !isUnsure && selected.unsure[place] !== 1;
      const doubtful = Array.from(
        some.filter((place) => !isSure(place)),
        (place) => pks[place] ?? -1,
      );
      const confirmed = new Set((await this.#lookAt(doubtful)).pks);
      for (const place of some) {
        const pk = pks[place] ?? -1;
        if (isSure(place) || confirmed.has(pk)) found.push(pk);
      }
    }
    return found.slice(0, limit);
  }

  // What those that match are sorted by.
  async #valuesOf(pks: readonly number[]): Promise<Map<number, number>> {
    const looked = await this.#lookAt(pks);
    return new Map(looked.pks.map((pk, index) => [pk, looked.sortValues[index] ?? NaN]));
  }

  /** Whether the columns tell of an Item. */
  isTold(pk: number): boolean {
    return this.#findBlock(pk) !== null;
  }

  /** The columns of a block that is written. */
  columnsOf(block: number): BlockColumns {
    const { reader } = this.#parts;
    return {
      column: (name) => reader.column(name, block),
      footprints: () => reader.footprints(block),
      isOverflowing: this.#coverage.blocks.get(block)?.isOverflowing ?? true,
    };
  }

  /** What an Item is sorted by; NaN where it isn't in the order. */
  sortValueOf(pk: number): number {
    return this.#toldValueOf(pk) ?? this.#parts.rows.load([pk], this.#compiled.order)[0]?.sortValue ?? NaN;
  }

  /** Some Items with their values in the order, whether they match or not. */
  place(pks: readonly number[]): Matches {
    const placed: Matches = { pks: [], sortValues: [] };
    const uncovered: number[] = [];
    for (const pk of pks) {
      const sortValue = this.#toldValueOf(pk);
      if (sortValue === undefined) uncovered.push(pk);
      else {
        placed.pks.push(pk);
        placed.sortValues.push(sortValue);
      }
    }
    for (const { pk, sortValue } of this.#parts.rows.load(uncovered, this.#compiled.order)) {
      placed.pks.push(pk);
      placed.sortValues.push(sortValue);
    }
    return placed;
  }

  /** The matching ones of all Items, in no order, without those that a sieve leaves out. */
  async scan(sieve?: MatchSieve): Promise<Matches> {
    let matches: Matches = { pks: [], sortValues: [] };
    let enough = matchesToThin;
    await this.#scanBlocks((block, bound, slots) => {
      for (const slot of slots) {
        const sortValue = bound.sortValue(slot);
        if (sieve?.isOut(sortValue)) continue;
        matches.pks.push(block * blockSize + slot);
        matches.sortValues.push(sortValue);
      }
      if (!sieve || matches.pks.length < enough) return;
      matches = sieve.thin(matches);
      enough = 2 * matches.pks.length + matchesToThin;
    });
    for await (const looked of this.#lookAtUncovered()) addMatches(matches, looked);
    return matches;
  }

  /** How many of all Items match; null when more than `maxReads` of them would have to be unpacked for that. */
  async count({ maxReads }: { maxReads: number }): Promise<number | null> {
    let count = 0;
    const isRead = this.#readsItem ? this.#countUncovered() : 0;
    if (isRead > maxReads) return null;
    const isWithin = await this.#scanBlocks(
      (_block, _bound, slots) => void (count += slots.length),
      maxReads - isRead,
    );
    if (!isWithin) return null;
    for await (const looked of this.#lookAtUncovered()) count += looked.pks.length;
    return count;
  }

  /** Sums up Items, which match; only what the columns don't tell is unpacked. */
  async summarise(pks: readonly number[], properties: readonly string[]): Promise<SummaryBuilder> {
    const builder = new SummaryBuilder(properties, async (unsure, see) => {
      for (let start = 0; start < unsure.length; start += itemsPerLook) {
        const some = unsure.slice(start, start + itemsPerLook);
        for (const record of this.#parts.rows.load(some, this.#compiled.order, allItems))
          see({ collectionPk: record.collectionPk, item: record.item() });
        await this.rest();
      }
    });
    for (const [block, ofBlock] of groupByBlock(pks)) {
      const covered = this.#coverage.blocks.get(block);
      const isTold = (pk: number) =>
        covered !== undefined && pk <= covered.coveredPk && !this.#coverage.stale.has(pk);
      if (covered) await builder.addCovered(ofBlock.filter(isTold), this.columnsOf(block));
      await builder.addUncovered(ofBlock.filter((pk) => !isTold(pk)));
      await this.rest();
    }
    return builder;
  }

  // Gives the slots that match block by block. Those to look at come afterwards; false when these are too many.
  async #scanBlocks(
    onMatches: (block: number, bound: BoundBlock, slots: Uint16Array) => void,
    maxReads = Infinity,
  ): Promise<boolean> {
    for (const block of this.#coverage.blocks.keys()) {
      // Not remembered: a look at all blocks would hold on to all their columns.
      const bound = this.#bound[block] ?? this.#bindAnew(block);
      if (!bound?.test) continue;
      this.#selection.reset();
      bound.test.sift(this.#selection);
      const { slots, unsure } = this.#partUnsure(block, bound);
      onMatches(block, bound, slots);
      await this.rest();
      if (unsure.length === 0) continue;
      if (this.#readCount + unsure.length > maxReads) return false;
      const looked = await this.#lookAt(unsure);
      onMatches(
        block,
        bound,
        Uint16Array.from(looked.pks, (pk) => pk % blockSize),
      );
    }
    return true;
  }

  // What was selected, without what changed since and what has to be looked at.
  #partUnsure(block: number, { isUnsure }: BoundBlock): { slots: Uint16Array; unsure: number[] } {
    const { stale } = this.#coverage;
    const selected = this.#selection;
    if (stale.size === 0 && !isUnsure && !selected.hasUnsure) return { slots: selected.taken(), unsure: [] };
    const unsure: number[] = [];
    let kept = 0;
    for (const slot of selected.taken()) {
      const pk = block * blockSize + slot;
      if (stale.has(pk)) continue;
      if (isUnsure || selected.unsure[slot] === 1) unsure.push(pk);
      else selected.slots[kept++] = slot;
    }
    return { slots: selected.slots.subarray(0, kept), unsure };
  }

  async *#lookAtUncovered(): AsyncGenerator<Matches> {
    const { stale } = this.#coverage;
    yield await this.#lookAt([...stale]);
    for (const { from, to } of uncoveredRanges(this.#coverage)) {
      for (let start = from; start <= to; start += itemsPerLook) {
        const length = Math.min(itemsPerLook, to - start + 1);
        const pks = Array.from({ length }, (_, index) => start + index);
        yield await this.#lookAt(pks.filter((pk) => !stale.has(pk)));
      }
    }
  }

  #countUncovered(): number {
    const ranges = uncoveredRanges(this.#coverage);
    return ranges.reduce((sum, { from, to }) => sum + to - from + 1, this.#coverage.stale.size);
  }

  // Those of the row numbers that match, judged by the Items themselves.
  async #lookAt(pks: readonly number[]): Promise<Matches> {
    const matches: Matches = { pks: [], sortValues: [] };
    for (let start = 0; start < pks.length; start += itemsPerLook) {
      const records = this.#parts.rows.load(pks.slice(start, start + itemsPerLook), this.#compiled.order);
      if (this.#readsItem) this.#readCount += records.length;
      for (const record of records) {
        if (!this.#compiled.terms.every((term) => term.accepts(record))) continue;
        matches.pks.push(record.pk);
        matches.sortValues.push(record.sortValue);
      }
      await this.rest();
    }
    return matches;
  }

  #judge(pk: number): Verdict {
    const bound = this.#findBlock(pk);
    if (!bound) return verdicts.unsure;
    const verdict = bound.test?.judge(pk % blockSize) ?? verdicts.no;
    return verdict === verdicts.yes && bound.isUnsure ? verdicts.unsure : verdict;
  }

  // Undefined where the columns don't tell of it.
  #toldValueOf(pk: number): number | undefined {
    return this.#findBlock(pk)?.sortValue(pk % blockSize);
  }

  // Null for an Item that its block doesn't tell of, or no longer rightly.
  #findBlock(pk: number): BoundBlock | null {
    const block = pk >> blockBits;
    const bound = (this.#bound[block] ??= this.#bindAnew(block));
    return bound && pk <= bound.coveredPk && !this.#coverage.stale.has(pk) ? bound : null;
  }

  // Null for a block that isn't written.
  #bindAnew(block: number): BoundBlock | null {
    const covered = this.#coverage.blocks.get(block);
    if (!covered) return null;
    const columns = this.columnsOf(block);
    const sortValue = readSortValues(columns, this.#compiled.order);
    return { coveredPk: covered.coveredPk, sortValue, ...this.#bindTerms(columns) };
  }

  #bindTerms(columns: BlockColumns): BoundTerms {
    const tests: SlotTest[] = [];
    let isUnsure = false;
    let isImpossible = false;
    for (const term of this.#compiled.terms) {
      const test = term.bind(columns);
      if (typeof test === 'object') tests.push(test);
      isUnsure ||= test === verdicts.unsure;
      isImpossible = test === verdicts.no;
      if (isImpossible) break;
    }
    return { test: isImpossible ? null : allOf(tests), isUnsure };
  }

  /** Lets others have their turn, where enough was done at once. */
  async rest(): Promise<void> {
    if (performance.now() - this.#sliceStartMs < sliceMs) return;
    await setImmediate(undefined, { signal: this.#parts.signal });
    this.#sliceStartMs = performance.now();
  }
}

function addMatches(to: Matches, from: Matches): void {
  for (const pk of from.pks) to.pks.push(pk);
  for (const value of from.sortValues) to.sortValues.push(value);
}

function readSortValues(columns: BlockColumns, { field }: SortOrder): NumberReader {
  if (field === 'cloudCover') return readCloudCover(columns.column(propertyColumn('eo:cloud_cover')));
  const datetime = createNumberReader(columns.column(builtIn.datetime));
  return (slot) => {
    const value = datetime(slot);
    return value === value ? value : missingDatetimeMicros;
  };
}
