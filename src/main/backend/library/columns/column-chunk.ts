import { toEpochMicros } from '#shared/stac/timestamp.ts';

/** Items of one block: those whose row numbers share all but the last 13 bits. A column of one block is a chunk. */
export const blockBits = 13;
/** Items of one block. */
export const blockSize = 2 ** blockBits;

/** A value as a dictionary lists it. What is neither text, number nor boolean is `{}`, or a list of short words. */
export type DictionaryValue = string | number | boolean | readonly string[] | Record<string, never>;

/** Numbers: the value is `values[slot] / scale`, not a number where an Item has none. */
export interface NumberChunk {
  kind: 'numbers';
  /** Whole numbers are `missingInteger` where an Item has none. */
  values: Float64Array | Int32Array;
  scale: number;
}

/** Timestamps in UTC, all written with the same number of fraction digits: microseconds, NaN where an Item has none. */
export interface TimeChunk {
  kind: 'times';
  values: Float64Array;
  digits: number;
  /** Whether the values are those of the block's `datetime` column: they take no memory of their own. */
  isShared: boolean;
}

/** Code 0: no value. Code 1: look at the Item. Code n: the value in the pool that `places[n - 2]` says. */
export interface DictionaryChunk {
  kind: 'dictionary';
  codes: Uint8Array | Uint16Array;
  places: Uint32Array;
  pool: ValuePool;
  /** How many values it brought into the pool. */
  addedCount: number;
}

/** The values that the dictionaries of a column list, each once. */
export interface ValuePool {
  readonly values: readonly DictionaryValue[];
  /** The place of a value, which is added if it is new. */
  place(value: DictionaryValue): number;
}

/** An empty pool. */
export function createValuePool(): ValuePool {
  const values: DictionaryValue[] = [];
  const places = new Map<DictionaryValue, number>();
  const placesOfLists = new Map<string, number>();
  const placeIn = <Key>(known: Map<Key, number>, key: Key, value: DictionaryValue): number => {
    let place = known.get(key);
    if (place === undefined) known.set(key, (place = values.push(value) - 1));
    return place;
  };
  return {
    values,
    place: (value) =>
      typeof value === 'object'
        ? placeIn(placesOfLists, JSON.stringify(value), value)
        : placeIn(places, value, value),
  };
}

/** Texts that hardly repeat. Code 0: no value. Code 1: look at the Item. Any other: `hashText` of it. */
export interface HashChunk {
  kind: 'hashes';
  hashes: Uint32Array;
}

/** The values of one property of the Items of a block. */
export type ColumnChunk = NumberChunk | TimeChunk | DictionaryChunk | HashChunk;

/** Stands for no value among whole numbers. */
export const missingInteger = -(2 ** 31);

/** The code of no value. */
export const noValue = 0;
/** The code of a value that is not kept here. */
export const lookAtItem = 1;
/** Codes from here on stand for values. */
export const firstCode = 2;

/** 32 bits of a text (FNV-1a over its UTF-16 units), never one of the reserved codes. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // FNV's low bits are its good ones; the high ones are mixed in.
  const mixed = (hash ^ (hash >>> 15)) >>> 0;
  return mixed < firstCode ? mixed + firstCode : mixed;
}

/** What stands for a text among hashes. Two ways to write one instant are equal, and have two hashes: so of none. */
export function hashUnlessTime(text: string): number {
  return toEpochMicros(text) === null ? hashText(text) : lookAtItem;
}

/** A timestamp in UTC with a fixed number of fraction digits. */
export function formatMicros(micros: number, digits: number): string {
  const seconds = Math.floor(micros / 1e6);
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  if (digits === 0) return `${whole}Z`;
  const fraction = String(micros - seconds * 1e6).padStart(6, '0');
  return `${whole}.${fraction.slice(0, digits)}Z`;
}

/** Of a text, and of where the pool has it. */
const pooledBytes = 200;

/** About how much memory a chunk takes. */
export function chunkBytes(chunk: ColumnChunk): number {
  const overhead = 200;
  switch (chunk.kind) {
    case 'numbers':
      return overhead + chunk.values.byteLength;
    case 'times':
      return overhead + (chunk.isShared ? 0 : chunk.values.byteLength);
    case 'hashes':
      return overhead + chunk.hashes.byteLength;
    case 'dictionary':
      return overhead + chunk.codes.byteLength + chunk.places.byteLength + chunk.addedCount * pooledBytes;
  }
}
