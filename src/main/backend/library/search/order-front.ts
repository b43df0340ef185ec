import { blockBits, blockSize } from '../columns/column-chunk.ts';
import type { Coverage } from '../columns/column-reader.ts';
import { gatherColumns } from './gather-columns.ts';
import type { OrderWalk } from './order-walk.ts';
import type { SortOrder } from './sort-order.ts';
import type { BlockColumns } from './term.ts';

/** Items that are walked before others have their turn. */
const walkedAtOnce = 1000;
/** Kept at a time, a megabyte each at most. */
const maxFronts = 4;

/**
 * The first Items of an order, as a block of their own. Most questions find a page among them, by one loop through numbers
 * that stand side by side; on a walk each Item is in another block, and the processor waits for its memory.
 */
export interface OrderFront {
  /** In order. */
  pks: readonly number[];
  sortValues: readonly number[];
  /** Whether the order has no others. */
  isAll: boolean;
  columns: BlockColumns;
}

/** What tells of the Items that are walked. */
export interface WalkedItems {
  /** Whether the columns tell of an Item. */
  isTold(pk: number): boolean;
  sortValueOf(pk: number): number;
  columnsOf(block: number): BlockColumns;
  /** Lets others have their turn where enough was done at once. */
  rest(): Promise<void>;
}

/** Gathers the front of an order; null where the columns don't tell of one of its Items. */
export async function gatherFront(walk: OrderWalk, items: WalkedItems): Promise<OrderFront | null> {
  const pks: number[] = [];
  while (!walk.isAtEnd && pks.length <= blockSize) {
    for (const pk of walk.next(walkedAtOnce)) {
      if (!items.isTold(pk)) return null;
      pks.push(pk);
    }
    await items.rest();
  }
  const isAll = walk.isAtEnd && pks.length <= blockSize;
  pks.splice(blockSize);
  return {
    pks,
    sortValues: pks.map((pk) => items.sortValueOf(pk)),
    isAll,
    columns: gatherColumns(pks, readBlocks(pks, items)),
  };
}

// No more than these is kept with a front: a question's terms hold on to all columns that they were bound to.
function readBlocks(pks: readonly number[], items: WalkedItems): Map<number, BlockColumns> {
  const blocks = new Set(pks.map((pk) => pk >> blockBits));
  return new Map([...blocks].map((block) => [block, items.columnsOf(block)]));
}

/** The place in a front of what comes after a value; null where its Items don't tell: beyond them, or where values tie. */
export function placeAfter({ sortValues, isAll }: OrderFront, sortValue: number): number | null {
  const last = sortValues.lastIndexOf(sortValue);
  if (last < 0 || sortValues.indexOf(sortValue) !== last) return null;
  return last === sortValues.length - 1 && !isAll ? null : last + 1;
}

/** The order of which there is a front. */
interface FrontWish {
  order: SortOrder;
  /** Only Items of this collection; null for all. */
  collectionPk: number | null;
}

/** Keeps the fronts that were asked for last, as long as the columns cover the same. */
export class OrderFronts {
  #coverage: Coverage | null = null;
  readonly #asked = new Set<string>();
  /** Null where there can be none. */
  readonly #fronts = new Map<string, OrderFront | null>();

  /** The front of an order: gathered when it is asked for a second time, for while Items come in there is no second. */
  async find(
    { order, collectionPk }: FrontWish,
    coverage: Coverage,
    gather: () => Promise<OrderFront | null>,
  ): Promise<OrderFront | null> {
    if (coverage !== this.#coverage) {
      this.#coverage = coverage;
      this.#asked.clear();
      this.#fronts.clear();
    }
    const key = `${order.field} ${order.direction} ${String(collectionPk)}`;
    let front = this.#fronts.get(key);
    if (front === undefined && !this.#asked.has(key)) {
      this.#asked.add(key);
      return null;
    }
    front ??= await gather();
    if (coverage === this.#coverage) this.#keep(key, front);
    return front;
  }

  #keep(key: string, front: OrderFront | null): void {
    this.#fronts.delete(key);
    this.#fronts.set(key, front);
    for (const oldest of this.#fronts.keys()) if (this.#fronts.size > maxFronts) this.#fronts.delete(oldest);
  }
}
