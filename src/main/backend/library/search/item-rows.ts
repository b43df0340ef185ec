import type { Database } from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { shapesOf, unpackItem } from '../item-json.ts';
import { prepared } from '../prepared.ts';
import { sortColumn, type RowPosition, type SortOrder } from './sort-order.ts';
import type { ItemFacts } from './term.ts';

/** A row of the `item` table with its place in an order. */
export interface ItemRecord extends ItemFacts, RowPosition {
  isPartial: boolean;
}

interface Row extends RowPosition {
  pk: number;
  startMicros: number | null;
  endMicros: number | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
  isPartial: number;
  /** Left out where the Items weren't asked for. */
  zstd?: Buffer | null;
}

/** Loads Items by their row numbers. */
export class ItemRows {
  readonly #database: Database;
  readonly #selectJson;
  readonly #selectRow;

  constructor(database: Database) {
    this.#database = database;
    this.#selectJson = database
      .prepare<[number], Buffer>('SELECT zstd FROM item_json WHERE item_pk = ?')
      .pluck();
    this.#selectRow = database.prepare<[number], number>('SELECT pk FROM item WHERE pk = ?').pluck();
  }

  /** In no order; those that are gone are left out. `withItems`: all of them will be unpacked. */
  load(pks: readonly number[], order: SortOrder, { withItems = false } = {}): ItemRecord[] {
    if (pks.length === 0) return [];
    const sql = `SELECT item.pk, item.collection_pk AS collectionPk, item.id, ${sortColumn(order)} AS sortValue,
        item.start_us AS startMicros, item.end_us AS endMicros, item.west, item.south, item.east, item.north,
        item.is_partial AS isPartial${withItems ? ', zstd' : ''}
      FROM json_each(?) AS wanted CROSS JOIN item ON item.pk = wanted.value
        ${withItems ? 'LEFT JOIN item_json ON item_pk = item.pk' : ''}`;
    const rows = prepared<[string], Row>(this.#database, sql).all(JSON.stringify(pks));
    return rows.map((row) => this.#toRecord(row));
  }

  #toRecord({ west, south, east, north, isPartial, zstd, ...row }: Row): ItemRecord {
    const hasBox = west !== null && south !== null && east !== null && north !== null;
    let item: StacItem | null = null;
    return {
      ...row,
      isPartial: isPartial === 1,
      box: hasBox ? [west, south, east, north] : null,
      item: () => (item ??= this.#unpack(row.pk, zstd ?? this.#selectJson.get(row.pk))),
    };
  }

  #unpack(pk: number, zstd: Buffer | undefined): StacItem {
    if (zstd !== undefined) return unpackItem(zstd, shapesOf(this.#database));
    if (this.#selectRow.get(pk) !== undefined) {
      throw new AppError('library.corrupt', 'What an item in the library says is lost');
    }
    // Taken out since its row was read: then it has nothing that could be asked for.
    return { id: '' };
  }
}
