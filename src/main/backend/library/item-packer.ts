import type { Database } from 'better-sqlite3';
import { footprintKinds, toFootprintCell } from './columns/footprint-chunk.ts';
import { boxIfAstray } from './columns/footprint-place.ts';
import { CellGatherer } from './columns/slice-cells.ts';
import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { unpackText } from './item-json.ts';
import { createShape, fitsShape, type ItemShape } from './shape/item-shape.ts';
import { DifferenceWriter } from './shape/shape-difference.ts';
import { ValueWriter } from './shape/value-writer.ts';
import { figuresEach, putFigures, type ItemSlice, type SliceShape } from './item-slice.ts';
import { packSlice, type PackedSlice } from './packed-slice.ts';
import { wordsOf } from './text/item-words.ts';
import { readStored } from './read-stored.ts';

/** Shapes of a collection. Items of further ones are told by the last, or stored whole. */
const maxShapes = 16;
/** A larger Item is no model for others, characters. */
const maxShapeLength = 200_000;
/** What differs must be smaller than this part of the shape, or the Item is stored whole. */
const maxDifferentShare = 0.5;

const noCells = new CellGatherer(0).take();

interface KnownShape extends SliceShape {
  shape: ItemShape;
}

/** How an Item was packed. */
interface Packed {
  /** Whether the Item is stored as it came. */
  isAsGiven: boolean;
  /** Null for the whole Item. */
  shape: KnownShape | null;
}

/** Makes Items ready for the writing thread: without signed links, and told by what differs from a shape. */
export class ItemPacker {
  readonly #database: Database;
  readonly #shapes = new Map<string, KnownShape[]>();
  readonly #told = new Set<number>();
  readonly #bytes = new ValueWriter();
  readonly #differences = new DifferenceWriter(this.#bytes);
  #lastNumber = 0;

  /** Shapes that the library has already are read from it. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Packs Items, some 30 µs each. */
  pack(items: readonly IdentifiedItem[], fetchedAtMs: number): PackedSlice {
    const slice: ItemSlice = {
      fetchedAtMs,
      collectionIds: [],
      itemIds: [],
      bytes: new Uint8Array(),
      ends: new Uint32Array(items.length),
      words: [],
      cells: noCells,
      figures: new Float64Array(items.length * figuresEach),
      astrayBoxes: new Map(),
      shapeNumbers: new Int32Array(items.length),
      shapes: [],
    };
    const cells = new CellGatherer(items.length);
    this.#bytes.truncate(0);
    items.forEach(({ ref, item, isPartial }, index) => {
      const { shape, isAsGiven } = isPartial ? this.#packWhole(item) : this.#packOne(ref.collectionId, item);
      if (shape) noteShape(shape, slice);
      slice.collectionIds.push(ref.collectionId);
      slice.itemIds.push(ref.itemId);
      slice.ends[index] = this.#bytes.length;
      slice.words.push(wordsOf(item));
      slice.shapeNumbers[index] = isPartial ? -1 : (shape?.number ?? 0);
      putFigures(slice.figures, index, item);
      const footprint = toFootprintCell(item);
      const astrayBox = footprint.kind === footprintKinds.astray ? boxIfAstray(item) : null;
      if (astrayBox) slice.astrayBoxes.set(index, astrayBox);
      if (isAsGiven) cells.put(index, item, footprint);
    });
    slice.cells = cells.take();
    slice.bytes = this.#bytes.take();
    return packSlice(slice);
  }

  /** The slices as the writing thread needs them now: without the shapes that it was told of before. */
  tell(slices: readonly PackedSlice[]): PackedSlice[] {
    return slices.map((slice) => {
      const shapes = slice.shapes.filter(({ number }) => !this.#told.has(number));
      for (const { number } of shapes) this.#told.add(number);
      return { ...slice, shapes };
    });
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
    if (!used) return this.#packWhole(item);
    // Items of one shape mostly follow one another.
    known.unshift(used);
    const { shape, json } = used;
    const start = this.#bytes.length;
    const isAsGiven = this.#differences.appendUnsigned(shape, item);
    if (!isAsGiven) this.#differences.append(shape, withoutSignedLinks(item));
    if (this.#bytes.length - start <= json.length * maxDifferentShare) return { shape: used, isAsGiven };
    this.#bytes.truncate(start);
    return this.#packWhole(item);
  }

  #addShape(known: KnownShape[], collectionId: string, item: StacItem): Packed {
    const json = toCleanText(item);
    if (json.length > maxShapeLength) return this.#packWhole(item);
    const clean: unknown = JSON.parse(json);
    const shape = createShape(clean);
    const added = { number: ++this.#lastNumber, collectionId, pk: null, json, shape };
    known.unshift(added);
    this.#differences.append(shape, clean);
    return { shape: added, isAsGiven: false };
  }

  #packWhole(item: StacItem): Packed {
    this.#bytes.writeRaw(toCleanText(item));
    return { shape: null, isAsGiven: false };
  }

  #readShapes(collectionId: string): KnownShape[] {
    const rows = this.#database
      .prepare<[string], { pk: number; zstd: Buffer }>(
        `SELECT item_shape.pk, zstd FROM item_shape JOIN collection ON collection.pk = collection_pk
         WHERE collection.id = ? ORDER BY item_shape.pk DESC`,
      )
      .all(collectionId);
    const known = rows.map(({ pk, zstd }) => {
      const [json, shape] = readStored('The shape of items', () => {
        const text = unpackText(zstd);
        return [text, createShape(JSON.parse(text))] as const;
      });
      return { number: ++this.#lastNumber, collectionId, pk, json, shape };
    });
    this.#shapes.set(collectionId, known);
    return known;
  }
}

function noteShape({ number, collectionId, pk, json }: KnownShape, { shapes }: ItemSlice): void {
  if (!shapes.some((noted) => noted.number === number)) shapes.push({ number, collectionId, pk, json });
}

function toCleanText(item: StacItem): string {
  const text = JSON.stringify(item);
  return mayHoldSignedUrl(text) ? JSON.stringify(withoutSignedLinks(item)) : text;
}
