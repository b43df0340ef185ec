import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { systemDisk } from './file/disk.ts';
import { checksumOf, makeBytes, secretToken } from './testing/download-harness.ts';
import { useDownloads } from './testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const folder = 's2/2024/scene';
const test = useDownloads(bytes);

describe('a download', () => {
  it('brings a file home, verified', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({
      state: 'done',
      verification: 'checksum',
      receivedBytes: bytes.length,
      totalBytes: bytes.length,
      linkKind: 'signed',
      filePath: join(test.harness.destination, folder, 'B04.bin'),
      error: null,
    });
    expect(test.harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
    expect(test.harness.files()).toEqual([
      'catalog.json',
      `${folder}/B04.bin`,
      `${folder}/item.json`,
      `${folder}/receipt.json`,
      's2/collection.json',
    ]);
  });

  it('leaves a static catalog whose links all lead somewhere', async () => {
    test.open({ B04: test.asset('B04.bin'), B05: test.asset('B05.bin'), other: test.asset('other.bin') });
    await test.harness.finish(await test.harness.start(['B04', 'B05']));
    const item = test.harness.readJson(`${folder}/item.json`);
    expect(item).toMatchObject({
      type: 'Feature',
      id: 'scene',
      collection: 's2',
      assets: {
        B04: { href: './B04.bin', 'file:size': bytes.length },
        B05: { href: './B05.bin' },
        other: { href: `${test.server.origin}/other.bin` },
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
    expect(test.harness.readJson('s2/collection.json')).toMatchObject({
      type: 'Collection',
      license: 'CC-BY-4.0',
      links: [
        { rel: 'license' },
        { rel: 'canonical' },
        { rel: 'root', href: '../catalog.json' },
        { rel: 'parent', href: '../catalog.json' },
        { rel: 'item', href: './2024/scene/item.json', title: 'scene' },
      ],
    });
    expect(test.harness.readJson('catalog.json')).toMatchObject({
      type: 'Catalog',
      links: [{ rel: 'root' }, { rel: 'child', href: './s2/collection.json', title: 's2' }],
    });
  });

  it('describes the collection as well as it can when the catalog does not', async () => {
    const loadCollection = () => Promise.reject(new Error('offline'));
    test.open({ B04: test.asset('B04.bin') }, { loadCollection });
    await test.harness.finish(await test.harness.start(['B04']));
    expect(test.harness.readJson('s2/collection.json')).toMatchObject({
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
    test.open({ B04: test.asset('B04.bin'), B05: test.asset('B05.bin', { checksum: null }) });
    await test.harness.finish(await test.harness.start(['B04', 'B05']));
    const receipt = test.harness.readJson(`${folder}/receipt.json`) as { asset: string }[];
    expect(receipt.toSorted((a, b) => a.asset.localeCompare(b.asset))).toEqual([
      {
        asset: 'B04',
        file: 'B04.bin',
        source: `${test.server.origin}/B04.bin`,
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
    test.open({ B04: test.asset('B04.bin'), other: test.asset('other.bin') });
    await test.harness.finish(await test.harness.start(['B04']));
    const written = test.harness.files().map((path) => test.harness.read(path).toString('latin1'));
    const queue = ['', '-wal']
      .map((end) => join(test.harness.folder, `transfers.sqlite${end}`))
      .filter(existsSync)
      .map((path) => readFileSync(path, 'latin1'));
    expect(queue.join('')).toContain('scene');
    for (const secret of ['Signature', 'c2VjcmV0', secretToken]) {
      expect(written.join('') + queue.join('')).not.toContain(secret);
    }
    expect(written.join('')).not.toContain('token=abc');
  });

  it('says how much was proved when the catalog announces little', async () => {
    test.open({
      sized: test.asset('sized.bin', { checksum: null }),
      bare: test.asset('bare.bin', { checksum: null, sizeBytes: null }),
      odd: test.asset('odd.bin', { checksum: 'not a checksum' }),
    });
    const transfers = await test.harness.finish(await test.harness.start(['sized', 'bare', 'odd']));
    expect(transfers.map(({ state, verification }) => [state, verification])).toEqual([
      ['done', 'size-only'],
      ['done', 'none'],
      ['done', 'size-only'],
    ]);
  });

  it('gets its name though the queue is stopped meanwhile', async () => {
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<undefined>();
    const link = async (from: string, to: string) => {
      await isLetGo;
      await systemDisk.link(from, to);
    };
    test.open({ B04: test.asset('B04.bin') }, { disk: { ...systemDisk, link } });
    const { start, until, downloads } = test.harness;
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'finalizing');
    await downloads.pauseQueue();
    letGo(undefined);
    await until(downloadId, ({ state }) => state === 'done');
    expect(test.harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
  });

  it('refuses an unknown asset, a missing folder and a relative path before anything is queued', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const ref = { collectionId: 's2', itemId: 'scene' };
    const { destination } = test.harness;
    const order = { connectionId: 'test', ref, assetKeys: ['B04'], destination, links: 'auto' as const };
    const codeOf = (changes: object) =>
      test.harness.downloads
        .start({ ...order, ...changes })
        .catch((error: unknown) => isAppError(error) && error.code);
    expect(await codeOf({ assetKeys: ['B99'] })).toBe('stac.asset-not-found');
    expect(await codeOf({ destination: join(test.harness.folder, 'nowhere') })).toBe(
      'transfer.destination-missing',
    );
    expect(await codeOf({ destination: 'out' })).toBe('input.invalid');
    expect(test.harness.downloads.transfers()).toEqual([]);
  });

  it('fails an asset that is a folder and brings the others', async () => {
    test.open({ B04: test.asset('B04.bin'), all: { href: 's3://bucket/tiles/' } });
    const transfers = await test.harness.finish(await test.harness.start(['all', 'B04']));
    expect(transfers.map(({ state, error }) => [state, error?.code])).toEqual([
      ['done', undefined],
      ['failed', 'link.none'],
    ]);
  });
});
