import type { Database } from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { OrderedRun } from './order-runs.ts';
import type { RowPosition, SortOrder } from './sort-order.ts';

/** As many Items of one value are sorted by their ids; more are met on a walk through all ids. */
const maxSortedTie = 2000;
/** Ids that are gone through in one step of such a walk. */
const idsPerStep = 4000;

const sortedById = `SELECT item.pk FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value
  WHERE (item.id, item.collection_pk) > (?, ?) ORDER BY item.id, item.collection_pk`;

interface WalkOptions {
  runs: readonly OrderedRun[];
  order: SortOrder;
  /** Only Items of this collection. */
  collectionPk: number | null;
  after: RowPosition | null;
  /** What an Item is sorted by; NaN where it isn't in the order. */
  sortValueOf: (pk: number) => number;
}

/** A place in a run; what is left of it lies in the direction of the order. */
interface Cursor {
  run: OrderedRun;
  index: number;
  value: number;
  /** Grows with the order, whatever its direction. */
  rank: number;
}

/** A tie that is too large to be sorted. */
interface LargeTie {
  sortValue: number;
  id: string;
  collectionPk: number;
}

/**
 * Walks runs of Items as one, in an order, a batch at a time; between batches the library may be written to. Runs know no
 * ids: those that tie are put in their order here.
 */
export class OrderWalk {
  readonly #database: Database;
  readonly #options: WalkOptions;
  readonly #step: 1 | -1;
  /** A heap: each comes no later than the two at twice its place. */
  readonly #cursors: Cursor[] = [];
  #tie: LargeTie | null = null;
  /** What is left of a small one. */
  #smallTie: number[] | null = null;

  constructor(database: Database, options: WalkOptions) {
    const { order, runs, after } = options;
    this.#database = database;
    this.#options = options;
    this.#step = order.direction === 'asc' ? 1 : -1;
    for (const run of runs) {
      const index = after ? this.#findFrom(run, after.sortValue) : this.#step === 1 ? 0 : run.count - 1;
      const cursor = { run, index, value: NaN, rank: NaN };
      if (this.#settle(cursor)) this.#push(cursor);
    }
    if (after) this.#beginAfter(after);
  }

  /** Whether there is nothing more. */
  get isAtEnd(): boolean {
    return this.#cursors.length === 0 && this.#tie === null && this.#smallTie === null;
  }

  /** About as many row numbers as wanted. There may be none although more are to come. */
  next(size: number): number[] {
    if (this.#tie) return this.#stepThroughTie(this.#tie, size);
    const found = this.#smallTie ?? [];
    this.#smallTie = null;
    while (found.length < size) {
      const [first] = this.#cursors;
      if (!first) break;
      const sortValue = first.value;
      const pk = this.#take(first);
      // Most have a value of their own.
      if (this.#cursors[0]?.value !== sortValue) {
        found.push(pk);
        continue;
      }
      const tied = this.#takeTied(sortValue, [pk]);
      if (tied === null) {
        this.#tie = { sortValue, id: '', collectionPk: -1 };
        break;
      }
      found.push(...this.#sortById(tied, { id: '', collectionPk: -1 }));
    }
    return found;
  }

  // From a position within a tie: what comes after it by id.
  #beginAfter({ sortValue, id, collectionPk }: RowPosition): void {
    if (this.#cursors[0]?.value !== sortValue) return;
    const tied = this.#takeTied(sortValue, []);
    if (tied === null) this.#tie = { sortValue, id, collectionPk };
    else this.#smallTie = this.#sortById(tied, { id, collectionPk });
  }

  // Against all ids: where so many tie, one of them is never far.
  #stepThroughTie(tie: LargeTie, size: number): number[] {
    const rows = this.#database
      .prepare<[string, number], [number, string, number]>(
        `SELECT pk, id, collection_pk FROM item INDEXED BY item_by_id
         WHERE (id, collection_pk) > (?, ?) ORDER BY id, collection_pk LIMIT ${idsPerStep}`,
      )
      .raw()
      .iterate(tie.id, tie.collectionPk);
    const { sortValueOf, collectionPk } = this.#options;
    const found: number[] = [];
    let count = 0;
    for (const [pk, id, ofCollection] of rows) {
      count += 1;
      [tie.id, tie.collectionPk] = [id, ofCollection];
      if (collectionPk !== null && ofCollection !== collectionPk) continue;
      if (sortValueOf(pk) === tie.sortValue && found.push(pk) === size) return found;
    }
    if (count < idsPerStep) this.#tie = null;
    return found;
  }

  #sortById(pks: readonly number[], { id, collectionPk }: { id: string; collectionPk: number }): number[] {
    return prepared<[string, string, number], number>(this.#database, sortedById)
      .pluck()
      .all(JSON.stringify(pks), id, collectionPk);
  }

  #take(first: Cursor): number {
    const pk = first.run.pkAt(first.index);
    first.index += this.#step;
    this.#restore(first);
    return pk;
  }

  // All with the first value, behind some; null where these are too many, and then goes past them all the same.
  #takeTied(value: number, tied: number[]): number[] | null {
    for (let first = this.#cursors[0]; first?.value === value; first = this.#cursors[0]) {
      if (tied.length >= maxSortedTie) {
        this.#goPast(value);
        return null;
      }
      tied.push(this.#take(first));
    }
    return tied;
  }

  #goPast(value: number): void {
    for (let first = this.#cursors[0]; first?.value === value; first = this.#cursors[0]) {
      first.index = this.#findBeyond(first.run, value);
      this.#restore(first);
    }
  }

  // The cursor that is first went on.
  #restore(first: Cursor): void {
    if (!this.#settle(first)) {
      const last = this.#cursors.pop();
      if (!last || last === first) return;
      this.#cursors[0] = last;
    }
    this.#sink();
  }

  /** Brings a cursor to the next Item that is meant; false when there is none. */
  #settle(cursor: Cursor): boolean {
    const { run } = cursor;
    while (cursor.index >= 0 && cursor.index < run.count && !run.isMeant(cursor.index))
      cursor.index += this.#step;
    if (cursor.index < 0 || cursor.index >= run.count) return false;
    cursor.value = run.valueAt(cursor.index);
    cursor.rank = cursor.value * this.#step;
    return true;
  }

  #push(cursor: Cursor): void {
    let place = this.#cursors.push(cursor) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const other = this.#cursors[parent];
      if (!other || cursor.rank >= other.rank) break;
      this.#cursors[place] = other;
      this.#cursors[parent] = cursor;
      place = parent;
    }
  }

  #sink(): void {
    const cursors = this.#cursors;
    const [cursor] = cursors;
    for (let place = 0; cursor;) {
      const left = 2 * place + 1;
      const [a, b] = [cursors[left], cursors[left + 1]];
      const isRight = a !== undefined && b !== undefined && b.rank < a.rank;
      const child = isRight ? b : a;
      if (!child || child.rank >= cursor.rank) return;
      const childPlace = isRight ? left + 1 : left;
      cursors[place] = child;
      cursors[childPlace] = cursor;
      place = childPlace;
    }
  }

  /** The first place, in the direction of the order, whose value doesn't come before this one. */
  #findFrom(run: OrderedRun, value: number): number {
    return this.#step === 1
      ? findPlace(run, (one) => one >= value)
      : findPlace(run, (one) => one > value) - 1;
  }

  /** The first place whose value comes after this one. */
  #findBeyond(run: OrderedRun, value: number): number {
    return this.#step === 1
      ? findPlace(run, (one) => one > value)
      : findPlace(run, (one) => one >= value) - 1;
  }
}

// The first place with a value that is past some limit.
function findPlace(run: OrderedRun, isPast: (value: number) => boolean): number {
  let low = 0;
  let high = run.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(run.valueAt(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
