import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import {
  featuresOf,
  makeItem,
  startTestService,
  type Answer,
  type TestService,
} from './testing/test-service.ts';

const bytes = Buffer.from('pixels of imagery');
const oddKeys = [
  'visual',
  'ANG.txt',
  'measurement/iw-vv.tiff',
  'Product download',
  '..',
  '.',
  '~x',
  'a?b#c%2F',
  'é',
];

let service: TestService;
beforeEach(async () => {
  service = await startTestService(async (library, assets) => {
    await library.saveCollections([{ id: 'c:1' }], 1);
    const hosted = oddKeys.map((key) => [
      key,
      { href: `s3://imagery/c/${encodeURIComponent(key)}/file name.tif` },
    ]);
    const item = makeItem('c:1', 'i/1', {
      assets: {
        ...(Object.fromEntries(hosted) as JsonObject),
        visual: {
          href: 's3://imagery/c/visual.tif',
          'file:size': 5,
          alternate: { s3: { href: 's3://copy/visual.tif' } },
        },
        foreign: { href: 'https://elsewhere.example/b.tif' },
      },
    });
    await library.saveItems([item], 1);
    for (const assetKey of oddKeys) assets.add({ collectionId: 'c:1', itemId: 'i/1', assetKey }, bytes);
  });
});
afterEach(() => service.stop());

const itemPath = '/collections/c%3A1/items/i%2F1';
const signed = { 'X-Signed-Asset-Urls': 'true' };
const proxied = { 'X-Proxy-Asset-Urls': 'true' };

type Assets = Record<string, JsonObject>;

function assetsIn(answer: Answer): Assets {
  return (answer.json['type'] === 'Feature' ? answer.json : featuresOf(answer)[0])?.['assets'] as Assets;
}

function downloadOf(asset: JsonObject | undefined): string | null {
  const alternate = asset?.['alternate'];
  const download = isJsonObject(alternate) ? alternate['download'] : null;
  return isJsonObject(download) ? String(download['href']) : null;
}

function linksIn(answer: Answer): (string | null)[] {
  return Object.values(assetsIn(answer)).map(downloadOf);
}

describe('download links', () => {
  it('are signed on a single item without being asked for', async () => {
    const link = downloadOf(assetsIn(await service.ask(itemPath))['visual']) ?? '';
    const { origin, pathname, searchParams } = new URL(link);
    expect(origin).toBe(service.storageOrigin);
    expect(origin).not.toBe(new URL(service.baseUrl).origin);
    expect(pathname).toMatch(/\/visual\.tif$/);
    expect([...searchParams.keys()]).toEqual([
      'X-User-Account-Id',
      'X-User-Id',
      'X-Collection-Id',
      'AWSAccessKeyId',
      'Signature',
      'x-amz-security-token',
      'Expires',
    ]);
    expect(searchParams.get('X-Collection-Id')).toBe('c:1');
    expect(Number(searchParams.get('Expires'))).toBe(service.clock.nowMs / 1000 + 12 * 60 * 60);
  });

  it.each([['/search'], ['/collections/c:1/items']])('are not on %s unless asked for', async (path) => {
    expect(linksIn(await service.ask(path)).filter(Boolean)).toEqual([]);
    for (const value of ['true', 'True', ' TRUE ']) {
      const links = linksIn(await service.ask(path, { headers: { 'X-Signed-Asset-Urls': value } }));
      expect(links.filter((link) => link?.startsWith(`${service.storageOrigin}/`))).toHaveLength(
        oddKeys.length,
      );
    }
    expect(
      linksIn(await service.ask(path, { headers: { 'X-Signed-Asset-Urls': 'false' } })).filter(Boolean),
    ).toEqual([]);
  });

  it('are on POST searches that ask for them', async () => {
    expect(linksIn(await service.ask('/search', { json: {}, headers: signed })).filter(Boolean)).toHaveLength(
      oddKeys.length,
    );
  });

  it.each([['/search'], ['/collections/c:1/items'], [itemPath]])(
    'lead to the proxy on %s when asked',
    async (path) => {
      for (const headers of [proxied, { ...proxied, ...signed }]) {
        const asset = assetsIn(await service.ask(path, { headers }))['visual'];
        const expected =
          'asset_path=s3%3A%2F%2Fimagery%2Fc%2Fvisual.tif&item_id=i%2F1&collection_id=c%3A1&asset=visual';
        expect(downloadOf(asset)).toBe(`${service.assetUrl}?${expected}`);
        expect(asset?.['href']).toBe('s3://imagery/c/visual.tif');
      }
    },
  );

  it('are not made for files in the storage of others', async () => {
    for (const headers of [signed, proxied]) {
      expect(assetsIn(await service.ask(itemPath, { headers }))['foreign']).toEqual({
        href: 'https://elsewhere.example/b.tif',
      });
    }
  });

  it('stand beside other alternates and change nothing that is stored', async () => {
    expect(assetsIn(await service.ask(itemPath))['visual']?.['alternate']).toMatchObject({
      s3: { href: 's3://copy/visual.tif' },
      download: {},
    });
    expect(assetsIn(await service.ask('/search'))['visual']?.['alternate']).toEqual({
      s3: { href: 's3://copy/visual.tif' },
    });
  });

  it('can be picked with the fields extension', async () => {
    const answer = await service.ask("/search?fields=assets.'measurement/iw-vv.tiff'.alternate", {
      headers: signed,
    });
    expect(Object.keys(assetsIn(answer))).toEqual(['measurement/iw-vv.tiff']);
    expect(linksIn(answer)[0]).toContain(service.storageOrigin);
  });

  it('reach the file of every asset key, signed and through the proxy', async () => {
    const bySignature = assetsIn(await service.ask(itemPath));
    const byProxy = assetsIn(await service.ask(itemPath, { headers: proxied }));
    for (const key of oddKeys) {
      const direct = await fetch(downloadOf(bySignature[key]) ?? '');
      expect([key, direct.status, await direct.text()]).toEqual([key, 200, bytes.toString()]);
      const redirect = await service.ask(downloadOf(byProxy[key]) ?? '');
      const followed = await fetch(redirect.headers.get('location') ?? '');
      expect([key, redirect.status, followed.status]).toEqual([key, 307, 200]);
    }
  });
});

describe('a single item', () => {
  it('says size and checksum of files where the stored item does not', async () => {
    const assets = assetsIn(await service.ask(itemPath));
    expect(assets['ANG.txt']).toMatchObject({
      'file:size': bytes.length,
      'file:checksum': expect.stringMatching(/^1220[0-9a-f]{64}$/) as string,
    });
    expect(assets['visual']).toMatchObject({ 'file:size': 5 });
    expect(assets['foreign']).not.toHaveProperty('file:size');
  });

  it('is the only answer that does', async () => {
    expect(assetsIn(await service.ask('/search', { headers: signed }))['ANG.txt']).not.toHaveProperty(
      'file:size',
    );
  });
});

describe('the proxy endpoint', () => {
  const valid = {
    asset_path: 's3://imagery/c/visual.tif',
    item_id: 'i/1',
    collection_id: 'c:1',
    asset: 'visual',
  };
  const ask = (params: Record<string, string>) =>
    service.ask(`${service.assetUrl}?${new URLSearchParams(params).toString()}`);

  it('redirects to a link that lives five minutes at most, and is not to be kept', async () => {
    const answer = await ask(valid);
    expect(answer.status).toBe(307);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.origin).toBe(service.storageOrigin);
    expect(Number(location.searchParams.get('Expires'))).toBe(service.clock.nowMs / 1000 + 300);
  });

  it('needs the token', async () => {
    const url = `${service.assetUrl}?${new URLSearchParams(valid).toString()}`;
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(401);
  });

  it.each(Object.keys(valid))('answers 400 without %s', async (name) => {
    const answers = [
      await ask(Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name))),
      await ask({ ...valid, [name]: '' }),
    ];
    for (const { status, json } of answers) {
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'InvalidParameterValue' });
    }
  });

  it.each([
    ['collection_id', 'unknown'],
    ['item_id', 'unknown'],
    ['asset', 'unknown'],
    ['asset', 'toString'],
    ['asset', 'foreign'],
    ['asset_path', 's3://imagery/other.tif'],
  ])('answers 404 when %s is %s', async (name, value) => {
    const { status, json } = await ask({ ...valid, [name]: value });
    expect(status).toBe(404);
    expect(json).toMatchObject({ code: 'NotFoundError' });
  });

  it('gives links that live no longer than the service lets them', async () => {
    const brief = await startTestService(
      async (library, assets) => {
        await library.saveCollections([{ id: 'c' }], 1);
        await library.saveItems([makeItem('c', 'i', { assets: { a: { href: 's3://b/a' } } })], 1);
        assets.add({ collectionId: 'c', itemId: 'i', assetKey: 'a' }, bytes);
      },
      { linkTtlSeconds: 2 },
    );
    const answer = await brief.ask(`${brief.assetUrl}?asset_path=s3://b/a&item_id=i&collection_id=c&asset=a`);
    const location = answer.headers.get('location') ?? '';
    expect((await fetch(location)).status).toBe(200);
    brief.clock.nowMs += 3000;
    expect((await fetch(location)).status).toBe(403);
    await brief.stop();
  });
});
