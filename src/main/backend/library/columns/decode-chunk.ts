import { zstdDecompressSync } from 'node:zlib';
import { blockSize, type ColumnChunk, type DictionaryValue, type ValuePool } from './column-chunk.ts';
import { chunkKinds } from './encode-chunk.ts';

// A little more than what comes out, so that it is taken in one piece and little memory is left over.
const margin = 256;
/** Of the list of values of a dictionary, for each byte of a code. */
const usualListBytes = 4096;
const numberBytes: Readonly<Record<number, number>> = {
  [chunkKinds.floats]: 8,
  [chunkKinds.integers]: 4,
  [chunkKinds.times]: 8,
  [chunkKinds.hashes]: 4,
};
/** Of footprints. */
const usualBytes = 64 * 1024;

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
      return { kind: 'numbers', values: new Float64Array(...inPlace(unpack(stored, 1), floats)), scale: 1 };
    case chunkKinds.integers:
      return {
        kind: 'numbers',
        values: new Int32Array(...inPlace(unpack(stored, 2), integers)),
        scale: 10 ** second,
      };
    case chunkKinds.times:
      return {
        kind: 'times',
        values: new Float64Array(...inPlace(unpack(stored, 2), floats)),
        digits: second,
        isShared: false,
      };
    case chunkKinds.sameTimes:
      return { kind: 'times', values: blockTimes(), digits: second, isShared: true };
    case chunkKinds.hashes: {
      const { buffer, byteOffset } = inOwnMemory(unpack(stored, 1), 4);
      return { kind: 'hashes', hashes: new Uint32Array(buffer, byteOffset, blockSize) };
    }
    case chunkKinds.dictionary:
      return readDictionary(unpack(stored, 2), second, pool());
    default:
      throw new Error(`A column of the library has the unknown form ${String(kind)}`);
  }
}

/** What `pack` stored after a header of some bytes. */
export function unpack(stored: Buffer, headerBytes: number): Buffer {
  return zstdDecompressSync(stored.subarray(headerBytes), { chunkSize: sizeOf(stored, headerBytes) });
}

function sizeOf([kind = 0, second = 0]: Buffer, headerBytes: number): number {
  if (headerBytes === 0) return usualBytes;
  if (kind === chunkKinds.dictionary) return (blockSize + usualListBytes) * second;
  return blockSize * (numberBytes[kind] ?? 0) + margin;
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

// Numbers take the place of the bytes that they were read from, so that half as much memory is left to be collected.
const floats = new Float64Array(blockSize);
const integers = new Int32Array(blockSize);

/** Undoes `shuffle` where the bytes are; gives where the numbers stand then. */
function inPlace(
  bytes: Buffer,
  numbers: Float64Array | Int32Array,
): [buffer: ArrayBufferLike, byteOffset: number, length: number] {
  unshuffle(bytes, numbers);
  const own = inOwnMemory(bytes, numbers.BYTES_PER_ELEMENT);
  own.set(new Uint8Array(numbers.buffer));
  return [own.buffer, own.byteOffset, blockSize];
}

// Bytes that nobody else has, in memory that is hardly larger and where numbers of a width may stand.
function inOwnMemory(bytes: Buffer, width: number): Uint8Array {
  const isAligned = bytes.byteOffset % width === 0 && bytes.length >= blockSize * width;
  if (isAligned && bytes.buffer.byteLength <= bytes.length + 2 * margin) return bytes;
  const own = new Uint8Array(blockSize * width);
  own.set(bytes.subarray(0, own.length));
  return own;
}

function readDictionary(bytes: Buffer, width: number, pool: ValuePool): ColumnChunk {
  const codesEnd = blockSize * width;
  const values = JSON.parse(bytes.toString('utf8', codesEnd)) as DictionaryValue[];
  const pooledCount = pool.values.length;
  const places = Uint32Array.from(values, (value) => pool.place(value));
  const dictionary = { places, pool, addedCount: pool.values.length - pooledCount };
  if (width === 1)
    return { kind: 'dictionary', codes: Uint8Array.from(bytes.subarray(0, codesEnd)), ...dictionary };
  const codes = new Uint16Array(blockSize);
  unshuffle(bytes.subarray(0, codesEnd), codes);
  return { kind: 'dictionary', codes, ...dictionary };
}
