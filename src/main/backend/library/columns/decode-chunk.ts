import { zstdDecompressSync } from 'node:zlib';
import { blockSize, type ColumnChunk, type DictionaryValue, type ValuePool } from './column-chunk.ts';
import { chunkKinds } from './encode-chunk.ts';

/** Beyond what comes out: where room is left, zlib asks for no second piece. */
const margin = 64;
/** Of a piece, if it isn't said how much comes out. */
const usualBytes = 64 * 1024;
/** Of a piece, whatever a damaged chunk says. */
const mostBytes = 2 ** 24;

/** What some chunks refer to. */
export interface ChunkSurroundings {
  /** The times of the block's `datetime` column, for a chunk that says it has the same. */
  blockTimes: () => Float64Array;
  /** The values of the column so far. */
  pool: () => ValuePool;
}

/** Reads a stored chunk. */
export function decodeChunk(stored: Buffer, { blockTimes, pool }: ChunkSurroundings): ColumnChunk {
  const [kind, second = 0] = stored;
  switch (kind) {
    case chunkKinds.floats:
      return {
        kind: 'numbers',
        values: new Float64Array(...unshuffleInPlace(unpack(stored, 1), floats)),
        scale: 1,
      };
    case chunkKinds.integers:
      return {
        kind: 'numbers',
        values: new Int32Array(...unshuffleInPlace(unpack(stored, 2), integers)),
        scale: 10 ** second,
      };
    case chunkKinds.times:
      return {
        kind: 'times',
        values: new Float64Array(...unshuffleInPlace(unpack(stored, 2), floats)),
        digits: second,
        isShared: false,
      };
    case chunkKinds.sameTimes:
      return { kind: 'times', values: blockTimes(), digits: second, isShared: true };
    case chunkKinds.hashes: {
      const { buffer, byteOffset } = inOwnMemory(unpack(stored, 1), integers);
      return { kind: 'hashes', hashes: new Uint32Array(buffer, byteOffset, blockSize) };
    }
    case chunkKinds.dictionary:
      return readDictionary(unpack(stored, 2), second, pool());
    default:
      throw new Error(`A column of the library has the unknown form ${String(kind)}`);
  }
}

/** What `pack` stored after a header of some bytes, in one piece of memory that is hardly larger. */
export function unpack(stored: Buffer, headerBytes: number): Buffer {
  const frame = stored.subarray(headerBytes);
  return zstdDecompressSync(frame, { chunkSize: Math.min(contentBytes(frame), mostBytes) + margin });
}

// What a zstd frame says of its content's size, where it has neither a window of its own nor a dictionary, as `pack` makes
// them (RFC 8878, 3.1.1.1).
function contentBytes(frame: Buffer): number {
  switch ((frame[4] ?? 0) & 0b1110_0011) {
    case 0b0010_0000:
      return frame.readUInt8(5);
    case 0b0110_0000:
      return frame.readUInt16LE(5) + 256;
    case 0b1010_0000:
      return frame.readUInt32LE(5);
    default:
      return usualBytes;
  }
}

/** Undoes `shuffle` into numbers of the right width. */
export function unshuffle(bytes: Uint8Array, into: Float64Array | Int32Array | Uint16Array): void {
  const count = into.length;
  if (into instanceof Uint16Array) {
    for (let index = 0; index < count; index++)
      into[index] = (bytes[index] ?? 0) | ((bytes[count + index] ?? 0) << 8);
    return;
  }
  // Four bytes at once: half the time of one by one.
  const words = new Int32Array(into.buffer, into.byteOffset, into.byteLength / 4);
  const wordsEach = into.BYTES_PER_ELEMENT / 4;
  for (let word = 0; word < wordsEach; word++) {
    let at = 4 * word * count;
    for (let to = word; to < words.length; to += wordsEach, at++) {
      const low = (bytes[at] ?? 0) | ((bytes[at + count] ?? 0) << 8);
      words[to] = low | ((bytes[at + 2 * count] ?? 0) << 16) | ((bytes[at + 3 * count] ?? 0) << 24);
    }
  }
}

// Numbers take the place of the bytes that they were read from: what is made on the way is garbage that waits for its
// collection, and leaves holes in memory among what is kept.
const floats = new Float64Array(blockSize);
const integers = new Int32Array(blockSize);

/** Undoes `shuffle` where the bytes are, by way of `numbers`; gives where they stand then. */
export function unshuffleInPlace(
  bytes: Uint8Array,
  numbers: Float64Array | Int32Array | Uint16Array,
): [buffer: ArrayBufferLike, byteOffset: number, length: number] {
  unshuffle(bytes, numbers);
  const own = inOwnMemory(bytes, numbers);
  own.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  return [own.buffer, own.byteOffset, numbers.length];
}

// Bytes that nobody else has, in memory that is hardly larger and where such numbers may stand.
function inOwnMemory(
  bytes: Uint8Array,
  { BYTES_PER_ELEMENT: width, byteLength }: { BYTES_PER_ELEMENT: number; byteLength: number },
): Uint8Array {
  const isAligned = bytes.byteOffset % width === 0 && bytes.length >= byteLength;
  if (isAligned && bytes.buffer.byteLength <= bytes.byteOffset + byteLength + 2 * margin) return bytes;
  const own = new Uint8Array(byteLength);
  own.set(bytes.subarray(0, byteLength));
  return own;
}

function readDictionary(bytes: Buffer, width: number, pool: ValuePool): ColumnChunk {
  const codesEnd = blockSize * width;
  const values = JSON.parse(bytes.toString('utf8', codesEnd)) as DictionaryValue[];
  const pooledCount = pool.values.length;
  const places = Uint32Array.from(values, (value) => pool.place(value));
  const dictionary = { places, pool, addedCount: pool.values.length - pooledCount };
  const codes = width === 1 ? new Uint8Array(blockSize) : new Uint16Array(blockSize);
  if (codes instanceof Uint8Array) codes.set(bytes.subarray(0, codesEnd));
  else unshuffle(bytes.subarray(0, codesEnd), codes);
  giveBack(bytes);
  return { kind: 'dictionary', codes, ...dictionary };
}

/** Gives memory back at once that is used no more, if nobody else has a part of it: its collection may come late. */
export function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength <= byteLength + margin) buffer.transfer(0);
}
