import type { Database } from 'better-sqlite3';
import { blockSize } from '../columns/column-chunk.ts';
import { builtIn, propertyColumn } from '../columns/column-names.ts';
import {
  uncoveredRanges,
  type ColumnReader,
  type Coverage,
  type CoveredBlock,
} from '../columns/column-reader.ts';
import { missingDatetimeMicros } from '../item-slice.ts';
import { prepared } from '../prepared.ts';
import { createNumberReader, readCloudCover, type NumberReader } from './number-reader.ts';
import { orderSlots } from './slot-order.ts';
import { sortColumn, type SortOrder } from './sort-order.ts';

/** Items in the order of their values, the least first. */
export interface OrderedRun {
  readonly count: number;
  valueAt(index: number): number;
  pkAt(index: number): number;
  /** Whether the Item in this place belongs to the answer's order. */
  isMeant(index: number): boolean;
}

/** What runs are read from. */
export interface RunParts {
  database: Database;
  reader: ColumnReader;
  coverage: Coverage;
  /** Lets others have their turn where enough was done at once. */
  rest: () => Promise<void>;
}

interface RunWish {
  order: SortOrder;
  /** Only Items of this collection; null for all. */
  collectionPk: number | null;
}

interface PkRange {
  from: number;
  to: number;
}

const rowsPerStep = 2000;

/**
 * All Items of the library in an order: a run for each block whose columns are written, and one for what they don't
 * cover. An Item that is taken out meanwhile may still be among them.
 */
export async function readRuns(parts: RunParts, wish: RunWish): Promise<OrderedRun[]> {
  const { coverage, rest } = parts;
  const runs: OrderedRun[] = [];
  const untold: PkRange[] = uncoveredRanges(coverage);
  for (const [block, covered] of coverage.blocks) {
    const run = readBlock(parts, { ...wish, block, covered });
    if (run === 'untold') untold.push({ from: Math.max(1, block * blockSize), to: covered.coveredPk });
    else if (run) runs.push(run);
    await rest();
  }
  runs.push(await readRows(parts, { ...wish, ranges: untold }));
  return runs;
}

/** A run of Items that are known with their values. */
export function createRun(placed: readonly (readonly [pk: number, value: number])[]): OrderedRun {
  const sorted = placed.toSorted(([, a], [, b]) => a - b);
  return {
    count: sorted.length,
    valueAt: (index) => sorted[index]?.[1] ?? NaN,
    pkAt: (index) => sorted[index]?.[0] ?? -1,
    isMeant: () => true,
  };
}

// Null where no Item is in the order; 'untold' where the Items have to be looked at for that.
function readBlock(
  { reader, coverage: { stale } }: RunParts,
  { order, collectionPk, block, covered }: RunWish & { block: number; covered: CoveredBlock },
): OrderedRun | 'untold' | null {
  const isByTime = order.field === 'datetime';
  const chunk = reader.column(isByTime ? builtIn.datetime : propertyColumn('eo:cloud_cover'), block);
  if (!chunk) return covered.isOverflowing || isByTime ? 'untold' : null;
  const read: NumberReader = isByTime ? createNumberReader(chunk) : readCloudCover(chunk);
  const { slots, numbered } = orderSlots(chunk, read);
  const collection = createNumberReader(reader.column(builtIn.collection, block));
  const ordered = isByTime ? slots : numbered;
  const slotAt = (index: number) => ordered[index] ?? 0;
  return {
    count: ordered.length,
    valueAt(index) {
      const isWithout = index < ordered.length - numbered.length;
      return isWithout ? missingDatetimeMicros : read(slotAt(index));
    },
    pkAt: (index) => block * blockSize + slotAt(index),
    isMeant(index) {
      const slot = slotAt(index);
      const pk = block * blockSize + slot;
      const own = collection(slot);
      // No number where there is no Item. What changed since, or came since, is among the rows.
      return (
        (collectionPk === null ? own === own : own === collectionPk) &&
        pk <= covered.coveredPk &&
        !stale.has(pk)
      );
    },
  };
}

async function readRows(
  { database, coverage: { stale }, rest }: RunParts,
  { order, collectionPk, ranges }: RunWish & { ranges: readonly PkRange[] },
): Promise<OrderedRun> {
  const column = sortColumn(order);
  const conditions = `${column} IS NOT NULL ${collectionPk === null ? '' : `AND collection_pk = ${String(collectionPk)}`}`;
  const placed: [pk: number, value: number][] = [];
  const inRange = prepared<[number, number], [number, number]>(
    database,
    `SELECT pk, ${column} FROM item WHERE pk BETWEEN ? AND ? AND ${conditions}`,
  ).raw();
  for (const { from, to } of ranges) {
    for (let start = from; start <= to; start += rowsPerStep) {
      const rows = inRange.all(start, Math.min(to, start + rowsPerStep - 1));
      for (const row of rows) if (!stale.has(row[0])) placed.push(row);
      await rest();
    }
  }
  if (stale.size === 0) return createRun(placed);
  const changed = prepared<[string], [number, number]>(
    database,
    `SELECT pk, ${column} FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value WHERE ${conditions}`,
  ).raw();
  for (const row of changed.all(JSON.stringify([...stale]))) placed.push(row);
  return createRun(placed);
}
