import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemTimers } from '../tasks/timers.ts';
import { checksumOf, createHarness, type Harness } from '../testing/download-harness.ts';
import { readRange, type Fault } from '../testing/fault.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { makeTiff } from '../testing/fault-trial.ts';

const chunkBytes = 256 * 1024;
const [oldDate, newDate] = ['Wed, 04 Feb 2026 10:00:00 GMT', 'Thu, 05 Feb 2026 10:00:00 GMT'];
let server: FaultServer;
let harness: Harness;

beforeEach(async () => {
  server = await startFaultServer(Buffer.alloc(0));
  server.etag = null;
});

afterEach(async () => {
  await harness.close();
  await server.close();
});

const hasEnd = (range?: string) => (readRange(range)?.end ?? null) !== null;
const piecesAsked = () => server.requests.filter(({ headers }) => hasEnd(headers.range)).length;

/** Brings a file of which the first request alone shows the first object, and all after it the second. */
async function bring(
  [first, second]: readonly [Buffer, Buffer],
  { before, now, checksum = null }: { before: Fault; now: Fault; checksum?: string | null },
) {
  server.script = (index) =>
    index === 0 ? { file: first, ...before } : { file: second, ifRange: 'ignored', ...now };
  harness = createHarness(
    { B04: { href: `${server.origin}/B04.tif`, sizeBytes: first.length, checksum } },
    first.length > 16 * 1024 * 1024 ? {} : { timers: systemTimers, partSizes: { chunkBytes } },
  );
  const [transfer] = await harness.finish(await harness.start(['B04']));
  const path = harness.files().find((name) => name.endsWith('.tif'));
  const came = path === undefined ? null : harness.read(path);
  return { transfer, isFirst: came?.equals(first), isSecond: came?.equals(second) };
}

describe('a file that is replaced while it comes over several connections', () => {
  const objects = [makeTiff(4_000_000, 5), makeTiff(4_000_000, 6)] as const;

  beforeEach(() => void (server.bytesPerSecond = 1_500_000));

  it.each<[what: string, before: Fault, now: Fault]>([
    ['another date', { lastModified: oldDate }, { lastModified: newDate }],
    ['no date any more', { lastModified: oldDate }, {}],
    ['a weak ETag in place of a strong one', { etag: '"1"' }, { etag: 'W/"2"' }],
    ['no ETag any more', { etag: '"1"' }, {}],
  ])('is one of the two when a range shows %s', async (_, before, now) => {
    const { transfer, isFirst, isSecond } = await bring(objects, { before, now });
    expect(transfer).toMatchObject({ state: 'done' });
    expect(isFirst === true || isSecond === true).toBe(true);
    // One is enough to know, and those that were on their way with it.
    expect(piecesAsked()).toBeGreaterThan(0);
    expect(piecesAsked()).toBeLessThan(4);
  });

  it.each<[what: string, before: Fault, now: Fault]>([
    ['only a weak ETag', { etag: 'W/"1"' }, { etag: 'W/"2"' }],
    ['only a date of this very moment', { lastModified: new Date().toUTCString() }, {}],
    ['nothing that proves it', {}, {}],
  ])('comes in one stream where a source has %s', async (_, before, now) => {
    const { transfer, isFirst } = await bring(objects, { before, now });
    expect(transfer).toMatchObject({ state: 'done' });
    expect(isFirst).toBe(true);
    expect(piecesAsked()).toBe(0);
  });

  it('comes over several all the same where a checksum will prove it', async () => {
    const [bytes] = objects;
    const checksum = checksumOf(bytes);
    const { transfer } = await bring([bytes, bytes], { before: {}, now: {}, checksum });
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(piecesAsked()).toBeGreaterThan(0);
  });
});

describe('a file whose first stretch alone is asked for', () => {
  const size = 20 * 1024 * 1024;
  // Empty where the stretch ends, as pictures are at their edges.
  const endBytes = 6 * 1024 * 1024;
  const makePicture = (seed: number) => makeTiff(size, seed).fill(0, endBytes - 500_000, endBytes + 500_000);
  const objects = [makePicture(5), makePicture(6)] as const;

  it.each<[what: string, before: Fault, now: Fault]>([
    ['nothing proves', {}, {}],
    ['a weak ETag is all that names', { etag: 'W/"1"' }, {}],
  ])('is asked for in one when %s it', async (_, before, now) => {
    const { transfer, isSecond } = await bring(objects, { before, now });
    expect(transfer).toMatchObject({ state: 'done' });
    expect(isSecond).toBe(true);
    // No more at first than a fourth of it, by the pieces that connections divide it into.
    const ends = server.requests.map(({ headers }) => readRange(headers.range)?.end ?? null);
    expect(ends).toEqual([endBytes, null]);
  });
});
