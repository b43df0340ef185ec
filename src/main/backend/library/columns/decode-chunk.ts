import { zstdDecompressSync } from 'node:zlib';
import { blockSize, type ColumnChunk, type DictionaryValue, type ValuePool } from './column-chunk.ts';
import { chunkKinds } from './encode-chunk.ts';

// A little more than what comes out, so that it is taken in one piece and little memory is left over.
const margin = 256;
const numberBytes: Readonly<Record<number, number>> = {
  [chunkKinds.floats]: 8,
  [chunkKinds.integers]: 4,
  [chunkKinds.times]: 8,
  [chunkKinds.hashes]: 4,
};
/** Of a dictionary or footprints. */
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
      return { kind: 'numbers', values: toFloats(unpack(stored, 1)), scale: 1 };
    case chunkKinds.integers: {
      const values = new Int32Array(blockSize);
      unshuffle(unpack(stored, 2), values);
      return { kind: 'numbers', values, scale: 10 ** second };
    }
    case chunkKinds.times:
      return { kind: 'times', values: toFloats(unpack(stored, 2)), digits: second, isShared: false };
    case chunkKinds.sameTimes:
      return { kind: 'times', values: blockTimes(), digits: second, isShared: true };
    case chunkKinds.hashes: {
      const hashes = new Uint32Array(blockSize);
      new Uint8Array(hashes.buffer).set(unpack(stored, 1));
      return { kind: 'hashes', hashes };
    }
    case chunkKinds.dictionary:
      return readDictionary(unpack(stored, 2), second, pool());
    default:
      throw new Error(`A column of the library has the unknown form ${String(kind)}`);
  }
}

/** What `pack` stored after a header of some bytes. */
export function unpack(stored: Buffer, headerBytes: number): Buffer {
  const width = headerBytes === 0 ? undefined : numberBytes[stored[0] ?? 0];
  const chunkSize = width === undefined ? usualBytes : blockSize * width + margin;
  return zstdDecompressSync(stored.subarray(headerBytes), { chunkSize });
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

function toFloats(bytes: Uint8Array): Float64Array {
  const values = new Float64Array(blockSize);
  unshuffle(bytes, values);
  return values;
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
