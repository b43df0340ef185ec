import type { Database } from 'better-sqlite3';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { boxIfAstray } from './columns/footprint-place.ts';
import type { CollectionKeys } from './collection-keys.ts';
import { packDifference, packText } from './item-json.ts';
import {
  takeFigures,
  toItemFigures,
  type ItemFigures,
  type ItemSlice,
  type SliceShape,
} from './item-slice.ts';
import { joinKept, type ItemStore } from './item-store.ts';
import { wordsOf } from './text/item-words.ts';
import { TextIndex } from './text/text-index.ts';

interface WriterParts {
  database: Database;
  keys: CollectionKeys;
  items: ItemStore;
}

interface Record {
  collectionPk: number;
  id: string;
  figures: ItemFigures;
  /** What it is found by, where its own box won't do. */
  astrayBox: Bbox | null;
  packed: Buffer;
  words: string;
  isPartial: boolean;
}

/** Writes slices of Items, in the writing thread alone. */
export class ItemWriter {
  readonly #parts: WriterParts;
  readonly #statements;
  readonly #text: TextIndex;
  readonly #shapes = new Map<number, SliceShape>();
  #newShapes: SliceShape[] = [];

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#statements = prepareStatements(parts.database);
    this.#text = new TextIndex(parts.database);
  }

  /** Writes slices in one transaction. */
  write(slices: readonly ItemSlice[]): void {
    for (const shape of slices.flatMap(({ shapes }) => shapes)) this.#shapes.set(shape.number, { ...shape });
    try {
      this.#parts.database.transaction(() => this.#writeAll(slices)).immediate();
    } catch (thrown) {
      for (const shape of this.#newShapes) shape.pk = null;
      this.#text.clear();
      throw thrown;
    } finally {
      this.#newShapes = [];
    }
  }

  #writeAll(slices: readonly ItemSlice[]): void {
    for (const slice of slices) {
      slice.itemIds.forEach((id, index) => {
        const record =
          slice.shapeNumbers[index] === -1 ? this.#join(slice, index) : this.#read(slice, index, id);
        if (record) this.#writeOne(record, slice.fetchedAtMs);
      });
    }
    this.#text.flush();
  }

  #read(slice: ItemSlice, index: number, id: string): Record {
    const shapeNumber = slice.shapeNumbers[index] ?? 0;
    const bytes = bytesOf(slice, index);
    return {
      collectionPk: this.#parts.keys.keyOf(slice.collectionIds[index] ?? ''),
      id,
      figures: takeFigures(slice.figures, index),
      astrayBox: slice.astrayBoxes.get(index) ?? null,
      packed: shapeNumber === 0 ? packText(bytes) : packDifference(this.#shapePkOf(shapeNumber), bytes),
      words: slice.words[index] ?? '',
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
      collectionPk: this.#parts.keys.keyOf(ref.collectionId),
      id: ref.itemId,
      figures: toItemFigures(joined.item),
      astrayBox: boxIfAstray(joined.item),
      packed: packText(JSON.stringify(joined.item)),
      words: wordsOf(joined.item),
      isPartial: true,
    };
  }

  #writeOne(record: Record, fetchedAtMs: number): void {
    const { collectionPk, id, figures, packed, words } = record;
    const { insert, addJson } = this.#statements;
    const row = { ...figures, fetchedAtMs, isPartial: Number(record.isPartial) };
    const newPk = insert.get({ ...row, collectionPk, id });
    if (newPk === undefined) {
      this.#replace(record, row);
      return;
    }
    addJson.run(newPk, packed);
    this.#addBoxes(newPk, record);
    this.#text.add({ pk: newPk, datetime: figures.datetime, collectionPk, words });
  }

  #replace(record: Record, row: { fetchedAtMs: number; isPartial: number }): void {
    const { collectionPk, id, figures, packed, words } = record;
    const { find, update, touch, replaceJson, removeBoxes } = this.#statements;
    const old = find.get(collectionPk, id);
    if (!old) return;
    const { pk } = old;
    if (old.zstd?.equals(packed) && old.isPartial === row.isPartial) {
      touch.run(row.fetchedAtMs, pk);
      return;
    }
    update.run({ ...row, pk });
    replaceJson.run(pk, packed);
    removeBoxes.run(pk, -pk);
    this.#addBoxes(pk, record);
    this.#text.remove({ pk, datetime: old.datetime });
    this.#text.add({ pk, datetime: figures.datetime, collectionPk, words });
  }

  #addBoxes(pk: number, { figures, astrayBox }: Record): void {
    const { west, south, east, north } = figures;
    if (west === null || south === null || east === null || north === null) return;
    const box: Bbox = [west, south, east, north];
    (astrayBox ? [astrayBox] : splitAtAntimeridian(box)).forEach(([w, s, e, n], index) =>
      this.#statements.addBox.run(index === 0 ? pk : -pk, w, e, s, n),
    );
  }

  #shapePkOf(number: number): number {
    const shape = this.#shapes.get(number);
    if (!shape) throw new Error(`shape ${String(number)} is not known`);
    if (shape.pk !== null) return shape.pk;
    const collectionPk = this.#parts.keys.keyOf(shape.collectionId);
    shape.pk = this.#statements.addShape.get(collectionPk, packText(shape.json)) as number;
    this.#newShapes.push(shape);
    return shape.pk;
  }
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
    insert: database
      .prepare<[object], number>(
        `INSERT INTO item (collection_pk, id, datetime_us, start_us, end_us, cloud_cover, west, south, east, north,
           fetched_at_ms, is_partial)
         VALUES (:collectionPk, :id, :datetime, :start, :end, :cloudCover, :west, :south, :east, :north,
           :fetchedAtMs, :isPartial)
         ON CONFLICT (id, collection_pk) DO NOTHING RETURNING pk`,
      )
      .pluck(),
    update: database.prepare(
      `UPDATE item SET datetime_us = :datetime, start_us = :start, end_us = :end, cloud_cover = :cloudCover,
         west = :west, south = :south, east = :east, north = :north, fetched_at_ms = :fetchedAtMs,
         is_partial = :isPartial WHERE pk = :pk`,
    ),
    touch: database.prepare('UPDATE item SET fetched_at_ms = ? WHERE pk = ?'),
    addJson: database.prepare('INSERT INTO item_json (item_pk, zstd) VALUES (?, ?)'),
    replaceJson: database.prepare('INSERT OR REPLACE INTO item_json (item_pk, zstd) VALUES (?, ?)'),
    removeBoxes: database.prepare('DELETE FROM item_box WHERE id IN (?, ?)'),
    addBox: database.prepare('INSERT INTO item_box (id, west, east, south, north) VALUES (?, ?, ?, ?, ?)'),
    addShape: database
      .prepare('INSERT INTO item_shape (collection_pk, zstd) VALUES (?, ?) RETURNING pk')
      .pluck(),
  };
}
