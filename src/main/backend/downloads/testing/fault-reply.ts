import { gzipSync } from 'node:zlib';
import { readRange, type Fault, type SeenRequest } from './fault.ts';

/** What the server has, and says about it. */
export interface StoredObject {
  file: Buffer;
  etag: string | null;
  lastModified: string | null;
  contentType: string;
}

/** An answer before it is sent. */
export interface FaultReply {
  status: number;
  /** Name, value, name, value. */
  headers: string[];
  body: Buffer;
}

const boundary = 'THIS_SEPARATES';

/** What a request is answered with: the object as any storage would send it, changed by the fault. */
export function planReply(seen: SeenRequest, stored: StoredObject, fault: Fault): FaultReply {
  if (fault.body !== undefined || (fault.status !== undefined && fault.status >= 300)) {
    const body = Buffer.from(fault.body ?? '');
    return toReply(fault.status ?? 200, { 'content-length': String(body.length) }, { body, fault });
  }
  const object = alter(stored, fault);
  const { file } = object;
  const asked = fault.ignoresRange === true ? null : readAsked(seen, object, fault);
  if (asked === null) {
    return toReply(200, describe(object, file.length), { body: file, fault });
  }
  if (asked.start >= file.length) {
    const headers = { ...describe(object, 0), 'content-range': `bytes */${file.length}` };
    return toReply(416, headers, { body: Buffer.alloc(0), fault });
  }
  return planRange(object, asked, fault);
}

function planRange(
  object: StoredObject,
  asked: { start: number; end: number | null },
  fault: Fault,
): FaultReply {
  const { file } = object;
  const { shiftStart = 0, mostBytes = file.length } = fault;
  const start = asked.start + shiftStart;
  const end = Math.min(asked.end ?? file.length, start + mostBytes, file.length);
  const bytes = file.subarray(start, end);
  const contentRange = `bytes ${start}-${end - 1}/${file.length}`;
  if (fault.isMultipart === true) {
    const head = `--${boundary}\r\ncontent-range: ${contentRange}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const type = { 'content-type': `multipart/byteranges; boundary=${boundary}` };
    return toReply(206, { ...describe(object, body.length), ...type }, { body, fault });
  }
  const range = { 'content-range': fault.contentRange === undefined ? contentRange : fault.contentRange };
  const body = Buffer.concat([bytes, Buffer.alloc(fault.extraBytes ?? 0, 0xee)]);
  return toReply(206, { ...describe(object, body.length), ...range }, { body, fault });
}

function alter(stored: StoredObject, fault: Fault): StoredObject {
  const { file = stored.file, etag = stored.etag, lastModified = stored.lastModified } = fault;
  return { ...stored, etag, lastModified, file: flipBit(file, fault.flippedByte) };
}

function flipBit(file: Buffer, at: number | undefined): Buffer {
  if (at === undefined) return file;
  const flipped = Buffer.from(file);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}

function describe({ etag, lastModified, contentType }: StoredObject, length: number) {
  return {
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-length': String(length),
    etag,
    'last-modified': lastModified,
  };
}

// Null: the whole, because no range was asked for or If-Range names other bytes.
function readAsked({ headers }: SeenRequest, { etag, lastModified }: StoredObject, fault: Fault) {
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === etag || ifRange === lastModified;
  const isRejected = fault.ifRange === 'rejected' && ifRange !== undefined;
  return isRejected || (!isSame && fault.ifRange !== 'ignored') ? null : readRange(headers.range);
}

function toReply(
  status: number,
  headers: Record<string, string | null>,
  { body, fault }: { body: Buffer; fault: Fault },
): FaultReply {
  const sent = fault.encoding === 'gzip' ? gzipSync(body) : body;
  const encoding = sent === body ? {} : { 'content-encoding': 'gzip', 'content-length': String(sent.length) };
  const unstated = fault.lengthBy === undefined ? {} : { 'content-length': null };
  const all = { ...headers, ...encoding, ...unstated, ...fault.headers };
  const stated = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [name, value]));
  return {
    status: fault.status ?? status,
    headers: [...stated, ...(fault.rawHeaders ?? []).flat()],
    body: sent,
  };
}
