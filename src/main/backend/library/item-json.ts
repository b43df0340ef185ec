import type { Database } from 'better-sqlite3';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '#shared/errors/app-error.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { readStored } from './read-stored.ts';
import { createShape, type ItemShape } from './shape/item-shape.ts';
import { readDifference } from './shape/shape-difference.ts';

// Small windows: the time of a call goes into making ready what a window needs, not into the few hundred bytes.
const small = {
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 12,
  [constants.ZSTD_c_hashLog]: 11,
  [constants.ZSTD_c_chainLog]: 11,
};
const large = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 };
const smallBytes = 4096;

/**
 * First byte of what is told by a shape; its number follows, then what differs, compressed where that is much, and a
 * checksum of all of it (CRC-32, little-endian). Anything else is an Item's JSON by itself, and begins as zstd does, which
 * has a checksum of its own. No two of them are one bit apart.
 */
const marks = { shaped: 0xf1, compressed: 0xf2 };
/** The same without a checksum, as it was written up to schema 13. */
const uncheckedMarks = { shaped: 1, compressed: 2 };
const maxUncompressedBytes = 2000;
/** The mark, and seven bits of the number in each byte. */
const longestHead = 9;
const checksumBytes = 4;

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
  const packed = Buffer.allocUnsafe(longestHead + rest.length + checksumBytes);
  packed[0] = isLarge ? marks.compressed : marks.shaped;
  let at = 1;
  for (let left = shapePk; ; left = Math.floor(left / 128)) {
    packed[at++] = left > 127 ? (left % 128) + 128 : left;
    if (left <= 127) break;
  }
  packed.set(rest, at);
  at += rest.length;
  return packed.subarray(0, packed.writeUInt32LE(crc32(packed.subarray(0, at)), at));
}

/** Where the shapes of packed Items are found. */
export interface ShapeSource {
  find(shapePk: number): ItemShape | null;
}

/**
 * The Item that was packed, with the shapes of the library that it was read from.
 * @throws AppError `library.corrupt` for one whose shape is missing, or whose bytes are damaged
 */
export function unpackItem(packed: Buffer, shapes: ShapeSource): StacItem {
  const item = readStored('An item', () => unpack(packed, shapes));
  const hasProperties = isJsonObject(item) && isJsonObject(item['properties'] ?? {});
  if (!hasProperties) throw new AppError('library.corrupt', 'An item in the library is none');
  return item as unknown as StacItem;
}

function unpack(packed: Buffer, shapes: ShapeSource): unknown {
  switch (packed[0]) {
    case marks.shaped:
      return readShaped(withoutChecksum(packed), shapes, false);
    case marks.compressed:
      return readShaped(withoutChecksum(packed), shapes, true);
    case uncheckedMarks.shaped:
      return readShaped(packed, shapes, false);
    case uncheckedMarks.compressed:
      return readShaped(packed, shapes, true);
    default:
      return JSON.parse(unpackText(packed));
  }
}

function withoutChecksum(packed: Buffer): Buffer {
  const end = packed.length - checksumBytes;
  const bytes = packed.subarray(0, end);
  if (crc32(bytes) !== packed.readUInt32LE(end)) throw new Error('the checksum is another');
  return bytes;
}

function readShaped(packed: Buffer, shapes: ShapeSource, isCompressed: boolean): unknown {
  let [shapePk, factor, at] = [0, 1, 1];
  for (let hasMore = true; hasMore; at++, factor *= 128) {
    const byte = packed[at] ?? 0;
    shapePk += (byte % 128) * factor;
    hasMore = byte > 127;
  }
  const shape = shapes.find(shapePk);
  if (!shape) throw new AppError('library.corrupt', `The shape ${String(shapePk)} of an item is lost`);
  if (!isCompressed) return readDifference(shape, packed, at);
  return readDifference(shape, zstdDecompressSync(packed.subarray(at), { chunkSize: smallBytes }));
}

/** A shape that was packed with `packText`. */
export function unpackShape(packed: Buffer): ItemShape {
  return readStored('The shape of items', () => createShape(JSON.parse(unpackText(packed))));
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
