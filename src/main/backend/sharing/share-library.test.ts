import {
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { makeBytes } from '../downloads/testing/download-harness.ts';
import { useDownloads } from '../downloads/testing/use-downloads.ts';
import type { Library } from '../library/library.ts';
import { openLibrary } from '../library/open-library.ts';
import { systemClock } from '../ports.ts';
import type { RunningSharedService } from '../service/start-shared-service.ts';
import { makeItem } from '../service/testing/test-service.ts';
import { shareLibrary } from './share-library.ts';
import { need, openStacClient, type StacClient } from './testing/stac-client.ts';

const bytes = makeBytes(300_001);
const token = 'token-of-the-test';
const auth = { authorization: `Bearer ${token}` };
const test = useDownloads(bytes, { isShared: true });

let library: Library;
let service: RunningSharedService;
let client: StacClient;
let answered = 0;

beforeAll(async () => {
  test.open(
    { B04: test.asset('B04.tif'), meta: test.asset('meta.json', { mediaType: 'application/json' }) },
    { clock: systemClock },
  );
  const { harness } = test;
  await harness.finish(await harness.start(['B04']));
  library = openLibrary({ filePath: join(harness.folder, 'library.sqlite') });
  await library.saveCollections([{ id: 's2', description: null, links: [] }, { id: 'odd' }], 1);
  const many = Array.from({ length: 25 }, (_, n) =>
    makeItem('s2', `i${String(n)}`, {
      properties: {
        datetime: `2026-01-${String((n % 9) + 1).padStart(2, '0')}T00:00:00Z`,
        'eo:cloud_cover': n,
      },
    }),
  );
  const scene: IdentifiedItem = { ref: { collectionId: 's2', itemId: 'scene' }, item: harness.item };
  const cut: IdentifiedItem = {
    ref: { collectionId: 'odd', itemId: 'cut' },
    item: { id: 'cut', collection: 'odd', properties: { datetime: '2025-01-01T00:00:00Z' } },
    isPartial: true,
  };
  const stray = makeItem('unlisted', 'stray', { properties: { datetime: '2024-01-01T00:00:00Z' } });
  await library.saveItems([...many, scene, cut, stray], 1);
  service = await share({ token });
  client = await openStacClient(service.baseUrl, auth);
});
afterAll(async () => {
  await service.close();
  await library.close();
});

function share(options: {
  token: string | null;
  host?: string;
  port?: number;
}): Promise<RunningSharedService> {
  return shareLibrary({
    catalog: { name: 'Test', library, destinations: () => [test.harness.destination] },
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    onAnswer: () => (answered += 1),
    ...options,
  });
}

async function assetOf(key = 'B04'): Promise<JsonObject & { href: string }> {
  const [scene] = await client.search('POST', { ids: ['scene'] });
  return (scene?.['assets'] as Record<string, JsonObject & { href: string }>)[key] ?? { href: '' };
}

async function downloadLink(headers: Record<string, string> = {}): Promise<string> {
  const answer = await client.get(`${service.baseUrl}/collections/s2/items/scene`, headers);
  const { assets } = (await answer.json()) as {
    assets: { B04: { alternate: { download: { href: string } } } };
  };
  return assets.B04.alternate.download.href;
}

const filePath = () => join(test.harness.destination, 's2/2024/scene/B04.tif');

describe('a program that reads the shared library', () => {
  it.each(['GET', 'POST'] as const)('pages to the end with %s as the library answers', async (method) => {
    const found = await client.search(method, { limit: 4, collections: ['s2'] });
    const { items } = await library.engine.search({ collections: ['s2'] }, { limit: 1000 });
    expect(found.map(({ id }) => id)).toEqual(items.map(({ ref }) => ref.itemId));
    expect(found).toHaveLength(26);
  });

  it.each(['GET', 'POST'] as const)('asks with an area and a time by %s', async (method) => {
    const asked = {
      limit: 2,
      intersects: { type: 'Point', coordinates: [0.5, 0.5] },
      datetime: '2026-01-02T00:00:00Z/2026-01-03T00:00:00Z',
    };
    const found = await client.search(method, asked);
    const { limit: _, ...query } = asked;
    const { items } = await library.engine.search(
      { ...query, intersects: query.intersects as never },
      { limit: 99 },
    );
    expect(found.map(({ id }) => id)).toEqual(items.map(({ ref }) => ref.itemId));
    expect(found.length).toBeGreaterThan(2);
  });

  it('finds the items of a collection with the parameters of OGC API Features', async () => {
    const [collection] = await client.collections();
    const url = `${need(collection ?? {}, 'items').href}?datetime=2026-01-02T00:00:00Z&limit=1`;
    const first = (await (await client.get(url)).json()) as JsonObject;
    const second = (await (await client.get(need(first, 'next').href)).json()) as JsonObject;
    const ids = [first, second].flatMap((page) => (page['features'] as { id: string }[]).map(({ id }) => id));
    expect(ids).toEqual(['i1', 'i10']);
  });

  it('gets records with all that STAC asks for, and links that lead back', async () => {
    expect(await client.collections()).toMatchObject([
      {
        type: 'Collection',
        stac_version: '1.0.0',
        description: 's2',
        license: 'other',
        extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } },
      },
      { id: 'odd' },
      { type: 'Collection', id: 'unlisted', description: 'unlisted', license: 'other' },
    ]);
    const [cut] = await client.search('GET', { ids: ['cut'] });
    expect(cut).toMatchObject({ type: 'Feature', stac_version: '1.0.0', geometry: null, assets: {} });
    const [stray] = await client.search('GET', { ids: ['stray'] });
    for (const item of [cut, stray]) {
      for (const rel of ['self', 'root', 'parent', 'collection'])
        expect([rel, (await client.get(need(item ?? {}, rel).href)).status]).toEqual([rel, 200]);
    }
  });

  it('finds a description of the service that names only what is there', async () => {
    const response = await client.get(need(client.root, 'service-desc').href);
    expect(response.headers.get('content-type')).toMatch(
      /^application\/vnd\.oai\.openapi\+json; ?version="?3\.0/,
    );
    const { paths } = (await response.json()) as { paths: Record<string, object> };
    const filled = { collectionId: 's2', itemId: 'scene' };
    for (const path of Object.keys(paths)) {
      const url = service.baseUrl + path.replace(/\{(\w+)\}/g, (_, name: 'itemId') => filled[name]);
      expect([path, (await client.get(url)).status]).toEqual([path, 200]);
    }
  });

  it('is counted', async () => {
    const before = answered;
    await client.collections();
    expect((await fetch(service.baseUrl)).status).toBe(401);
    expect(answered).toBe(before + 1);
  });
});

describe('a downloaded asset', () => {
  it('has its address here, and the source beside it', async () => {
    const { href, alternate, ...others } = await assetOf();
    expect(new URL(href).origin).toBe(new URL(service.baseUrl).origin);
    expect(alternate).toMatchObject({ source: { href: `${test.server.origin}/B04.tif` } });
    expect(others['file:size']).toBe(bytes.length);
    expect(JSON.stringify(await assetOf('meta'))).not.toContain(new URL(service.baseUrl).origin);
  });

  it('is given whole and in any part, byte for byte', async () => {
    const { href } = await assetOf();
    const whole = await client.get(href);
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
      const part = await client.get(href, { range });
      expect([range, part.status]).toEqual([range, 206]);
      expect(part.headers.get('content-range')).toBe(
        `bytes ${String(start)}-${String(end - 1)}/${String(size)}`,
      );
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
    }
    const beyond = await client.get(href, { range: `bytes=${String(size)}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${String(size)}`]);
    expect(await beyond.json()).toMatchObject({ code: 'InvalidRange' });
  });

  it('tells its size by HEAD, and gives parts only of the file that was meant', async () => {
    const { href } = await assetOf();
    const head = await fetch(href, { method: 'HEAD', headers: auth });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const etag = head.headers.get('etag') ?? '';
    expect((await client.get(href, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await client.get(href, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await client.get(href, { 'if-none-match': etag })).status).toBe(304);
    expect((await client.get(href, { 'if-match': '"other"' })).status).toBe(412);
  });

  it('is reached by a signed link without the token, and by the proxy link with it', async () => {
    const signed = await downloadLink();
    const part = await fetch(signed, { headers: { range: 'bytes=7-9' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(7, 10))).toBe(true);
    expect((await fetch(signed.replace(/Signature=./, 'Signature=_'))).status).toBe(401);
    const proxied = await client.get(await downloadLink({ 'x-proxy-asset-urls': 'true' }));
    expect(Buffer.from(await proxied.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each(['GET', 'HEAD'])('is the only file that %s finds in its place', async (method) => {
    const { href } = await assetOf();
    const signed = await downloadLink();
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
      const { item } = test.harness;
      const B04 = { href: `https://source.test/${end}` };
      const renamed = { ...item, assets: { ...(item['assets'] as JsonObject), B04 } };
      const ref = { collectionId: 's2', itemId: 'scene' };
      await library.saveItems([{ ref, item: renamed }], 2);
      const { href: here } = await assetOf();
      expect((await client.get(here, { range: 'bytes=0-0' })).status).toBe(206);
      expect((await fetch(await downloadLink())).status).toBe(200);
      expect((await client.get(await downloadLink({ 'x-proxy-asset-urls': 'true' }))).status).toBe(200);
      await library.saveItems([{ ref, item }], 3);
    },
  );
});

describe('a downloaded asset that changed', () => {
  let receivedAt: Date;
  beforeAll(() => {
    receivedAt = statSync(filePath()).mtime;
  });
  afterEach(() => {
    for (const path of [filePath(), `${filePath()}.old`]) rmSync(path, { force: true });
    writeFileSync(filePath(), bytes);
    utimesSync(filePath(), receivedAt, receivedAt);
  });

  it.each<[string, () => void]>([
    ['was moved', () => renameSync(filePath(), `${filePath()}.old`)],
    ['grew', () => appendFileSync(filePath(), 'x')],
    [
      'was written to',
      () => {
        writeFileSync(filePath(), makeBytes(bytes.length, 2));
        const later = new Date(Date.now() + 60_000);
        utimesSync(filePath(), later, later);
      },
    ],
    [
      'is a link now',
      () => {
        renameSync(filePath(), `${filePath()}.old`);
        symlinkSync(`${filePath()}.old`, filePath());
      },
    ],
  ])('is no longer offered when it %s', async (_what, change) => {
    const { href } = await assetOf();
    expect((await client.get(href, { range: 'bytes=0-0' })).status).toBe(206);
    change();
    expect((await assetOf()).href).toBe(`${test.server.origin}/B04.tif`);
    expect((await client.get(href)).status).toBe(404);
  });
});

describe('who is not let in', () => {
  it('has no token, a wrong one or a wrong password', async () => {
    const { href } = await assetOf();
    const headersOf: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `Basic ${btoa('me:nonsense')}` },
    ];
    for (const headers of headersOf) {
      for (const url of [service.baseUrl, `${service.baseUrl}/collections`, href]) {
        const response = await fetch(url, { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('Bearer');
        expect(await response.text()).not.toContain(token);
      }
    }
  });

  it('lets the token in as a password, for programs that set no headers', async () => {
    const headers = { authorization: `Basic ${btoa(`anyone:${token}`)}` };
    expect((await fetch(service.baseUrl, { headers })).status).toBe(200);
  });

  it('is a page of somebody else, or comes under a name that was pointed at this computer', async () => {
    const asked: [Record<string, string>, number][] = [
      [{ host: 'evil.example' }, 421],
      [{ origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ];
    for (const [headers, status] of asked) {
      const answer = await rawGet('/v1/stac', { ...auth, ...headers });
      expect([headers, answer.status]).toEqual([headers, status]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('asks for no token where this computer alone is served so, and never elsewhere', async () => {
    const open = await share({ token: null });
    expect((await fetch(open.baseUrl)).status).toBe(200);
    await open.close();
    await expect(share({ token: null, host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'token' },
    });
  });

  it('says which address or port can not be had', async () => {
    await expect(share({ token, port: service.port })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'port' },
    });
    await expect(share({ token, host: '192.0.2.77' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'host' },
    });
  });
});

describe('a hostile client', () => {
  const paths = [
    '/assets/s2/scene/B04/../../../../../../etc/passwd',
    '/assets/s2/scene/..%2f..%2f..%2fetc%2fpasswd/x',
    '/assets/..%2f..%2fetc/passwd/B04/x',
    '/assets/s2/scene/B04',
    '/assets/s2/scene/item.json/item.json',
    '/assets/s2/scene/%ff/x',
    '/assets/s2/%00/B04/x',
    '/v1/stac/../../etc/passwd',
    '/assets//////',
    '/%2e%2e/%2e%2e/etc/passwd',
  ];
  it('gets a clean error for each path that leads elsewhere', async () => {
    for (const path of paths) {
      const answer = await rawGet(path, auth);
      expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['code', 'description']);
      expect(answer.text).not.toContain('root:');
    }
  });

  it('gets clean errors for what it sends', async () => {
    const post = (body: string) =>
      fetch(`${service.baseUrl}/search`, {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/json' },
        body,
      });
    expect((await post(`{"ids": ["${'x'.repeat(5_000_000)}"]}`)).status).toBe(413);
    expect((await post('{'.repeat(1000))).status).toBe(400);
    expect((await post('{"token":"AAAA"}')).status).toBe(400);
    expect((await client.get(`${service.baseUrl}/search?intersects={`)).status).toBe(400);
    expect((await rawGet('/v1/stac', { ...auth, 'x-long': 'y'.repeat(100_000) })).status).toBe(431);
  });

  it('can hold many connections open, and others are answered still', async () => {
    const sockets = Array.from({ length: 400 }, () => {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /v1/stac HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      return socket;
    });
    const closed = new Promise<void>((resolve) => {
      let count = 0;
      // Above the limit they are dropped at once.
      for (const socket of sockets) socket.on('close', () => ++count === 144 && resolve());
    });
    await closed;
    for (const socket of sockets) socket.destroy();
    expect((await client.collections()).length).toBe(3);
  });
});

function rawGet(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: service.port, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      asked.on('error', reject);
      asked.end();
    },
  );
}
