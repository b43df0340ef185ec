import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemDisk, type Disk } from '../file/disk.ts';
import { reserveBytes } from '../file/volumes.ts';
import { createQueueFacts } from '../queue/queue-facts.ts';
import { startFaultServer } from '../testing/fault-server.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(1_000_000);
const test = useDownloads(bytes);

const transfers = () => test.harness.downloads.transfers();
const states = () => transfers().map(({ state }) => state);

function many(count: number) {
  const keys = Array.from({ length: count }, (_, index) => `B${index}`);
  return { keys, assets: Object.fromEntries(keys.map((key) => [key, test.asset(`${key}.bin`)])) };
}

describe('a busy storage', () => {
  it('is left alone for as long as it asks, by all that comes from it', async () => {
    const { keys, assets } = many(8);
    test.open(assets);
    test.server.script = (index) =>
      index < 3 ? { status: 503, headers: { 'retry-after': '7' }, body: '' } : undefined;
    const downloadId = await test.harness.start(keys);
    await poll(() => (states().filter((state) => state === 'waiting').length >= 3 ? true : undefined));
    const before = test.server.requests.length;
    test.harness.time.advance(6900);
    // Whatever begins says so at once, before it asks.
    expect(states().filter((state) => state !== 'queued' && state !== 'waiting')).toEqual([]);
    expect(test.server.requests).toHaveLength(before);
    test.harness.time.advance(200);
    // Those that were turned away may be about to leave their slots.
    await poll(() => (test.server.requests.length > before ? true : undefined));
    await test.harness.finish(downloadId);
    expect(states()).toEqual(keys.map(() => 'done'));
  });

  it('holds up nothing of the other servers that files of its collection come from', async () => {
    const other = await startFaultServer(bytes);
    onTestFinished(() => other.close());
    const { keys, assets } = many(12);
    const placed = Object.entries(assets).map(([key, asset], index) => {
      const href = `${other.origin}/${key}.bin`;
      return [key, index % 3 === 0 ? asset : { ...asset, href }] as const;
    });
    test.open(Object.fromEntries(placed), { maxConcurrentTransfers: 2 });
    test.server.script = () => ({ status: 503, headers: { 'retry-after': '45' }, body: '' });
    await test.harness.start(keys);
    const expected = keys.map((_, index) => (index % 3 === 0 ? 'waiting' : 'done'));
    await poll(() => (states().join() === expected.join() ? true : undefined));
    // One of them was asked, and those that were under way beside it.
    expect(test.server.requests.length).toBeLessThanOrEqual(2);
  });

  it('is asked at once by all when a person wants to go on, by the one that it told too', async () => {
    const { keys, assets } = many(3);
    test.open(assets, { maxConcurrentTransfers: 1 });
    test.server.script = (index) =>
      index === 0 ? { status: 503, headers: { 'retry-after': '5400' }, body: '' } : undefined;
    const downloadId = await test.harness.start(keys);
    await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    test.harness.downloads.resumeQueue();
    await test.harness.downloads.waitUntilSettled(downloadId);
    expect(states()).toEqual(['done', 'done', 'done']);
  });

  it('that asks for days is asked again in an hour, and the time is told', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = (index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '999999' }, body: '' } : undefined;
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('http.too-many-requests');
    expect(Date.parse(waiting?.resumeAt ?? '')).toBe(test.harness.time.clock.now() + 3_600_000);
  });

  it('means a date by its own clock, whatever ours says', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const headers = {
      date: 'Sun, 01 Mar 2026 03:00:00 GMT',
      'retry-after': 'Sun, 01 Mar 2026 03:02:00 GMT',
    };
    test.server.script = (index) => (index === 0 ? { status: 503, headers, body: '' } : undefined);
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(Date.parse(waiting?.resumeAt ?? '')).toBe(test.harness.time.clock.now() + 120_000);
  });

  it('that says no to everything is not stormed by thirty transfers', async () => {
    const { keys, assets } = many(30);
    test.open(assets, { maxConcurrentTransfers: 8 });
    test.server.script = () => ({ status: 429, body: '' });
    await test.harness.start(keys);
    for (let second = 0; second < 60; second += 1) {
      test.harness.time.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(test.server.requests.length).toBeGreaterThan(4);
    expect(test.server.requests.length).toBeLessThan(30);
    expect(states()).not.toContain('failed');
  });
});

describe('a storage that refuses more than two connections', () => {
  it('has no more before long, and is not asked twice for what it gave', async () => {
    const { keys, assets } = many(8);
    test.open(assets, { maxConcurrentTransfers: 4 });
    let refusals = 0;
    test.server.latencyMs = 20;
    test.server.script = (_, { openAnswers }) => {
      if (openAnswers <= 2) return undefined;
      refusals += 1;
      return { status: 403, body: 'Too many connections' };
    };
    const downloadId = await test.harness.start(keys);
    await test.harness.finish(downloadId);
    expect(states()).toEqual(keys.map(() => 'done'));
    // Those that were under way when the first was refused.
    expect(refusals).toBeLessThanOrEqual(2);
  });

  it.each([
    ['by a code', '<Error><Code>AccessDenied</Code></Error>'],
    ['without a reason', ''],
  ])('is told from one that refuses a single file %s', async (_, body) => {
    const { keys, assets } = many(16);
    const [first, later] = [keys.slice(0, 12), keys.slice(12)];
    test.open(assets, { maxConcurrentTransfers: 4 });
    test.server.latencyMs = 20;
    test.server.script = (_index, { path }) => (path.includes('B0.bin') ? { status: 403, body } : undefined);
    await test.harness.finish(await test.harness.start(first));
    expect(states()).toEqual(first.map((key) => (key === 'B0' ? 'failed' : 'done')));
    const before = test.server.requests.length;
    test.server.bytesPerSecond = 100_000;
    const downloadId = await test.harness.start(later);
    const openCounts = () => test.server.requests.slice(before).map(({ openAnswers }) => openAnswers);
    await poll(() => (Math.max(0, ...openCounts()) === 4 ? true : undefined));
    test.server.bytesPerSecond = 100_000_000;
    await test.harness.downloads.cancel({ downloadId });
  });
});

describe('the computer', () => {
  it('that can open no more files has fewer to open, and nothing fails', async () => {
    const { keys, assets } = many(6);
    let failuresLeft = 4;
    const disk: Disk = {
      ...systemDisk,
      open: (path, mode) => {
        if (!path.endsWith('.part') || failuresLeft === 0) return systemDisk.open(path, mode);
        failuresLeft -= 1;
        return Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
      },
    };
    test.open(assets, { disk, maxConcurrentTransfers: 4 });
    const downloadId = await test.harness.start(keys);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('transfer.too-many-open-files');
    await test.harness.finish(downloadId);
    expect(states()).toEqual(keys.map(() => 'done'));
  });

  it('whose one volume is full goes on with the other', async () => {
    let freeBytes = 1000;
    const disk: Disk = {
      ...systemDisk,
      lstat: async (path) => {
        const entry = await systemDisk.lstat(path);
        return path.includes('full') ? { ...entry, device: 'full' } : entry;
      },
      freeBytes: (path) => (path.includes('full') ? Promise.resolve(freeBytes) : systemDisk.freeBytes(path)),
    };
    const { keys, assets } = many(8);
    test.open(assets, { disk, maxConcurrentTransfers: 1 });
    const full = join(test.harness.folder, 'full');
    const also = join(full, 'also');
    mkdirSync(also, { recursive: true });
    const order = {
      connectionId: 'test',
      ref: { collectionId: 's2', itemId: 'scene' },
      links: 'auto',
    } as const;
    const { downloads } = test.harness;
    const first = await downloads.start({ ...order, destination: full, assetKeys: keys.slice(0, 2) });
    // The other one waits for the same, and is not even begun.
    await poll(() => (states().every((state) => state === 'waiting') ? true : undefined));
    expect(test.server.requests.filter(({ path }) => path.includes('B1'))).toEqual([]);
    const second = await downloads.start({ ...order, destination: also, assetKeys: keys.slice(2, 4) });
    const other = await test.harness.start(keys.slice(4));
    const done = await downloads.waitUntilSettled(other);
    expect(done.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    const held = transfers().filter(({ downloadId }) => downloadId !== other);
    expect(held.every(({ state }) => state === 'waiting' || state === 'queued')).toBe(true);
    freeBytes = 10_000_000_000;
    await test.harness.finish(first.downloadId);
    await test.harness.finish(second.downloadId);
    expect(states()).toEqual(keys.map(() => 'done'));
  });
});

describe('a transfer that the program dies of', () => {
  it('is set aside the third time, and the others go on', async () => {
    const { keys, assets } = many(3);
    test.open(assets);
    test.server.script = (_, { path }) => (path.includes('B1') ? { stallAfterBytes: 1000 } : undefined);
    await test.harness.start(keys);
    await poll(() => (states().filter((state) => state === 'done').length === 2 ? true : undefined));
    for (let death = 0; death < 3; death += 1) {
      await dieDuring('B1');
    }
    const dead = transfers().find(({ assetKey }) => assetKey === 'B1');
    expect(dead).toMatchObject({ state: 'failed', error: { code: 'transfer.crashed', retryable: true } });
    test.server.script = () => undefined;
    await test.harness.downloads.resume(dead?.transferId ?? 0);
    await test.harness.finish(dead?.downloadId ?? 0);
    expect(states()).toEqual(['done', 'done', 'done']);
  });
});

describe('transfers that ran when the program died twice', () => {
  it('run one at a time, so that the innocent are cleared', async () => {
    const { keys, assets } = many(3);
    test.open(assets);
    test.server.script = () => ({ stallAfterBytes: 1000 });
    await test.harness.start(keys);
    for (let death = 0; death < 2; death += 1) await dieDuring(...keys);
    const running = () => states().filter((state) => state === 'preparing' || state === 'downloading');
    await poll(() => (states().includes('downloading') ? true : undefined));
    expect(running()).toHaveLength(1);
    test.server.script = () => undefined;
    let looks = 0;
    await poll(() => {
      // Now and then: the body that stalls may begin to be watched only after the state says that bytes flow.
      if (looks++ % 100 === 0) test.harness.time.advance(60_000);
      return states().every((state) => state === 'done') || undefined;
    });
  });
});

// What the death of a process leaves.
async function dieDuring(...assetKeys: string[]): Promise<void> {
  await test.harness.downloads.close();
  const queue = new Database(join(test.harness.folder, 'transfers.sqlite'));
  const die = queue.prepare("UPDATE transfer SET state = 'downloading' WHERE asset_key = ?");
  for (const assetKey of assetKeys) die.run(assetKey);
  createQueueFacts(queue).write('isOpen', true);
  queue.close();
  await test.harness.restart();
}

it('files that wait for room say how much is missing, those that were never begun too', async () => {
  const { keys, assets } = many(3);
  const freeBytes = 25_000_000;
  const disk: Disk = { ...systemDisk, freeBytes: () => Promise.resolve(freeBytes) };
  test.open(assets, { disk, maxConcurrentTransfers: 1 });
  await test.harness.start(keys);
  await poll(() => (states().every((state) => state === 'waiting') ? true : undefined));
  for (const { waiting } of transfers())
    expect(waiting?.error.details).toMatchObject({ missingBytes: bytes.length + reserveBytes - freeBytes });
});
