import {
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/stac/json.ts';
import { makeBytes } from '../downloads/testing/download-harness.ts';
import { auth, bytes, useSharedLibrary } from './testing/shared-library.ts';

const shared = useSharedLibrary();

describe('a downloaded asset', () => {
  it('has its address here, and the source beside it', async () => {
    const { href, alternate, ...others } = await shared.asset();
    expect(new URL(href).origin).toBe(new URL(shared.service.baseUrl).origin);
    expect(alternate).toMatchObject({ source: { href: `${shared.downloads.server.origin}/B04.tif` } });
    expect(others['file:size']).toBe(bytes.length);
    expect(JSON.stringify(await shared.asset('meta'))).not.toContain(new URL(shared.service.baseUrl).origin);
  });

  it('is given whole and in any part, byte for byte', async () => {
    const { href } = await shared.asset();
    const whole = await shared.client.get(href);
    expect(whole.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100000-299999', 100_000, 300_000],
      ['bytes=300000-', 300_000, size],
      ['bytes=-5', size - 5, size],
      ['bytes=5-99999999', 5, size],
    ] as const) {
      const part = await shared.client.get(href, { range });
      expect([range, part.status]).toEqual([range, 206]);
      expect(part.headers.get('content-range')).toBe(
        `bytes ${String(start)}-${String(end - 1)}/${String(size)}`,
      );
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
    }
    const beyond = await shared.client.get(href, { range: `bytes=${String(size)}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${String(size)}`]);
    expect(await beyond.json()).toMatchObject({ code: 'InvalidRange' });
  });

  it('tells its size by HEAD, and gives parts only of the file that was meant', async () => {
    const { href } = await shared.asset();
    const head = await fetch(href, { method: 'HEAD', headers: auth });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const etag = head.headers.get('etag') ?? '';
    expect((await shared.client.get(href, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await shared.client.get(href, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await shared.client.get(href, { 'if-none-match': etag })).status).toBe(304);
    expect((await shared.client.get(href, { 'if-match': '"other"' })).status).toBe(412);
  });

  it('is reached by a signed link without the token, and by the proxy link with it', async () => {
    const signed = await shared.downloadLink();
    const part = await fetch(signed, { headers: { range: 'bytes=7-9' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(7, 10))).toBe(true);
    expect((await fetch(signed.replace(/Signature=./, 'Signature=_'))).status).toBe(401);
    const proxied = await shared.client.get(await shared.downloadLink({ 'x-proxy-asset-urls': 'true' }));
    expect(Buffer.from(await proxied.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each(['GET', 'HEAD'])('is the only file that %s finds in its place', async (method) => {
    const { href } = await shared.asset();
    const signed = await shared.downloadLink();
    const statusOf = async (url: string, headers: Record<string, string> = {}) => {
      return (await fetch(url, { method, headers: { ...headers, range: 'bytes=0-99' } })).status;
    };
    const others = ['B04.tif.ovr', 'B04.tif.msk', 'B04.tif.aux.xml', 'b04.tif', 'other.tif', ''];
    for (const other of others) {
      const beside = (url: string): string => url.replace('B04.tif', other);
      expect([other, await statusOf(beside(href), auth)]).toEqual([other, 404]);
      expect([other, await statusOf(beside(signed), auth)]).toEqual([other, 404]);
      expect([other, await statusOf(beside(signed))]).toEqual([other, 401]);
    }
    const found = method === 'GET' ? 206 : 200;
    expect(await statusOf(href, auth)).toBe(found);
    expect(await statusOf(href.replace('B04.tif', 'B%304%2Etif'), auth)).toBe(found);
    expect(await statusOf(signed)).toBe(found);
  });
});

describe('a downloaded asset of which the address', () => {
  it.each(['folder/', '~x.tif', '100%25.tif', 'a%2Fb c.tif', '', '..', '%', 'ü?.tif', 'x.tif?v=1#top'])(
    'ends with "%s" is found at each of its links',
    async (end) => {
      const { item } = shared.downloads.harness;
      const B04 = { href: `https://source.test/${end}` };
      const renamed = { ...item, assets: { ...(item['assets'] as JsonObject), B04 } };
      const ref = { collectionId: 's2', itemId: 'scene' };
      await shared.library.saveItems([{ ref, item: renamed }], 2);
      const { href: here } = await shared.asset();
      expect((await shared.client.get(here, { range: 'bytes=0-0' })).status).toBe(206);
      expect((await fetch(await shared.downloadLink())).status).toBe(200);
      expect(
        (await shared.client.get(await shared.downloadLink({ 'x-proxy-asset-urls': 'true' }))).status,
      ).toBe(200);
      await shared.library.saveItems([{ ref, item }], 3);
    },
  );
});

it('a downloaded asset is found where another item took the first folder, and has none any more', async () => {
  const folder = dirname(shared.filePath());
  renameSync(folder, `${folder} (2)`);
  const { href } = await shared.asset();
  renameSync(`${folder} (2)`, folder);
  expect(new URL(href).origin).toBe(new URL(shared.service.baseUrl).origin);
});

describe('a downloaded asset that changed', () => {
  let receivedAt: Date;
  beforeAll(() => {
    receivedAt = statSync(shared.filePath()).mtime;
  });
  afterEach(() => {
    for (const path of [shared.filePath(), `${shared.filePath()}.old`]) rmSync(path, { force: true });
    writeFileSync(shared.filePath(), bytes);
    utimesSync(shared.filePath(), receivedAt, receivedAt);
  });

  it.each<[string, () => void]>([
    ['was moved', () => renameSync(shared.filePath(), `${shared.filePath()}.old`)],
    ['grew', () => appendFileSync(shared.filePath(), 'x')],
    [
      'was written to',
      () => {
        writeFileSync(shared.filePath(), makeBytes(bytes.length, 2));
        const later = new Date(Date.now() + 60_000);
        utimesSync(shared.filePath(), later, later);
      },
    ],
    [
      'is a link now',
      () => {
        renameSync(shared.filePath(), `${shared.filePath()}.old`);
        symlinkSync(`${shared.filePath()}.old`, shared.filePath());
      },
    ],
  ])('is no longer offered when it %s', async (_what, change) => {
    const { href } = await shared.asset();
    expect((await shared.client.get(href, { range: 'bytes=0-0' })).status).toBe(206);
    change();
    expect((await shared.asset()).href).toBe(`${shared.downloads.server.origin}/B04.tif`);
    expect((await shared.client.get(href)).status).toBe(404);
  });
});
