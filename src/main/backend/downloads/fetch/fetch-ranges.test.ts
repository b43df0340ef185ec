import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { reserveBytes } from '../file/volumes.ts';
import { systemTimers } from '../tasks/timers.ts';
import {
  checksumOf,
  createHarness,
  linkTo,
  makeBytes,
  poll,
  type Harness,
} from '../testing/download-harness.ts';
import { readRange, type Fault, type SeenRequest } from '../testing/fault.ts';
import { createHurriedTime } from '../testing/hurried-time.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';

const chunkBytes = 256 * 1024;
const expired = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
const bytes = makeBytes(4_000_000, 5);
let server: FaultServer;
let harness: Harness;

beforeEach(async () => {
  server = await startFaultServer(bytes);
  // What is slow is each connection, so that several are faster.
  server.bytesPerSecond = 1_500_000;
  harness = createHarness(
    {
      B04: { href: `${server.origin}/B04.tif`, sizeBytes: bytes.length, checksum: checksumOf(bytes) },
      B05: { href: `${server.origin}/B05.tif`, sizeBytes: bytes.length, checksum: checksumOf(bytes) },
    },
    {
      timers: systemTimers,
      // Of a busy computer answers are waited for as of a far server: the window leaves each connection one chunk.
      partSizes: { chunkBytes, windowChunks: 4, writeBytes: 64 * 1024, mostBufferedBytes: 1024 * 1024 },
    },
  );
});

afterEach(async () => {
  for (const path of harness.files().filter((name) => name.endsWith('.tif')))
    expect(harness.read(path).equals(bytes)).toBe(true);
  await harness.close();
  await server.close();
});

const isRange = ({ headers }: SeenRequest) => /^bytes=\d+-\d+$/.test(headers.range ?? '');
const ranges = () => server.requests.filter(isRange);
const endOf = (headers?: SeenRequest['headers']) => readRange(headers?.range)?.end;

/** Answers the n-th of the requests for a part of the window, counted from 0, with a fault. */
function spoil(faults: Record<number, Fault>): void {
  server.script = (_, request) => {
    const index = ranges().length - 1;
    if (!isRange(request) || faults[index] === undefined) return undefined;
    // What is to be seen has been seen: no need to take long over the rest.
    if (index === Math.max(...Object.keys(faults).map(Number))) server.bytesPerSecond = 20_000_000;
    return { ...faults[index], bytesPerSecond: 1_500_000 };
  };
}

async function bring(assetKey = 'B04') {
  const [transfer] = await harness.finish(await harness.start([assetKey]));
  return transfer;
}

describe('a file from a server that is slow for each connection', () => {
  it('comes over several, in chunks within a window, and no byte twice', async () => {
    server.bytesPerSecond = 700_000;
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(Math.max(...server.requests.map(({ openAnswers }) => openAnswers))).toBe(4);
    for (const { headers } of ranges()) {
      const range = readRange(headers.range);
      expect((range?.end ?? 0) - (range?.start ?? 0)).toBeLessThanOrEqual(chunkBytes);
    }
    // The first body, which was asked for to the end, is broken off where the others have begun.
    expect(server.sentBytes - bytes.length).toBeLessThan(2_000_000);
    expect(new Set(ranges().map(({ headers }) => headers.range)).size).toBe(ranges().length);
  });

  it('has no more connections than it may', async () => {
    await harness.close();
    harness = createHarness(
      { B04: { href: `${server.origin}/B04.tif`, sizeBytes: bytes.length, checksum: checksumOf(bytes) } },
      {
        timers: systemTimers,
        partSizes: { chunkBytes },
        limits: { ...defaultTransferLimits, connectionsPerHost: 2 },
      },
    );
    expect((await bring())?.state).toBe('done');
    expect(Math.max(...server.requests.map(({ openAnswers }) => openAnswers))).toBe(2);
  });

  it.each([
    ['sends the whole for one of the ranges', { ignoresRange: true }],
    ['sends a range of another file', { etag: '"v2"', file: makeBytes(bytes.length, 6) }],
    ['sends another range', { shiftStart: 1 }],
    ['sends several ranges in one', { isMultipart: true }],
    ['compresses one of the ranges', { encoding: 'gzip' as const }],
  ])('comes in one stream when it %s, and so does the next file', async (_, fault) => {
    spoil({ 2: fault });
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    const before = ranges().length;
    server.script = () => undefined;
    expect(await bring('B05')).toMatchObject({ state: 'done' });
    expect(ranges().length).toBe(before);
  });

  it('comes in one stream when that is found out while the first body is still behind what others brought', async () => {
    server.bytesPerSecond = 20_000_000;
    server.script = (index, request) => {
      if (index === 0) return { bytesPerSecond: 300_000 };
      return isRange(request) && ranges().length === 3
        ? { etag: '"v2"', file: makeBytes(bytes.length, 6) }
        : undefined;
    };
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum', error: null });
    expect(ranges().length).toBeGreaterThanOrEqual(3);
  });

  it('waits with one range alone when the server has no time for it', async () => {
    spoil({ 3: { status: 503, headers: { 'retry-after': '1' } } });
    expect(await bring()).toMatchObject({ state: 'done' });
    const refused = ranges()[3]?.headers.range;
    expect(ranges().filter(({ headers }) => headers.range === refused)).toHaveLength(2);
  });

  it('comes although its ranges are redirected to nowhere, where there is another way to it', async () => {
    const other = await startFaultServer(bytes);
    onTestFinished(() => other.close());
    const { resolveLink } = harness;
    harness.resolveLink = async (ref, wish) => {
      const linked = await resolveLink(ref, wish);
      if (!wish.refused?.has('signed')) return linked;
      return { ...linked, link: { ...linked.link, kind: 'proxy', url: `${other.origin}/B04.tif` } };
    };
    server.script = (_, request) =>
      isRange(request) && ranges().length > 2
        ? { status: 302, headers: { location: 'ftp://127.0.0.1/B04.tif' } }
        : undefined;
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('gives its place to others, and says why, when the server asks for a long pause', async () => {
    const isBusy = { status: 503, headers: { 'retry-after': '600' } };
    server.script = (_, request) => (isRange(request) && ranges().length > 3 ? isBusy : undefined);
    const { waiting } = await harness.until(
      await harness.start(['B04']),
      ({ state }) => state === 'waiting' || state === 'done',
    );
    expect(waiting?.error).toMatchObject({
      code: 'http.too-many-requests',
      details: { host: new URL(server.origin).host },
    });
    expect(Date.parse(waiting?.resumeAt ?? '') - harness.time.clock.now()).toBeGreaterThan(500_000);
    // None asked after one was told.
    expect(ranges().length).toBeLessThanOrEqual(3 + 4);
  });

  it('goes on with a range that broke off, where it broke off', async () => {
    spoil({ 2: { cutAfterBytes: 150_000 }, 5: { resetAfterBytes: 200_000 } });
    expect(await bring()).toMatchObject({ state: 'done' });
  });

  it('asks again for a range that comes far slower than the others', async () => {
    const slow = 2;
    server.script = (_, request) =>
      isRange(request) && ranges().length - 1 === slow ? { bytesPerSecond: 20_000 } : undefined;
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    const [first, again] = ranges().filter(
      ({ headers }) => endOf(headers) === endOf(ranges()[slow]?.headers),
    );
    expect(first?.sentBytes).toBeLessThan(chunkBytes);
    expect(again?.sentBytes).toBeGreaterThan(0);
  });

  it('gives up the first body where that comes far slower than the others', async () => {
    server.script = (index) => (index === 0 ? { bytesPerSecond: 10_000 } : undefined);
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    // It would have brought as much as a chunk has, in half a minute.
    expect(server.requests[0]?.sentBytes).toBeLessThan(chunkBytes / 2);
  });

  it.each([16_384, 65_536])('comes whole where no range has more than %i bytes', async (mostBytes) => {
    server.script = (_, request) => (isRange(request) ? { mostBytes } : undefined);
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(server.sentBytes).toBeLessThan(1.6 * bytes.length);
    expect(server.requests.length).toBeLessThan(200);
  });

  it('is put right when a range ended in garbage', async () => {
    spoil({ 2: { cutAfterBytes: 100_000, garbage: Buffer.alloc(65_536, '<Error/>') } });
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('goes on without the connections that are left unanswered', async () => {
    await harness.close();
    const { timers } = createHurriedTime(10);
    const asset = { href: `${server.origin}/B04.tif`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
    harness = createHarness({ B04: asset }, { timers, partSizes: { chunkBytes, windowChunks: 4 } });
    server.script = (_, { openAnswers }) => (openAnswers > 1 ? { stallAfterBytes: 0 } : undefined);
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    const unanswered = server.requests.filter(({ sentBytes }) => sentBytes === 0);
    expect(unanswered.length).toBeGreaterThan(0);
    expect(unanswered.length).toBeLessThanOrEqual(4);
  });

  it('goes on without the connections that are refused', async () => {
    server.script = (_, request) => (request.openAnswers > 2 ? { status: 403 } : undefined);
    expect(await bring()).toMatchObject({ state: 'done' });
  });

  it('renews a link that ends while several ranges run, once, and goes on over as many', async () => {
    let isOver = false;
    harness.resolveLink = ({ assetKey }, { isRenewal }) => {
      const link = { kind: 'signed', expiresAtMs: null } as const;
      const href = `${server.origin}/${assetKey}.tif`;
      const url = `${href}?Signature=${isRenewal || renewals() > 0 ? 'new' : 'old'}`;
      return Promise.resolve({
        link: { ...link, url },
        href,
        mediaType: null,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      });
    };
    const renewals = () => harness.resolved.filter(([, { isRenewal }]) => isRenewal).length;
    server.bytesPerSecond = 700_000;
    server.script = (_, request) => {
      isOver ||= ranges().length > 5;
      if (!isOver || !request.target.endsWith('old')) return undefined;
      return { status: 403, headers: { 'content-type': 'application/xml' }, body: expired };
    };
    expect(await bring()).toMatchObject({ state: 'done', verification: 'checksum' });
    const afterwards = server.requests.filter(({ target }) => target.endsWith('new'));
    expect(Math.max(...afterwards.map(({ openAnswers }) => openAnswers))).toBe(4);
    expect(renewals()).toBe(1);
  });

  it.each([
    ['a pause', () => harness.downloads.pause({})],
    ['a pause of all', () => harness.downloads.pauseQueue()],
    ['the end of the program', () => harness.restart()],
  ])('goes on after %s with what is there, that beyond a gap too', async (_, pause) => {
    let writtenBytes = 0;
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        return {
          ...file,
          async write(...given) {
            const taken = await file.write(...given);
            if (path.endsWith('.part')) writtenBytes += taken;
            return taken;
          },
        };
      },
    };
    await harness.close();
    const asset = { href: `${server.origin}/B04.tif`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
    const partSizes = { chunkBytes, windowChunks: 4, writeBytes: 16 * 1024, mostBufferedBytes: 1024 * 1024 };
    harness = createHarness({ B04: asset }, { timers: systemTimers, disk, partSizes });
    server.bytesPerSecond = 300_000;
    const downloadId = await harness.start(['B04']);
    await poll(() => (ranges().some(({ sentBytes }) => sentBytes > 100_000) ? true : undefined));
    await pause();
    expect(writtenBytes).toBeGreaterThan(harness.downloads.transfers()[0]?.receivedBytes ?? Infinity);
    server.bytesPerSecond = 20_000_000;
    await harness.downloads.resume({ downloadId });
    harness.downloads.resumeQueue();
    expect(await harness.finish(downloadId)).toMatchObject([{ state: 'done', verification: 'checksum' }]);
    expect(writtenBytes).toBe(bytes.length);
  });

  it('goes on where the volume has room for what is missing, that beyond a gap being there', async () => {
    server.bytesPerSecond = 300_000;
    const downloadId = await harness.start(['B04']);
    await poll(() => (ranges().some(({ sentBytes }) => sentBytes > 100_000) ? true : undefined));
    await harness.downloads.close();
    const queue = new Database(join(harness.folder, 'transfers.sqlite'), { readonly: true });
    const [thereBytes, beyondBytes] = queue
      .prepare(
        'SELECT (SELECT durable_bytes FROM transfer), (SELECT sum(end_bytes - start_bytes) FROM island)',
      )
      .raw()
      .get() as [number, number];
    queue.close();
    expect(beyondBytes).toBeGreaterThan(0);
    const freeBytes = bytes.length - thereBytes - beyondBytes + reserveBytes;
    await harness.restart({ disk: { ...systemDisk, freeBytes: () => Promise.resolve(freeBytes) } });
    server.bytesPerSecond = 20_000_000;
    const ended = await harness.until(downloadId, ({ state }) => state === 'done' || state === 'waiting');
    expect(ended).toMatchObject({ state: 'done', waiting: null });
  });

  it.each([
    ['from the first byte on', 0, 0],
    ['where both have the same beginning', null, 200_000],
  ])('mixes nothing with another server’s file that goes on %s', async (_, durableBytes, equalBytes) => {
    await harness.close();
    const asset = { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: null };
    const pieceBytes = 32 * 1024;
    const partSizes = { chunkBytes, pieceBytes, windowChunks: 4, writeBytes: 16 * 1024 };
    harness = createHarness({ B04: asset }, { timers: systemTimers, partSizes });
    server.bytesPerSecond = 300_000;
    const downloadId = await harness.start(['B04']);
    await poll(() => (ranges().some(({ sentBytes }) => sentBytes > 100_000) ? true : undefined));
    await harness.downloads.close();
    const queue = new Database(join(harness.folder, 'transfers.sqlite'));
    const islands = queue.prepare('SELECT start_bytes AS start, end_bytes AS end FROM island').all();
    expect(islands).not.toEqual([]);
    // Whole pieces, whose ends meet no answer either.
    const shorten = queue.prepare('UPDATE island SET end_bytes = ?, crc32 = ? WHERE start_bytes = ?');
    for (const { start, end } of islands as { start: number; end: number }[]) {
      const wholeEnd = end - (end % pieceBytes);
      shorten.run(wholeEnd, crc32(bytes.subarray(start, wholeEnd)), start);
    }
    // As a crash leaves it before the first byte of the beginning is synced.
    if (durableBytes === 0) queue.exec('UPDATE transfer SET durable_bytes = 0; DELETE FROM chunk;');
    queue.close();
    const theirs = makeBytes(bytes.length, 6);
    bytes.copy(theirs, 0, 0, equalBytes);
    const other = await startFaultServer(theirs);
    onTestFinished(() => other.close());
    other.etag = '"other"';
    // So that several connections come to the gaps before the first one does.
    other.bytesPerSecond = 300_000;
    harness.resolveLink = (ref) => {
      const linked = linkTo({ B04: { ...asset, href: `${other.origin}/B04.bin` } }, ref.assetKey);
      return Promise.resolve(linked);
    };
    await harness.restart();
    const [transfer] = await harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
    expect(readFileSync(transfer?.filePath ?? '').equals(theirs)).toBe(true);
  });
});
