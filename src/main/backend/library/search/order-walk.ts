import type { Database } from 'better-sqlite3';
import { sortColumn, type RowPosition, type SortOrder } from './sort-order.ts';

/** As many Items of one value are sorted by their ids; more are met on a walk through all ids. */
const maxSortedTie = 2000;
/** Ids that are gone through in one step of such a walk. */
const idsPerStep = 4000;

type PlacedRow = [pk: number, sortValue: number];

interface WalkOptions {
  order: SortOrder;
  /** Only Items of this collection. */
  collectionPk: number | null;
  after: RowPosition | null;
  /** What an Item is sorted by; NaN where it isn't in the order. */
  sortValueOf: (pk: number) => number;
}

/** A tie that is too large to be sorted. */
interface LargeTie {
  sortValue: number;
  id: string;
  collectionPk: number;
}

/**
 * Walks all Items in an order, a batch at a time; between batches the library may be written to. The indexes hold no
 * ids: those that tie are put in their order here.
 */
export class OrderWalk {
  readonly #database: Database;
  readonly #options: WalkOptions;
  readonly #column: string;
  readonly #from: string;
  readonly #conditions: readonly string[];
  #position: RowPosition | null;
  #tie: LargeTie | null = null;
  /** What is left of a small one. */
  #smallTie: number[] | null = null;
  #isAtEnd = false;

  constructor(database: Database, options: WalkOptions) {
    const { order, collectionPk, after } = options;
    this.#database = database;
    this.#options = options;
    this.#position = after;
    this.#column = sortColumn(order);
    const isByCloudCover = order.field === 'cloudCover';
    const byTime = collectionPk === null ? 'item_by_time' : 'item_by_collection_time';
    this.#from = `item INDEXED BY ${isByCloudCover ? 'item_by_cloud_cover' : byTime}`;
    this.#conditions = [
      ...(isByCloudCover ? ['item.cloud_cover IS NOT NULL'] : []),
      ...(collectionPk === null || isByCloudCover ? [] : [`item.collection_pk = ${String(collectionPk)}`]),
    ];
    if (after) this.#beginTie(after);
  }

  /** Whether there is nothing more. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** About as many row numbers as wanted. There may be none although more are to come. */
  next(size: number): number[] {
    if (this.#isAtEnd) return [];
    if (this.#tie) return this.#stepThroughTie(this.#tie, size);
    const rest = this.#smallTie;
    this.#smallTie = null;
    return rest ?? this.#beyond(size);
  }

  // From a position within a tie: what comes after it by id.
  #beginTie(position: RowPosition): void {
    const { sortValue, id, collectionPk } = position;
    this.#position = position;
    const pks = this.#select<number>('item.pk', [`${this.#column} = ?`], `LIMIT ${maxSortedTie + 1}`)
      .pluck()
      .all(sortValue);
    if (pks.length > maxSortedTie) this.#tie = { sortValue, id, collectionPk };
    else if (pks.length > 0) this.#smallTie = this.#sortById(pks, { id, collectionPk });
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

  #beyond(size: number): number[] {
    const { direction } = this.#options.order;
    const conditions = this.#position ? [`${this.#column} ${direction === 'desc' ? '<' : '>'} ?`] : [];
    const parameters = this.#position ? [this.#position.sortValue] : [];
    const end = `ORDER BY ${this.#column} ${direction} LIMIT ${size + 1}`;
    const rows = this.#select<PlacedRow>(`item.pk, ${this.#column}`, conditions, end)
      .raw()
      .all(...parameters);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) {
      this.#isAtEnd = true;
      return [];
    }
    const isWhole = rows.length <= size;
    if (!isWhole && first[1] === last[1]) {
      // Nothing but one tie, and more of it to come.
      this.#beginTie({ sortValue: first[1], id: '', collectionPk: -1 });
      return this.next(size);
    }
    // A tie that is cut off begins the next batch.
    const whole = isWhole ? rows : rows.filter(([, value]) => value !== last[1]);
    this.#position = { sortValue: whole.at(-1)?.[1] ?? 0, id: '', collectionPk: -1 };
    return this.#orderTies(whole);
  }

  #orderTies(rows: readonly PlacedRow[]): number[] {
    const ordered: number[] = [];
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const value = rows[start]?.[1];
      while (end < rows.length && rows[end]?.[1] === value) end += 1;
      const pks = rows.slice(start, end).map(([pk]) => pk);
      ordered.push(...(pks.length === 1 ? pks : this.#sortById(pks, { id: '', collectionPk: -1 })));
    }
    return ordered;
  }

  #sortById(pks: readonly number[], { id, collectionPk }: { id: string; collectionPk: number }): number[] {
    return this.#database
      .prepare<[string, string, number], number>(
        `SELECT item.pk FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value
         WHERE (item.id, item.collection_pk) > (?, ?) ORDER BY item.id, item.collection_pk`,
      )
      .pluck()
      .all(JSON.stringify(pks), id, collectionPk);
  }

  #select<Row>(columns: string, conditions: readonly string[], end: string) {
    const all = [...this.#conditions, ...conditions];
    const where = all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
    return this.#database.prepare<number[], Row>(`SELECT ${columns} FROM ${this.#from} ${where} ${end}`);
  }
}
