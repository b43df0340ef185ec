import type { Database } from 'better-sqlite3';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { BlockGathering } from './columns/block-gathering.ts';
import type { ColumnWriter } from './columns/column-writer.ts';
import { boxIfAstray } from './columns/footprint-place.ts';
import { CellReader, type ItemCells } from './columns/slice-cells.ts';
import type { CollectionKeys } from './collection-keys.ts';
import { packDifference, packText, shapesOf, unpackItem } from './item-json.ts';
import {
  takeFigures,
  toItemFigures,
  type ItemFigures,
  type ItemSlice,
  type SliceShape,
} from './item-slice.ts';
import { joinKept, type ItemStore } from './item-store.ts';
import { cellOf } from './map-cell.ts';
import { unpackSlice, type PackedSlice } from './packed-slice.ts';
import { wordsOf } from './text/item-words.ts';
import { TextIndex } from './text/text-index.ts';

interface WriterParts {
  database: Database;
  keys: CollectionKeys;
  items: ItemStore;
  columns: ColumnWriter;
}

interface Record {
  collectionPk: number;
  id: string;
  figures: ItemFigures;
  /** What it is found by, where its own box won't do. */
  astrayBox: Bbox | null;
  packed: Buffer;
  words: string;
  cells: ItemCells | null;
  isPartial: boolean;
}

type Figure = number | null;

/** When fetched, whether partial, the figures and the map's cell, as the statements bind them. */
type Row = [number, number, number, Figure, Figure, Figure, Figure, Figure, Figure, Figure, Figure];

/** Writes slices of Items, in the writing thread alone. */
export class ItemWriter {
  readonly #parts: WriterParts;
  readonly #statements;
  readonly #text: TextIndex;
  readonly #gathering: BlockGathering;
  readonly #shapes = new Map<number, SliceShape>();
  #newShapes: SliceShape[] = [];
  /** Of this transaction: `keys` remembers none that isn't committed. */
  readonly #collectionPks = new Map<string, number>();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#statements = prepareStatements(parts.database);
    this.#text = new TextIndex(parts.database);
    this.#gathering = new BlockGathering(parts.columns);
  }

  /** Writes slices in one transaction. */
  write(slices: readonly PackedSlice[]): void {
    for (const shape of slices.flatMap(({ shapes }) => shapes)) this.#shapes.set(shape.number, { ...shape });
    try {
      this.#parts.database.transaction(() => this.#writeAll(slices)).immediate();
    } catch (thrown) {
      for (const shape of this.#newShapes) shape.pk = null;
      this.#text.clear();
      this.#gathering.clear();
      throw thrown;
    } finally {
      this.#newShapes = [];
      this.#collectionPks.clear();
    }
  }

  #writeAll(slices: readonly PackedSlice[]): void {
    this.#gathering.begin();
    for (const packed of slices) {
      const slice = unpackSlice(packed);
      const cells = new CellReader(slice.cells);
      slice.itemIds.forEach((_id, index) => {
        const isPartial = slice.shapeNumbers[index] === -1;
        const record = isPartial ? this.#join(slice, index) : this.#read(slice, index, cells);
        if (record) this.#writeOne(record, slice.fetchedAtMs);
      });
    }
    this.#text.flush();
  }

  #read(slice: ItemSlice, index: number, cells: CellReader): Record {
    const shapeNumber = slice.shapeNumbers[index] ?? 0;
    const bytes = bytesOf(slice, index);
    return {
      collectionPk: this.#collectionPkOf(slice.collectionIds[index] ?? ''),
      id: slice.itemIds[index] ?? '',
      figures: takeFigures(slice.figures, index),
      astrayBox: slice.astrayBoxes.get(index) ?? null,
      packed: shapeNumber === 0 ? packText(bytes) : packDifference(this.#shapePkOf(shapeNumber), bytes),
      words: slice.words[index] ?? '',
      cells: cells.read(index),
      isPartial: false,
    };
  }

  // A partial Item takes no whole one's place, and adds to a partial one.
  #join(slice: ItemSlice, index: number): Record | null {
    const ref = { collectionId: slice.collectionIds[index] ?? '', itemId: slice.itemIds[index] ?? '' };
    const kept = this.#parts.items.find(ref)?.value;
    const item = JSON.parse(Buffer.from(bytesOf(slice, index)).toString()) as StacItem;
    const joined = joinKept(kept, { ref, item, isPartial: true });
    if (joined === kept) return null;
    return {
      collectionPk: this.#collectionPkOf(ref.collectionId),
      id: ref.itemId,
      figures: toItemFigures(joined.item),
      astrayBox: boxIfAstray(joined.item),
      packed: packText(JSON.stringify(joined.item)),
      words: wordsOf(joined.item),
      cells: null,
      isPartial: true,
    };
  }

  #writeOne(record: Record, fetchedAtMs: number): void {
    const { collectionPk, id, figures, packed, words } = record;
    const { insert, addJson } = this.#statements;
    const row = rowOf(record, fetchedAtMs);
    const { changes, lastInsertRowid } = insert.run(collectionPk, id, ...row);
    if (changes === 0) {
      this.#replace(record, row);
      return;
    }
    const pk = Number(lastInsertRowid);
    addJson.run(pk, packed);
    this.#text.add({ pk, datetime: figures.datetime, collectionPk, words });
    const item = () => unpackItem(packed, shapesOf(this.#parts.database));
    this.#gathering.add({ pk, collectionPk, figures, cells: record.cells, item });
  }

  #replace(record: Record, row: Row): void {
    const { collectionPk, id, figures, packed, words } = record;
    const { find, update, touch, replaceJson } = this.#statements;
    const old = find.get(collectionPk, id);
    if (!old) return;
    const { pk } = old;
    const [fetchedAtMs, isPartial] = row;
    if (old.zstd?.equals(packed) && old.isPartial === isPartial) {
      touch.run(fetchedAtMs, pk);
      return;
    }
    update.run(...row, pk);
    replaceJson.run(pk, packed);
    this.#text.remove({ pk, datetime: old.datetime });
    this.#text.add({ pk, datetime: figures.datetime, collectionPk, words });
  }

  #collectionPkOf(collectionId: string): number {
    const known = this.#collectionPks.get(collectionId);
    if (known !== undefined) return known;
    const pk = this.#parts.keys.keyOf(collectionId);
    this.#collectionPks.set(collectionId, pk);
    return pk;
  }

  #shapePkOf(number: number): number {
    const shape = this.#shapes.get(number);
    if (!shape) throw new Error(`shape ${String(number)} is not known`);
    if (shape.pk !== null) return shape.pk;
    const collectionPk = this.#collectionPkOf(shape.collectionId);
    shape.pk = Number(this.#statements.addShape.run(collectionPk, packText(shape.json)).lastInsertRowid);
    this.#newShapes.push(shape);
    return shape.pk;
  }
}

function rowOf({ figures, astrayBox, isPartial }: Record, fetchedAtMs: number): Row {
  const { datetime, start, end, cloudCover, west, south, east, north } = figures;
  const hasBox = west !== null && south !== null && east !== null && north !== null;
  const cell = hasBox ? cellOf(astrayBox ?? [west, south, east, north]) : null;
  return [fetchedAtMs, Number(isPartial), datetime, start, end, cloudCover, west, south, east, north, cell];
}

function bytesOf({ bytes, ends }: ItemSlice, index: number): Uint8Array {
  return bytes.subarray(ends[index - 1] ?? 0, ends[index]);
}

interface OldRow {
  pk: number;
  datetime: number;
  isPartial: number;
  zstd: Buffer | null;
}

function prepareStatements(database: Database) {
  return {
    find: database.prepare<[number, string], OldRow>(
      `SELECT pk, datetime_us AS datetime, is_partial AS isPartial, zstd
         FROM item LEFT JOIN item_json ON item_pk = pk WHERE collection_pk = ? AND id = ?`,
    ),
    // By position, and without RETURNING: both cost as much as an index.
    insert: database.prepare<[number, string, ...Row]>(
      `INSERT INTO item (collection_pk, id, fetched_at_ms, is_partial, datetime_us, start_us, end_us, cloud_cover,
         west, south, east, north, cell)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, collection_pk) DO NOTHING`,
    ),
    update: database.prepare<[...Row, number]>(
      `UPDATE item SET fetched_at_ms = ?, is_partial = ?, datetime_us = ?, start_us = ?, end_us = ?, cloud_cover = ?,
         west = ?, south = ?, east = ?, north = ?, cell = ? WHERE pk = ?`,
    ),
    touch: database.prepare('UPDATE item SET fetched_at_ms = ? WHERE pk = ?'),
    addJson: database.prepare('INSERT INTO item_json (item_pk, zstd) VALUES (?, ?)'),
    replaceJson: database.prepare('INSERT OR REPLACE INTO item_json (item_pk, zstd) VALUES (?, ?)'),
    addShape: database.prepare('INSERT INTO item_shape (collection_pk, zstd) VALUES (?, ?)'),
  };
}
