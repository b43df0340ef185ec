import type { DamagedPages } from './damaged-pages.ts';

/** A value of a row as SQLite stores it. */
export type RowValue = null | number | string | Buffer;

/** A row that was found: of a table with its number, of a table WITHOUT ROWID with none. */
export interface FoundRow {
  rowNumber: number | null;
  values: RowValue[];
}

const tableLeaf = 0x0d;
const indexLeaf = 0x0a;
const indexInterior = 0x02;

/** The rows on one page; whatever on it makes no sense is passed over. */
export function* readRows(pages: DamagedPages, pageNumber: number): Generator<FoundRow> {
  const page = pages.read(pageNumber);
  if (!page) return;
  const start = pageNumber === 1 ? 100 : 0;
  const type = page[start];
  if (type !== tableLeaf && type !== indexLeaf && type !== indexInterior) return;
  const headerBytes = type === indexInterior ? 12 : 8;
  const cellCount = page.readUInt16BE(start + 3);
  if (start + headerBytes + cellCount * 2 > page.length) return;
  for (let index = 0; index < cellCount; index += 1) {
    const at = page.readUInt16BE(start + headerBytes + index * 2);
    const row = tryTo(() => readCell(pages, page, { at, type }));
    if (row) yield row;
  }
}

/** Pages that hold nothing any more (fileformat2.html §1.5); what can't be followed is left out. */
export function findFreePages(pages: DamagedPages): Set<number> {
  const free = new Set<number>();
  let trunk = pages.read(1)?.readUInt32BE(32) ?? 0;
  while (trunk !== 0 && !free.has(trunk)) {
    const page = pages.read(trunk);
    if (!page) break;
    free.add(trunk);
    const count = page.readUInt32BE(4);
    if (count > pages.usableBytes / 4 - 2) break;
    for (let index = 0; index < count; index += 1) free.add(page.readUInt32BE(8 + index * 4));
    trunk = page.readUInt32BE(0);
  }
  return free;
}

// A page of garbage leads anywhere: outside the page, to lengths that can't be.
function tryTo<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof NonsenseError) return null;
    throw thrown;
  }
}

class NonsenseError extends Error {}

function readCell(pages: DamagedPages, page: Buffer, cell: { at: number; type: number }): FoundRow {
  const cursor = new Cursor(page, cell.at + (cell.type === indexInterior ? 4 : 0));
  const payloadBytes = cursor.varint();
  const rowNumber = cell.type === tableLeaf ? cursor.varint() : null;
  const payload = readPayload(pages, page, {
    at: cursor.at,
    payloadBytes,
    maxLocalBytes: maxLocalBytes(pages.usableBytes, cell.type),
  });
  return { rowNumber, values: readRecord(payload) };
}

function maxLocalBytes(usableBytes: number, type: number): number {
  return type === tableLeaf ? usableBytes - 35 : Math.floor(((usableBytes - 12) * 64) / 255) - 23;
}

/** No row of a library is larger. */
const maxPayloadBytes = 64 * 1024 * 1024;

interface Payload {
  at: number;
  payloadBytes: number;
  maxLocalBytes: number;
}

function readPayload(pages: DamagedPages, page: Buffer, payload: Payload): Buffer {
  const { at, payloadBytes, maxLocalBytes: maxLocal } = payload;
  if (payloadBytes < 1 || payloadBytes > maxPayloadBytes) throw new NonsenseError();
  if (payloadBytes <= maxLocal) return slice(page, at, payloadBytes);
  const { usableBytes } = pages;
  const minLocal = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const wanted = minLocal + ((payloadBytes - minLocal) % (usableBytes - 4));
  const localBytes = wanted <= maxLocal ? wanted : minLocal;
  const chunks = [slice(page, at, localBytes)];
  let next = page.readUInt32BE(at + localBytes);
  for (let left = payloadBytes - localBytes; left > 0;) {
    const overflow = pages.read(next);
    if (!overflow) throw new NonsenseError();
    const count = Math.min(left, usableBytes - 4);
    chunks.push(slice(overflow, 4, count));
    next = overflow.readUInt32BE(0);
    left -= count;
  }
  return Buffer.concat(chunks);
}

function slice(page: Buffer, at: number, count: number): Buffer {
  if (at + count > page.length) throw new NonsenseError();
  return page.subarray(at, at + count);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readRecord(payload: Buffer): RowValue[] {
  const header = new Cursor(payload, 0);
  const headerBytes = header.varint();
  if (headerBytes > payload.length) throw new NonsenseError();
  const values: RowValue[] = [];
  let at = headerBytes;
  while (header.at < headerBytes) {
    const type = header.varint();
    const count = bytesOf(type);
    values.push(readValue(slice(payload, at, count), type));
    at += count;
  }
  return values;
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function bytesOf(type: number): number {
  if (type < 10) return integerBytes[type] ?? 0;
  if (type < 12) throw new NonsenseError();
  return Math.floor((type - 12) / 2);
}

function readValue(bytes: Buffer, type: number): RowValue {
  if (type === 0) return null;
  if (type === 8) return 0;
  if (type === 9) return 1;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type % 2 === 0) return Buffer.from(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new NonsenseError();
  }
}

/** Reads the numbers of a cell one after the other. */
class Cursor {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** At most nine bytes, seven bits each; a number beyond 2^53 makes no sense here. */
  varint(): number {
    let value = 0;
    for (let count = 0; count < 8; count += 1) {
      const byte = this.#bytes.readUInt8(this.at++);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) throw new NonsenseError();
        return value;
      }
    }
    throw new NonsenseError();
  }
}
