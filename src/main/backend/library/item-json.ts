import type { Database } from 'better-sqlite3';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '#shared/errors/app-error.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { createShape, type ItemShape } from './shape/item-shape.ts';
import { readDifference } from './shape/shape-difference.ts';

// Small windows: the time of a call goes into making ready what a window needs, not into the few hundred bytes.
const small = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 12,
  [constants.ZSTD_c_hashLog]: 11,
  [constants.ZSTD_c_chainLog]: 11,
};
const large = { [constants.ZSTD_c_compressionLevel]: 3 };
const smallBytes = 4096;

/**
 * First byte of what is told by a shape; its number follows, and then what differs, compressed where that is much.
 * Anything else is an Item's JSON by itself, and begins as zstd does.
 */
const shapedMark = 1;
const compressedMark = 2;
const maxUncompressedBytes = 2000;
/** The mark, and seven bits of the number in each byte. */
const longestHead = 9;

/** Compresses JSON, as it is stored. */
export function packText(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text);
  const isSmall = bytes.length <= smallBytes;
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    chunkSize: isSmall ? 1024 : 16_384,
    params: isSmall ? small : large,
  });
}

/** The text that was packed. */
export function unpackText(packed: Buffer): string {
  return zstdDecompressSync(packed, { chunkSize: smallBytes }).toString();
}

/** What differs from a shape, with the row number of the shape. */
export function packDifference(shapePk: number, difference: Uint8Array): Buffer {
  const isLarge = difference.length > maxUncompressedBytes;
  const rest = isLarge ? packText(difference) : difference;
  const packed = Buffer.allocUnsafe(longestHead + rest.length);
  packed[0] = isLarge ? compressedMark : shapedMark;
  let at = 1;
  for (let left = shapePk; ; left = Math.floor(left / 128)) {
    packed[at++] = left > 127 ? (left % 128) + 128 : left;
    if (left <= 127) break;
  }
  packed.set(rest, at);
  return packed.subarray(0, at + rest.length);
}

/** Where the shapes of packed Items are found. */
export interface ShapeSource {
  find(shapePk: number): ItemShape | null;
}

/**
 * The Item that was packed, with the shapes of the library that it was read from.
 * @throws AppError `library.corrupt` for one whose shape is missing
 */
export function unpackItem(packed: Buffer, shapes: ShapeSource): StacItem {
  const mark = packed[0];
  if (mark !== shapedMark && mark !== compressedMark) return JSON.parse(unpackText(packed)) as StacItem;
  let [shapePk, factor, at] = [0, 1, 1];
  for (let hasMore = true; hasMore; at++, factor *= 128) {
    const byte = packed[at] ?? 0;
    shapePk += (byte % 128) * factor;
    hasMore = byte > 127;
  }
  const shape = shapes.find(shapePk);
  if (!shape) throw new AppError('library.corrupt', `The shape ${String(shapePk)} of an item is lost`);
  if (mark === shapedMark) return readDifference(shape, packed, at) as StacItem;
  const difference = zstdDecompressSync(packed.subarray(at), { chunkSize: smallBytes });
  return readDifference(shape, difference) as StacItem;
}

/** A shape that was packed with `packText`. */
export function unpackShape(packed: Buffer): ItemShape {
  return createShape(JSON.parse(unpackText(packed)));
}

const sources = new WeakMap<Database, ShapeSource>();
const maxKnownShapes = 500;

/** The shapes in a library's file; those that were read are remembered, for a shape never changes. */
export function shapesOf(database: Database): ShapeSource {
  const remembered = sources.get(database);
  if (remembered) return remembered;
  const known = new Map<number, ItemShape>();
  const select = database.prepare<[number], Buffer>('SELECT zstd FROM item_shape WHERE pk = ?').pluck();
  const source: ShapeSource = {
    find(shapePk) {
      const found = known.get(shapePk);
      if (found) return found;
      const packed = select.get(shapePk);
      if (!packed) return null;
      const shape = unpackShape(packed);
      // One made in a transaction that fails is gone again, and its number with it.
      if (database.inTransaction) return shape;
      if (known.size >= maxKnownShapes) known.clear();
      known.set(shapePk, shape);
      return shape;
    },
  };
  sources.set(database, source);
  return source;
}
