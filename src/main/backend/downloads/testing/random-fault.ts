import { expiredXml } from './fault-catalog.ts';
import type { Fault } from './fault.ts';

type Chance = () => number;

const upTo = (random: Chance, most: number) => Math.floor(random() * most);
const page = '<!doctype html><title>Sign in</title>';

/** Everything that may befall a request for a file of some bytes; two or three of them may go together. */
const kinds: readonly ((random: Chance, sizeBytes: number) => Fault)[] = [
  (random, size) => ({ cutAfterBytes: upTo(random, size) }),
  (random, size) => ({ resetAfterBytes: upTo(random, size) }),
  (random, size) => ({ stallAfterBytes: upTo(random, size) }),
  (random, size) => ({
    cutAfterBytes: upTo(random, size),
    garbage: Buffer.alloc(upTo(random, 70_000), '<x/>'),
  }),
  (random, size) => ({ mostBytes: upTo(random, size) }),
  (random, size) => ({ flippedByte: upTo(random, size) }),
  (random) => ({ shiftStart: upTo(random, 9000) - 6000 }),
  (random) => ({ extraBytes: upTo(random, 5000) }),
  (random) => ({ delayMs: upTo(random, 60) }),
  (random) => ({ bytesPerSecond: 500_000 + upTo(random, 5_000_000) }),
  (random) => ({ lengthBy: random() < 0.5 ? 'chunks' : 'closing' }),
  (random) => ({ status: [500, 502, 504, 408, 520][upTo(random, 5)] ?? 500 }),
  (random) => ({ status: 429, headers: { 'retry-after': String(upTo(random, 20)) } }),
  () => ({ status: 503 }),
  () => ({ status: 403, body: expiredXml }),
  () => ({ status: 403 }),
  () => ({ status: 416 }),
  () => ({ body: page, headers: { 'content-type': 'text/html' } }),
  () => ({ body: '' }),
  () => ({ ignoresRange: true }),
  () => ({ ifRange: 'rejected' }),
  () => ({ isMultipart: true }),
  () => ({ contentRange: 'bytes 9-3/7' }),
  () => ({ contentRange: null }),
  () => ({ etag: null }),
  () => ({ etag: 'W/"v1"' }),
  () => ({ encoding: 'gzip' }),
  () => ({ closesAfter: true }),
  () => ({ isSilent: true }),
];

/** So many faults at once, or up to three. */
export function randomFault(random: Chance, sizeBytes: number, count = 1 + upTo(random, 3)): Fault {
  const chosen = Array.from({ length: count }, () => kinds[upTo(random, kinds.length)]?.(random, sizeBytes));
  return Object.assign({}, ...chosen) as Fault;
}
