import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports.ts';
import { createHttpClient, type HttpClientOptions } from './create-http-client.ts';
import type { HttpClient } from './http-client.ts';
import { failureOf } from './testing/failure-of.ts';
import { startRecordingServer, type RecordingServer } from './testing/recording-server.ts';
import { serve } from './testing/serve.ts';

function clientFor(
  options: Partial<HttpClientOptions> & { origin?: string } = {},
): HttpClient & { waitsMs: number[] } {
  const waitsMs: number[] = [];
  const { origin, ...rest } = options;
  const client = createHttpClient({
    credentials: origin === undefined ? null : { origin, accessToken: () => Promise.resolve('sesame') },
    clock: { now: () => Date.parse('2026-01-01T00:00:00Z') },
    logger: silentLogger,
    maxCatalogRequests: 4,
    random: () => 0,
    wait: (delayMs) => {
      waitsMs.push(delayMs);
      return Promise.resolve();
    },
    ...rest,
  });
  return Object.assign(Object.create(client) as HttpClient, { waitsMs });
}

describe('the access token', () => {
  it('goes to the catalog origin and nowhere else along a chain of redirects', async () => {
    const third = await serve(() => ({ body: { at: 'third' } }));
    const second = await serve(() => ({ status: 307, headers: { location: `${third.origin}/end` } }));
    const catalog = await serve(({ target }) =>
      target === '/a'
        ? { status: 307, headers: { location: '/b' } }
        : { status: 307, headers: { location: `${second.origin}/c` } },
    );
    const client = clientFor({ origin: catalog.origin });
    const answer = await client.send({
      url: `${catalog.origin}/a`,
      auth: 'catalog',
      headers: { 'X-Signed-Asset-Urls': 'true' },
    });
    expect(answer.url).toBe(`${third.origin}/end`);
    expect(catalog.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sesame',
      'Bearer sesame',
    ]);
    for (const { headers } of [...second.requests, ...third.requests]) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-signed-asset-urls']).toBeUndefined();
    }
    expect(second.requests).toHaveLength(1);
    expect(third.requests).toHaveLength(1);
  });

  it('comes back when a redirect leads back to the catalog', async () => {
    const away = await serve(() => ({ status: 302, headers: { location: `${catalog.origin}/end` } }));
    const catalog: RecordingServer = await serve(({ target }) =>
      target === '/end' ? { body: {} } : { status: 302, headers: { location: `${away.origin}/x` } },
    );
    await clientFor({ origin: catalog.origin }).send({ url: `${catalog.origin}/start`, auth: 'catalog' });
    expect(away.requests[0]?.headers.authorization).toBeUndefined();
    expect(catalog.requests[1]?.headers.authorization).toBe('Bearer sesame');
  });

  it('is not sent with auth none, nor to another port or a host that only looks alike', async () => {
    const catalog = await serve(() => ({ body: {} }));
    const other = await serve(() => ({ body: {} }));
    const client = clientFor({ origin: catalog.origin });
    await client.send({ url: `${catalog.origin}/a`, auth: 'none' });
    await client.send({ url: `${other.origin}/a`, auth: 'catalog' });
    await client
      .send({ url: `${catalog.origin.replace('127.0.0.1', 'localhost')}/a`, auth: 'catalog' })
      .catch(() => null);
    for (const { headers } of [...catalog.requests, ...other.requests])
      expect(headers.authorization).toBeUndefined();
    expect(catalog.requests.length).toBeGreaterThan(0);
  });

  it('is not in what comes back, in whatever spelling; a word that a catalog may use itself stays', async () => {
    const token = 'a-long/token+of=mine';
    const says = (secret: string) => ({
      note: `for ${secret}`,
      href: `https://storage.test/a.tif?t=${encodeURIComponent(secret)}&b=${btoa(secret)}`,
    });
    const catalog = await serve(({ headers }) => ({
      body: JSON.stringify(says(headers.authorization?.slice(7) ?? '')).replaceAll('/', '\\/'),
    }));
    const read = async (accessToken: string) => {
      const credentials = { origin: catalog.origin, accessToken: () => Promise.resolve(accessToken) };
      const { body } = await clientFor({ credentials }).send({ url: `${catalog.origin}/a`, auth: 'catalog' });
      return JSON.parse(body.toString()) as unknown;
    };
    expect(await read(token)).toEqual({ note: 'for ***', href: 'https://storage.test/a.tif?t=***&b=***' });
    expect(await read('sesame')).toEqual(says('sesame'));
  });

  it("drops a caller's own Authorization and a URL's user name", async () => {
    const server = await serve(() => ({ body: {} }));
    await clientFor().send({
      url: `${server.origin.replace('//', '//me:pass@')}/a`,
      auth: 'catalog',
      headers: { Authorization: 'Bearer other', Cookie: 'a=b' },
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.headers.cookie).toBeUndefined();
  });

  it('is not sent to the storage that open() is pointed at, and open() follows no redirect', async () => {
    const storage = await serve(() => ({ body: 'bytes' }));
    const catalog = await serve(() => ({ status: 307, headers: { location: `${storage.origin}/f` } }));
    const client = clientFor({ origin: catalog.origin });
    const opened = await client.open({ url: `${catalog.origin}/asset`, auth: 'catalog' });
    opened.body.destroy();
    expect(opened.status).toBe(307);
    expect(catalog.requests[0]?.headers.authorization).toBe('Bearer sesame');
    expect(storage.requests).toHaveLength(0);
  });
});

describe('URLs', () => {
  it.each([
    "/search?token=a=b==&next=x%2Fy%2fz+w&q='quoted'&e=",
    '/items/a%3Ab%2Fc/%2e%2e/d?',
    '/k?sig=a%2Bb+c%3D&se=2026-01-01T00%3A00%3A00Z&colon=next:landsat:LC09',
  ])('arrive byte for byte: %s', async (target) => {
    const server = await serve(() => ({ body: {} }));
    const client = clientFor();
    await client.send({ url: `${server.origin}${target}#part`, auth: 'none' });
    (await client.open({ url: `${server.origin}${target}`, auth: 'none' })).body.destroy();
    expect(server.requests.map((request) => request.target)).toEqual([target, target]);
  });

  it('outside ASCII are encoded, also in a redirect', async () => {
    const server = await serve(({ target }) =>
      target.startsWith('/a')
        ? { status: 301, headers: { location: Buffer.from('/bé').toString('latin1') } }
        : { body: {} },
    );
    await clientFor().send({ url: `${server.origin}/aé`, auth: 'none' });
    expect(server.requests.map(({ target }) => target)).toEqual(['/a%C3%A9', '/b%C3%A9']);
  });

  it('that are not http are refused', async () => {
    for (const url of ['file:///etc/passwd', 's3://bucket/key', 'nonsense']) {
      expect((await failureOf(clientFor().send({ url, auth: 'none' }))).code).toBe('input.invalid');
    }
  });
});

describe('redirects', () => {
  it('end after five', async () => {
    const server = await serve(() => ({ status: 302, headers: { location: '/again' } }));
    const error = await failureOf(clientFor().send({ url: `${server.origin}/a`, auth: 'none' }));
    expect(error.code).toBe('http.unexpected-status');
    expect(server.requests).toHaveLength(6);
  });

  it('keep the body and method of a search, except for 303', async () => {
    for (const [status, method] of [
      [301, 'POST'],
      [302, 'POST'],
      [307, 'POST'],
      [308, 'POST'],
      [303, 'GET'],
    ] as const) {
      const server = await serve(({ target }) =>
        target === '/a' ? { status, headers: { location: '/b' } } : { body: {} },
      );
      await clientFor().send({ url: `${server.origin}/a`, method: 'POST', json: { limit: 1 }, auth: 'none' });
      expect(server.requests[1]).toMatchObject({ method, body: method === 'POST' ? '{"limit":1}' : '' });
    }
  });
});

describe('retries', () => {
  it('try 429 and 5xx again after 1, 2 and 4 seconds, POST included, then give the answer', async () => {
    const server = await serve(() => ({ status: 503, body: { detail: 'busy' } }));
    const client = clientFor({ random: () => 0.999999 });
    const answer = await client.send({
      url: `${server.origin}/search`,
      method: 'POST',
      json: { limit: 1 },
      auth: 'catalog',
    });
    expect(answer.status).toBe(503);
    expect(client.waitsMs).toEqual([1000, 2000, 4000]);
    expect(server.requests.map(({ body }) => body)).toEqual(Array(4).fill('{"limit":1}'));
  });

  it('are jittered downwards by at most half', async () => {
    const server = await serve(() => ({ status: 500 }));
    const client = clientFor({ random: () => 0 });
    await client.send({ url: `${server.origin}/a`, auth: 'none' });
    expect(client.waitsMs).toEqual([500, 1000, 2000]);
  });

  it.each([
    { name: 'seconds', headers: { 'retry-after': '7' }, waits: [7000] },
    {
      name: "a date, by the server's clock",
      headers: { 'retry-after': 'Fri, 01 May 2020 00:00:09 GMT', date: 'Fri, 01 May 2020 00:00:00 GMT' },
      waits: [9000],
    },
    { name: 'a date in the past', headers: { 'retry-after': 'Fri, 01 May 2015 00:00:00 GMT' }, waits: [500] },
    { name: 'nonsense', headers: { 'retry-after': 'soon' }, waits: [500] },
  ])('wait as Retry-After says: $name', async ({ headers, waits }) => {
    let calls = 0;
    const server = await serve(() => ((calls += 1) === 1 ? { status: 429, headers } : { body: {} }));
    const client = clientFor();
    expect((await client.send({ url: `${server.origin}/a`, auth: 'catalog' })).status).toBe(200);
    expect(client.waitsMs).toEqual(waits);
  });

  it('give the answer back at once when the server asks for more than a minute', async () => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': '61' } }));
    const client = clientFor();
    expect((await client.send({ url: `${server.origin}/a`, auth: 'catalog' })).status).toBe(429);
    expect(client.waitsMs).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('mend a reset connection and an answer that broke off', async () => {
    let calls = 0;
    const server = await serve((_, response) => {
      calls += 1;
      if (calls === 1) {
        response.destroy();
        return null;
      }
      if (calls === 2) {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"half":', () => response.destroy());
        return null;
      }
      return { body: { whole: true } };
    });
    const client = clientFor();
    const answer = await client.send({ url: `${server.origin}/a`, auth: 'none' });
    expect(answer.body.toString()).toBe('{"whole":true}');
    expect(client.waitsMs).toHaveLength(2);
  });

  it('are not made for other statuses', async () => {
    const server = await serve(() => ({ status: 404 }));
    expect((await clientFor().send({ url: `${server.origin}/a`, auth: 'none' })).status).toBe(404);
    expect(server.requests).toHaveLength(1);
  });
});

describe('answers', () => {
  it('are decompressed for send and left alone for open', async () => {
    const packed = gzipSync('{"a":1}');
    const server = await serve(() => ({ body: packed, headers: { 'content-encoding': 'gzip' } }));
    const client = clientFor();
    expect((await client.send({ url: `${server.origin}/a`, auth: 'none' })).body.toString()).toBe('{"a":1}');
    const opened = await client.open({ url: `${server.origin}/a`, auth: 'none' });
    expect(Buffer.concat(await opened.body.toArray())).toEqual(packed);
    expect(server.requests[1]?.headers['accept-encoding']).toBe('identity');
  });

  it('longer than allowed are refused while reading, unpacked size counted', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000));
    const server = await serve(() => ({ body: bomb, headers: { 'content-encoding': 'gzip' } }));
    const error = await failureOf(
      clientFor().send({ url: `${server.origin}/a`, auth: 'none', maxBodyBytes: 100_000 }),
    );
    expect(error.code).toBe('http.body-too-large');
    expect(
      (await clientFor().send({ url: `${server.origin}/a`, auth: 'none', maxBodyBytes: 200_000 })).body
        .length,
    ).toBe(200_000);
  });

  it('that break off fail the stream of open()', async () => {
    const server = await serve((_, response) => {
      response.writeHead(206, { 'content-length': '100' });
      response.write('half', () => setImmediate(() => response.destroy()));
      return null;
    });
    const opened = await clientFor().open({ url: `${server.origin}/a`, auth: 'none' });
    expect(opened.status).toBe(206);
    await expect(opened.body.toArray()).rejects.toThrow();
  });
});

describe('failures', () => {
  it('name an unreachable server without the query string', async () => {
    const server = await startRecordingServer(() => ({}));
    await server.close();
    const error = await failureOf(clientFor().send({ url: `${server.origin}/a?sig=secret`, auth: 'none' }));
    expect(error.code).toBe('network.offline');
    expect(error.details['host']).toBe(new URL(server.origin).host);
    expect(JSON.stringify(error.toData())).not.toContain('secret');
  });

  it('tell a failed TLS handshake from being offline', async () => {
    const server = await serve(() => ({}));
    const error = await failureOf(
      clientFor().send({ url: server.origin.replace('http:', 'https:'), auth: 'none' }),
    );
    expect(error.code).toBe('network.tls');
  });
});

describe('cancelling', () => {
  it('ends a request that is waiting for its answer', async () => {
    const controller = new AbortController();
    const server = await serve(() => {
      controller.abort();
      return null;
    });
    const request = { url: `${server.origin}/a`, auth: 'catalog', signal: controller.signal } as const;
    expect((await failureOf(clientFor().send(request))).code).toBe('cancelled');
  });

  it('ends the wait between two attempts', async () => {
    const controller = new AbortController();
    const server = await serve(() => {
      setImmediate(() => controller.abort());
      return { status: 503, headers: { 'retry-after': '50' } };
    });
    const client = createHttpClient({
      credentials: null,
      clock: { now: () => 0 },
      logger: silentLogger,
      maxCatalogRequests: 1,
    });
    const error = await failureOf(
      client.send({ url: `${server.origin}/a`, auth: 'catalog', signal: controller.signal }),
    );
    expect(error.code).toBe('cancelled');
    expect(client.activeCatalogRequests).toBe(0);
  });

  it('takes a request out of the queue before it is sent', async () => {
    const release = Promise.withResolvers<null>();
    const server = await serve(async () => {
      await release.promise;
      return {};
    });
    const client = clientFor({ maxCatalogRequests: 1 });
    const first = client.send({ url: `${server.origin}/first`, auth: 'catalog' });
    const controller = new AbortController();
    const second = failureOf(
      client.send({ url: `${server.origin}/second`, auth: 'catalog', signal: controller.signal }),
    );
    controller.abort();
    expect((await second).code).toBe('cancelled');
    release.resolve(null);
    await first;
    expect(server.requests.map(({ target }) => target)).toEqual(['/first']);
  });
});

describe('the number of requests at once', () => {
  it('is limited for the catalog, can be raised while running, and is told', async () => {
    const waiting: (() => void)[] = [];
    let arrived = Promise.withResolvers<null>();
    const server = await serve(async () => {
      arrived.resolve(null);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return {};
    });
    const client = clientFor({ maxCatalogRequests: 1 });
    const seen: number[] = [];
    const stop = client.onActivity(() => seen.push(client.activeCatalogRequests));
    const all = [1, 2, 3].map((n) => client.send({ url: `${server.origin}/${n}`, auth: 'catalog' }));
    await arrived.promise;
    expect(client.activeCatalogRequests).toBe(1);
    expect(server.requests).toHaveLength(1);
    arrived = Promise.withResolvers<null>();
    client.setMaxCatalogRequests(2);
    await arrived.promise;
    expect(client.activeCatalogRequests).toBe(2);
    client.setMaxCatalogRequests(3);
    let answered = 0;
    for (const one of all) void one.then(() => (answered += 1));
    while (answered < all.length) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop();
    expect(Math.max(...seen)).toBe(3);
    expect(seen.at(-1)).toBe(0);
  });
});
