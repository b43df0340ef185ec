import type { Database } from 'better-sqlite3';
import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { unpackText } from './item-json.ts';
import { createShape, differFromShape, fitsShape, type ItemShape } from './item-shape.ts';
import { figuresEach, putFigures, type ItemSlice, type SliceShape } from './item-slice.ts';
import { wordsOf } from './text/item-words.ts';

/** Shapes of a collection. Items of further ones are told by the last, or stored whole. */
const maxShapes = 16;
/** A larger Item is no model for others, characters. */
const maxShapeLength = 200_000;
/** What differs must be smaller than this part of the shape, or the Item is stored whole. */
const maxDifferentShare = 0.6;

interface KnownShape extends SliceShape {
  shape: ItemShape;
}

interface Packed {
  text: string;
  /** Null for the whole Item. */
  shape: KnownShape | null;
}

/** Makes Items ready for the writing thread: without signed links, and told by what differs from a shape. */
export class ItemPacker {
  readonly #database: Database;
  readonly #shapes = new Map<string, KnownShape[]>();
  readonly #told = new Set<number>();
  #lastNumber = 0;

  /** Shapes that the library has already are read from it. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Packs Items, some 30 µs each. */
  pack(items: readonly IdentifiedItem[], fetchedAtMs: number): ItemSlice {
    const slice: ItemSlice = {
      fetchedAtMs,
      collectionIds: [],
      itemIds: [],
      texts: [],
      words: [],
      figures: new Float64Array(items.length * figuresEach),
      shapeNumbers: new Int32Array(items.length),
      shapes: [],
    };
    items.forEach(({ ref, item, isPartial }, index) => {
      const { text, shape } = isPartial
        ? { text: toCleanText(item), shape: null }
        : this.#packOne(ref.collectionId, item);
      if (shape) this.#tell(shape, slice);
      slice.collectionIds.push(ref.collectionId);
      slice.itemIds.push(ref.itemId);
      slice.texts.push(text);
      slice.words.push(wordsOf(item));
      slice.shapeNumbers[index] = isPartial ? -1 : (shape?.number ?? 0);
      putFigures(slice.figures, index, item);
    });
    return slice;
  }

  /** Forgets what the writing thread was told: it may have ended, or not have kept it. */
  reset(): void {
    this.#shapes.clear();
    this.#told.clear();
  }

  #packOne(collectionId: string, item: StacItem): Packed {
    const known = this.#shapes.get(collectionId) ?? this.#readShapes(collectionId);
    const fitting = known.findIndex(({ shape }) => fitsShape(shape, item));
    if (fitting < 0 && known.length < maxShapes) return this.#addShape(known, collectionId, item);
    const [used] = known.splice(Math.max(0, fitting), 1);
    if (!used) return { text: toCleanText(item), shape: null };
    // Items of one shape mostly follow one another.
    known.unshift(used);
    const text = JSON.stringify(differFromShape(used.shape, item));
    if (mayHoldSignedUrl(text)) return this.#packClean(used, withoutSignedLinks(item));
    if (text.length > used.json.length * maxDifferentShare) return { text: toCleanText(item), shape: null };
    return { text, shape: used };
  }

  #packClean(shape: KnownShape, clean: StacItem): Packed {
    return { text: JSON.stringify(differFromShape(shape.shape, clean)), shape };
  }

  #addShape(known: KnownShape[], collectionId: string, item: StacItem): Packed {
    const json = toCleanText(item);
    if (json.length > maxShapeLength) return { text: json, shape: null };
    const parsed: unknown = JSON.parse(json);
    const shape = createShape(parsed);
    const added = { number: ++this.#lastNumber, collectionId, pk: null, json, shape };
    known.unshift(added);
    return { text: JSON.stringify(differFromShape(shape, parsed)), shape: added };
  }

  #readShapes(collectionId: string): KnownShape[] {
    const rows = this.#database
      .prepare<[string], { pk: number; zstd: Buffer }>(
        `SELECT item_shape.pk, zstd FROM item_shape JOIN collection ON collection.pk = collection_pk
         WHERE collection.id = ? ORDER BY item_shape.pk DESC`,
      )
      .all(collectionId);
    const known = rows.map(({ pk, zstd }) => {
      const json = unpackText(zstd);
      return { number: ++this.#lastNumber, collectionId, pk, json, shape: createShape(JSON.parse(json)) };
    });
    this.#shapes.set(collectionId, known);
    return known;
  }

  #tell({ number, collectionId, pk, json }: KnownShape, slice: ItemSlice): void {
    if (this.#told.has(number)) return;
    this.#told.add(number);
    slice.shapes.push({ number, collectionId, pk, json });
  }
}

function toCleanText(item: StacItem): string {
  const text = JSON.stringify(item);
  return mayHoldSignedUrl(text) ? JSON.stringify(withoutSignedLinks(item)) : text;
}
