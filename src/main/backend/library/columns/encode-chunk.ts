import { constants, zstdCompressSync } from 'node:zlib';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import {
  blockSize,
  firstCode,
  formatMicros,
  hashUnlessTime,
  lookAtItem,
  missingInteger,
  noValue,
  type DictionaryValue,
} from './column-chunk.ts';

/** First byte of a stored chunk. */
export const chunkKinds = {
  floats: 1,
  integers: 2,
  times: 3,
  /** Times that are those of the block's `datetime` column. */
  sameTimes: 4,
  dictionary: 5,
  hashes: 6,
} as const;

/** A longer text is prose or a geometry, and stays with its Item. */
const maxTextLength = 400;
const maxWords = 20;
/** With more distinct texts than this, half of them seen but once, hashes are smaller and faster than a dictionary. */
const maxRareTexts = 1024;
/** A dictionary lists all distinct values of a block, and there are no more than its Items. */
const wideFrom = 2 ** 8 - firstCode;
const compression = {
  params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 },
};

/** The values of a property, by slot; undefined or null where an Item has none. */
export type Cells = readonly unknown[];

/**
 * Stores the values of one property of a block, the smallest way that gives each value back exactly, or says that its
 * Item has to be looked at. `blockTimes` are what the block's Items are sorted by. Null when no Item has a value.
 */
export function encodeChunk(cells: Cells, blockTimes: Float64Array): Buffer | null {
  let [count, numberCount, textCount] = [0, 0, 0];
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    count += 1;
    if (typeof cell === 'number') numberCount += 1;
    else if (typeof cell === 'string') textCount += 1;
  }
  if (count === 0) return null;
  if (count === numberCount) return encodeNumbers(toFloats(cells));
  if (count === textCount) return encodeTimes(cells, blockTimes) ?? encodeTexts(cells, count);
  return encodeDictionary(cells);
}

/** Stores numbers, NaN where there is none. Decimals of few digits are kept as whole numbers. */
export function encodeNumbers(values: Float64Array): Buffer {
  for (let exponent = 0; exponent <= 7; exponent++) {
    const integers = toIntegers(values, 10 ** exponent);
    if (integers) return pack([chunkKinds.integers, exponent], shuffle(integers));
  }
  return pack([chunkKinds.floats], shuffle(values));
}

/** Stores times in microseconds, NaN where there is none. */
export function encodeMicros(
  values: Float64Array,
  { digits, blockTimes }: { digits: number; blockTimes: Float64Array | null },
): Buffer {
  const isSame = blockTimes !== null && values.every((value, slot) => Object.is(value, blockTimes[slot]));
  return isSame
    ? Buffer.from([chunkKinds.sameTimes, digits])
    : pack([chunkKinds.times, digits], shuffle(values));
}

/** One header byte a member, then the compressed parts. */
export function pack(header: readonly number[], ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(header), zstdCompressSync(Buffer.concat(parts), compression)]);
}

/** The first bytes of all numbers, then the second ones and so on: like lies beside like, and compresses. */
export function shuffle(values: Float64Array | Int32Array | Uint16Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const width = values.BYTES_PER_ELEMENT;
  const shuffled = new Uint8Array(bytes.length);
  let index = 0;
  for (let byte = 0; byte < width; byte++) {
    for (let from = byte; from < bytes.length; from += width) shuffled[index++] = bytes[from] ?? 0;
  }
  return shuffled;
}

function toFloats(cells: Cells): Float64Array {
  const values = new Float64Array(blockSize).fill(NaN);
  cells.forEach((cell, slot) => {
    if (typeof cell === 'number') values[slot] = cell;
  });
  return values;
}

// Only where dividing gives each number back to the last bit. Zero has no sign then, which no comparison sees.
function toIntegers(values: Float64Array, scale: number): Int32Array | null {
  const integers = new Int32Array(blockSize).fill(missingInteger);
  for (let slot = 0; slot < blockSize; slot++) {
    const value = values[slot] ?? NaN;
    if (Number.isNaN(value)) continue;
    const integer = Math.round(value * scale);
    if (Math.abs(integer) >= 2 ** 31 || integer / scale !== value) return null;
    integers[slot] = integer;
  }
  return integers;
}

function encodeTimes(cells: Cells, blockTimes: Float64Array): Buffer | null {
  const values = new Float64Array(blockSize).fill(NaN);
  let digits = -1;
  for (let slot = 0; slot < cells.length; slot++) {
    const cell = cells[slot];
    if (typeof cell !== 'string') continue;
    if (digits < 0) digits = countDigits(cell);
    const micros = toEpochMicros(cell);
    if (micros === null || !isFormatted(cell, micros, digits)) return null;
    values[slot] = micros;
  }
  return encodeMicros(values, { digits, blockTimes });
}

// Whether `formatMicros` gives the text again; of the usual form it does, which is quicker seen than done.
function isFormatted(text: string, micros: number, digits: number): boolean {
  const length = digits === 0 ? 20 : 21 + digits;
  const isUsual = text.length === length && text.endsWith('Z') && text.charAt(10) === 'T';
  // The hour at the end of a day and a leap second are those that follow them.
  if (isUsual && !text.startsWith('24', 11) && !text.startsWith('60', 17)) return true;
  return formatMicros(micros, digits) === text;
}

function countDigits(text: string): number {
  return Math.min(6, /\.(\d+)/.exec(text)?.[1]?.length ?? 0);
}

function encodeTexts(cells: Cells, count: number): Buffer {
  const distinctCount = new Set(cells).size - (count < cells.length ? 1 : 0);
  if (count <= maxRareTexts || distinctCount <= maxRareTexts || distinctCount <= count / 2)
    return encodeDictionary(cells);
  const hashes = new Uint32Array(blockSize);
  cells.forEach((cell, slot) => {
    if (typeof cell === 'string') hashes[slot] = hashUnlessTime(cell);
  });
  return pack([chunkKinds.hashes], new Uint8Array(hashes.buffer));
}

function encodeDictionary(cells: Cells): Buffer {
  const codes = new Uint16Array(blockSize);
  const codeByValue = new Map<unknown, number>();
  const codeByList = new Map<string, number>();
  const values: DictionaryValue[] = [];
  const codeOf = (cell: unknown): number => {
    const value = toDictionaryValue(cell);
    if (value === null) return lookAtItem;
    const list = typeof value === 'object' ? JSON.stringify(value) : null;
    const code = (list === null ? null : codeByList.get(list)) ?? values.push(value) - 1 + firstCode;
    if (list === null) codeByValue.set(value, code);
    else codeByList.set(list, code);
    return code;
  };
  for (let slot = 0; slot < cells.length; slot++) {
    const cell = cells[slot];
    codes[slot] = cell === undefined || cell === null ? noValue : (codeByValue.get(cell) ?? codeOf(cell));
  }
  const isWide = values.length > wideFrom;
  const list = Buffer.from(JSON.stringify(values));
  const stored = isWide ? shuffle(codes) : Uint8Array.from(codes);
  return pack([chunkKinds.dictionary, isWide ? 2 : 1], stored, list);
}

/** A value as dictionaries list it; null for what stays with its Item. JSON has no number that isn't finite, but reads 1e999 as one. */
export function toDictionaryValue(cell: unknown): DictionaryValue | null {
  if (typeof cell === 'string') return cell.length > maxTextLength ? null : cell;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell === 'boolean') return cell;
  if (!Array.isArray(cell) || cell.length === 0 || cell.length > maxWords) return {};
  const areWords = cell.every((word): word is string => typeof word === 'string');
  return areWords && cell.join(', ').length <= maxTextLength ? cell : {};
}
