import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import type { TransferChanges } from './downloads.ts';
import {
  checksumOf,
  createHarness,
  makeBytes,
  poll,
  secretToken,
  type Harness,
  type TestAsset,
} from './testing/download-harness.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

vi.setConfig({ testTimeout: 30_000 });

const bytes = makeBytes(3_000_000);
const folder = 's2/2024/scene';
let server: FaultServer;
let harness: Harness;

function asset(name: string, changes: Partial<TestAsset> = {}): TestAsset {
  return {
    href: `${server.origin}/${name}`,
    sizeBytes: bytes.length,
    checksum: checksumOf(bytes),
    mediaType: 'application/octet-stream',
    ...changes,
  };
}

beforeEach(async () => {
  server = await startFaultServer(bytes);
});

afterEach(async () => {
  for (const { headers } of server.requests) {
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }
  await harness.close();
  await server.close();
});

describe('a download', () => {
  it('brings a file home, verified', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const [transfer] = await harness.finish(await harness.start(['B04']));
    expect(transfer).toMatchObject({
      state: 'done',
      verification: 'checksum',
      receivedBytes: bytes.length,
      totalBytes: bytes.length,
      linkKind: 'signed',
      filePath: join(harness.destination, folder, 'B04.bin'),
      error: null,
    });
    expect(harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
    expect(harness.files()).toEqual([
      'catalog.json',
      `${folder}/B04.bin`,
      `${folder}/item.json`,
      `${folder}/receipt.json`,
      's2/collection.json',
    ]);
  });

  it('leaves a static catalog whose links all lead somewhere', async () => {
    harness = createHarness({ B04: asset('B04.bin'), B05: asset('B05.bin'), other: asset('other.bin') });
    await harness.finish(await harness.start(['B04', 'B05']));
    const item = harness.readJson(`${folder}/item.json`);
    expect(item).toMatchObject({
      type: 'Feature',
      id: 'scene',
      collection: 's2',
      assets: {
        B04: { href: './B04.bin', 'file:size': bytes.length },
        B05: { href: './B05.bin' },
        other: { href: `${server.origin}/other.bin` },
      },
    });
    expect((item as { links: unknown[] }).links).toEqual([
      {
        rel: 'canonical',
        href: 'https://catalog.example/collections/s2/items/scene',
        type: 'application/json',
      },
      { rel: 'root', href: '../../../catalog.json', type: 'application/json' },
      { rel: 'parent', href: '../../collection.json', type: 'application/json' },
      { rel: 'collection', href: '../../collection.json', type: 'application/json' },
    ]);
    expect(harness.readJson('s2/collection.json')).toMatchObject({
      type: 'Collection',
      license: 'CC-BY-4.0',
      links: [
        { rel: 'license' },
        { rel: 'canonical' },
        { rel: 'root', href: '../catalog.json' },
        { rel: 'parent', href: '../catalog.json' },
        { rel: 'item', href: './2024/scene/item.json' },
      ],
    });
    expect(harness.readJson('catalog.json')).toMatchObject({
      type: 'Catalog',
      links: [{ rel: 'root' }, { rel: 'child', href: './s2/collection.json' }],
    });
  });

  it('describes the collection as well as it can when the catalog does not', async () => {
    const loadCollection = () => Promise.reject(new Error('offline'));
    harness = createHarness({ B04: asset('B04.bin') }, { loadCollection });
    await harness.finish(await harness.start(['B04']));
    expect(harness.readJson('s2/collection.json')).toMatchObject({
      type: 'Collection',
      stac_version: '1.0.0',
      id: 's2',
      description: 's2',
      license: 'other',
      extent: {
        spatial: { bbox: [[9, 47, 9, 47]] },
        temporal: { interval: [['2024-05-06T10:20:30Z', null]] },
      },
    });
  });

  it('writes a receipt for every file', async () => {
    harness = createHarness({ B04: asset('B04.bin'), B05: asset('B05.bin', { checksum: null }) });
    await harness.finish(await harness.start(['B04', 'B05']));
    const receipt = harness.readJson(`${folder}/receipt.json`) as { asset: string }[];
    expect(receipt.toSorted((a, b) => a.asset.localeCompare(b.asset))).toEqual([
      {
        asset: 'B04',
        file: 'B04.bin',
        source: `${server.origin}/B04.bin`,
        bytes: bytes.length,
        checksum: checksumOf(bytes),
        verification: 'checksum',
        isVerified: true,
        etag: '"v1"',
        started: '2026-03-01T12:00:00.000Z',
        finished: '2026-03-01T12:00:00.000Z',
        swathVersion: '9.9.9',
      },
      expect.objectContaining({ asset: 'B05', verification: 'size-only', isVerified: false }),
    ]);
  });

  it('keeps signed links and the token out of every file', async () => {
    harness = createHarness({ B04: asset('B04.bin'), other: asset('other.bin') });
    await harness.finish(await harness.start(['B04']));
    const written = harness.files().map((path) => harness.read(path).toString('latin1'));
    const queue = ['', '-wal']
      .map((end) => join(harness.folder, `transfers.sqlite${end}`))
      .filter(existsSync)
      .map((path) => readFileSync(path, 'latin1'));
    expect(queue.join('')).toContain('scene');
    for (const secret of ['Signature', 'c2VjcmV0', secretToken]) {
      expect(written.join('') + queue.join('')).not.toContain(secret);
    }
    expect(written.join('')).not.toContain('token=abc');
  });

  it('says how much was proved when the catalog announces little', async () => {
    harness = createHarness({
      sized: asset('sized.bin', { checksum: null }),
      bare: asset('bare.bin', { checksum: null, sizeBytes: null }),
      odd: asset('odd.bin', { checksum: 'not a checksum' }),
    });
    const transfers = await harness.finish(await harness.start(['sized', 'bare', 'odd']));
    expect(transfers.map(({ state, verification }) => [state, verification])).toEqual([
      ['done', 'size-only'],
      ['done', 'none'],
      ['done', 'size-only'],
    ]);
  });

  it('refuses an unknown asset, a missing folder and a relative path before anything is queued', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const ref = { collectionId: 's2', itemId: 'scene' };
    const order = { ref, assetKeys: ['B04'], destination: harness.destination, links: 'auto' as const };
    const codeOf = (changes: object) =>
      harness.downloads
        .start({ ...order, ...changes })
        .catch((error: unknown) => isAppError(error) && error.code);
    expect(await codeOf({ assetKeys: ['B99'] })).toBe('stac.asset-not-found');
    expect(await codeOf({ destination: join(harness.folder, 'nowhere') })).toBe(
      'transfer.destination-missing',
    );
    expect(await codeOf({ destination: 'out' })).toBe('input.invalid');
    expect(harness.downloads.transfers()).toEqual([]);
  });

  it('fails an asset that is a folder and brings the others', async () => {
    harness = createHarness({ B04: asset('B04.bin'), all: { href: 's3://bucket/tiles/' } });
    const transfers = await harness.finish(await harness.start(['all', 'B04']));
    expect(transfers.map(({ state, error }) => [state, error?.code])).toEqual([
      ['failed', 'link.none'],
      ['done', undefined],
    ]);
  });
});

describe('names', () => {
  it('keeps names from outside inside the destination', async () => {
    harness = createHarness({
      '../../up': asset('', { href: 'https://host.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd' }),
      local: asset('x', { members: { 'file:local_path': '../../../../evil.tif' } }),
      dots: asset('x', { href: 'https://host.example/..' }),
    });
    harness.resolveLink = (ref) =>
      Promise.resolve({
        link: { url: `${server.origin}/a`, kind: 'signed', expiresAtMs: null },
        href: ref.assetKey,
        mediaType: null,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      });
    const transfers = await harness.finish(await harness.start(['../../up', 'local', 'dots']));
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(harness.files().filter((path) => path.startsWith(`${folder}/`))).toHaveLength(5);
    for (const { filePath } of transfers)
      expect(filePath?.startsWith(join(harness.destination, folder))).toBe(true);
  });

  it('tells two assets of one name apart, on file systems that ignore case too', async () => {
    harness = createHarness({ a: asset('a/B04.bin'), b: asset('b/b04.BIN'), c: asset('c/B04.bin') });
    const transfers = await harness.finish(await harness.start(['a', 'b', 'c']));
    expect(transfers.every(({ state }) => state === 'done')).toBe(true);
    const names = harness.files().filter((path) => /b04/i.test(path));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  it('leaves the names of its own files to them', async () => {
    harness = createHarness({ meta: asset('item.json'), proof: asset('Receipt.JSON') });
    const transfers = await harness.finish(await harness.start(['meta', 'proof']));
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(harness.files()).toEqual(
      expect.arrayContaining([`${folder}/item (2).json`, `${folder}/Receipt (2).JSON`]),
    );
    expect(harness.readJson(`${folder}/item.json`)).toMatchObject({ id: 'scene' });
  });

  it("never touches a file of somebody else's", async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    mkdirSync(join(harness.destination, folder), { recursive: true });
    writeFileSync(join(harness.destination, folder, 'B04.bin'), 'my own');
    writeFileSync(join(harness.destination, 'catalog.json'), '{"id":"mine"}');
    const [transfer] = await harness.finish(await harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(harness.destination, folder, 'B04 (2).bin'));
    expect(harness.read(`${folder}/B04.bin`).toString()).toBe('my own');
    expect(harness.read('catalog.json').toString()).toBe('{"id":"mine"}');
    expect(harness.readJson(`${folder}/item.json`)).toMatchObject({
      assets: { B04: { href: './B04 (2).bin' } },
    });
  });

  it('tells two Items apart whose names are one to some file systems', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    await harness.finish(await harness.start(['B04']));
    harness.item = { ...harness.item, id: 'SCENE' };
    const [transfer] = await harness.finish(await harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(harness.destination, 's2/2024/SCENE (2)/B04.bin'));
    expect(harness.readJson('s2/2024/scene/item.json')).toMatchObject({ id: 'scene' });
    expect(harness.readJson('s2/2024/SCENE (2)/item.json')).toMatchObject({ id: 'SCENE' });
  });

  it('takes the next name when the own one is taken during the transfer', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    server.onSent = () => writeFileSync(join(harness.destination, folder, 'B04.bin'), 'quicker');
    const [transfer] = await harness.finish(await harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(harness.destination, folder, 'B04 (2).bin'));
    expect(harness.read(`${folder}/B04.bin`).toString()).toBe('quicker');
    expect(harness.read(`${folder}/B04 (2).bin`).equals(bytes)).toBe(true);
  });

  it('does not fetch again what is there already, by checksum or by its own receipt', async () => {
    harness = createHarness({ B04: asset('B04.bin'), B05: asset('B05.bin', { checksum: null }) });
    await harness.finish(await harness.start(['B04', 'B05']));
    const requests = server.requests.length;
    const transfers = await harness.finish(await harness.start(['B04', 'B05']));
    expect(transfers.map(({ state, verification }) => [state, verification])).toEqual([
      ['done', 'checksum'],
      ['done', 'size-only'],
    ]);
    expect(server.requests.length).toBe(requests);
    expect(harness.files().filter((path) => path.endsWith('.bin'))).toHaveLength(2);
  });

  it('goes through no link out of the destination', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const outside = join(harness.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(harness.destination, 's2'));
    const [transfer] = await harness.finish(await harness.start(['B04']));
    expect(transfer?.error?.code).toBe('transfer.destination-not-writable');
    expect(existsSync(join(outside, '2024'))).toBe(false);
  });
});

describe('the queue', () => {
  it('goes on by itself after a restart, where it was', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const downloadId = await harness.start(['B04']);
    await harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
    await harness.restart();
    const [transfer] = await harness.finish(downloadId);
    expect(transfer?.state).toBe('done');
    expect(server.requests[1]?.headers.range).toBe(`bytes=${2_000_000 - 65_536}-`);
    expect(server.requests[1]?.headers['if-range']).toBe('"v1"');
    expect(harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
  });

  it('takes an unfinished transfer over when the same is ordered again', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const first = await harness.start(['B04']);
    const { transferId } = await harness.until(first, ({ receivedBytes }) => receivedBytes === 2_000_000);
    await harness.downloads.pause(transferId);
    const second = await harness.start(['B04']);
    const [transfer, ...others] = await harness.finish(second);
    expect(transfer).toMatchObject({ transferId, state: 'done' });
    expect(others).toEqual([]);
    expect(harness.downloads.transfers()).toHaveLength(1);
    expect(server.requests[1]?.headers.range).toBe(`bytes=${2_000_000 - 65_536}-`);
  });

  it('pauses and goes on', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    server.script = (index) => (index === 0 ? { stallAfterBytes: 1_500_000 } : undefined);
    const downloadId = await harness.start(['B04']);
    const { transferId } = await harness.until(
      downloadId,
      ({ receivedBytes }) => receivedBytes === 1_500_000,
    );
    await harness.downloads.pause(transferId);
    expect(harness.downloads.transfers()[0]).toMatchObject({ state: 'paused', receivedBytes: 1_500_000 });
    await harness.restart();
    expect(harness.downloads.transfers()[0]?.state).toBe('paused');
    await harness.downloads.resume(transferId);
    expect((await harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('survives pausing and resuming as fast as one can click', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const downloadId = await harness.start(['B04']);
    const [first] = harness.downloads.transfers();
    const transferId = first?.transferId ?? 0;
    for (let click = 0; click < 100; click += 1) {
      void harness.downloads.pause(transferId);
      void harness.downloads.resume(transferId);
      if (click % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await harness.downloads.resume(transferId);
    expect((await harness.finish(downloadId))[0]?.state).toBe('done');
    expect(harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
  });

  it('deletes the part file of a cancelled transfer and forgets a removed one', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    server.script = () => ({ stallAfterBytes: 1_000_000 });
    const downloadId = await harness.start(['B04']);
    const { transferId } = await harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 0);
    expect(harness.files()).toEqual([`${folder}/B04.bin.${transferId}.part`]);
    await harness.downloads.cancel(transferId);
    expect(harness.files()).toEqual([]);
    expect(harness.downloads.transfers()[0]?.state).toBe('cancelled');
    await harness.downloads.remove(transferId);
    expect(harness.downloads.transfers()).toEqual([]);
    await expect(harness.downloads.pause(transferId)).rejects.toMatchObject({ code: 'transfer.not-found' });
  });

  it('runs no more at once than it may, and puts the newest back when it may run fewer', async () => {
    harness = createHarness(Object.fromEntries([1, 2, 3, 4].map((n) => [`B${n}`, asset(`B${n}.bin`)])), {
      maxConcurrentTransfers: 3,
    });
    server.script = (index) => (index < 3 ? { stallAfterBytes: 1_000_000 } : undefined);
    const downloadId = await harness.start(['B1', 'B2', 'B3', 'B4']);
    const states = () => harness.downloads.transfers().map(({ state }) => state);
    await poll(() => states().filter((state) => state === 'downloading').length === 3 || undefined);
    expect(states()[3]).toBe('queued');
    harness.downloads.setMaxConcurrentTransfers(1);
    expect(states()).toEqual(['downloading', 'queued', 'queued', 'queued']);
    await harness.downloads.cancel(harness.downloads.transfers()[0]?.transferId ?? 0);
    const transfers = await harness.finish(downloadId);
    expect(transfers.map(({ state }) => state)).toEqual(['cancelled', 'done', 'done', 'done']);
  });

  it('tells watchers everything at first and then no more than four times a second', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const seen: TransferChanges[] = [];
    const stop = harness.downloads.watch((changes) => seen.push(changes));
    const downloadId = await harness.start(['B04']);
    await harness.downloads.waitUntilSettled(downloadId);
    expect(seen).toEqual([{ changed: [], removed: [] }]);
    harness.time.advance(250);
    expect(seen).toHaveLength(2);
    expect(seen[1]?.changed[0]?.state).toBe('done');
    await harness.downloads.remove(seen[1]?.changed[0]?.transferId ?? 0);
    harness.time.advance(250);
    expect(seen[2]).toEqual({ changed: [], removed: [1] });
    stop();
  });

  it('is driven by one process at a time', async () => {
    harness = createHarness({ B04: asset('B04.bin') });
    const { createDownloads } = await import('./create-downloads.ts');
    const open = () =>
      createDownloads({
        filePath: join(harness.folder, 'transfers.sqlite'),
        http: {} as never,
        resolveLink: () => Promise.reject(new Error('not asked')),
        loadItem: () => Promise.reject(new Error('not asked')),
        loadCollection: () => Promise.reject(new Error('not asked')),
        clock: harness.time.clock,
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
        appVersion: '9.9.9',
        maxConcurrentTransfers: 1,
      });
    expect(open).toThrow(expect.objectContaining({ code: 'library.in-use' }));
  });
});
