import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { startRecordingServer, type RecordingServer, type Reply } from '../http/testing/recording-server.ts';
import { silentLogger } from '../ports.ts';
import type { CatalogClient, ItemPages } from './catalog-client.ts';
import { createCatalogClient } from './create-catalog-client.ts';

const servers: RecordingServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: Parameters<typeof startRecordingServer>[0]): Promise<RecordingServer> {
  const server = await startRecordingServer(answer);
  servers.push(server);
  return server;
}

function clientFor(server: RecordingServer, path = '/v1/stac'): CatalogClient {
  const http = createHttpClient({
    credentials: { origin: server.origin, accessToken: () => Promise.resolve('sesame') },
    clock: { now: () => 0 },
    logger: silentLogger,
    maxCatalogRequests: 4,
    wait: () => Promise.resolve(),
  });
  return createCatalogClient({ baseUrl: `${server.origin}${path}`, http });
}

async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
  return error;
}

const feature = (id: string, more: object = {}) => ({ type: 'Feature', id, collection: 'c', ...more });

const page = (ids: readonly string[], next?: object, more: object = {}) => ({
  type: 'FeatureCollection',
  features: ids.map((id) => feature(id)),
  links: next
    ? [
        { rel: 'self', href: 'x' },
        { rel: 'next', ...next },
      ]
    : [],
  ...more,
});

async function readAll(pages: ItemPages): Promise<{ ids: string[]; skipped: string[]; pageCount: number }> {
  const ids: string[] = [];
  const skipped: string[] = [];
  let pageCount = 0;
  for (let one = await pages.next(); one !== null; one = await pages.next()) {
    pageCount += 1;
    ids.push(...one.items.map(({ ref }) => ref.itemId));
    skipped.push(...one.skipped.map(({ reason }) => reason));
    expect(pageCount).toBeLessThan(20);
  }
  return { ids, skipped, pageCount };
}

/** Serves each reply once, in order, whatever is asked. */
async function serveInOrder(
  makeReplies: (server: () => RecordingServer) => unknown[],
): Promise<RecordingServer> {
  let replies: unknown[] | null = null;
  const server: RecordingServer = await serve(() => {
    replies ??= makeReplies(() => server);
    return { body: replies.shift() ?? page([]) };
  });
  return server;
}

describe('requests', () => {
  it('encode ids in paths and never split them', async () => {
    const server = await serve(({ target }) =>
      target.includes('/items/') ? { body: feature('a/b?c') } : { body: { type: 'Collection', id: 'x' } },
    );
    const client = clientFor(server, '/v1/stac//');
    await client.collection('earthdaily:carbon/3x3:v2.1');
    await client.item({ collectionId: 'c d', itemId: 'a/b?c' });
    expect(client.baseUrl).toBe(`${server.origin}/v1/stac`);
    expect(server.requests.map(({ target }) => target)).toEqual([
      '/v1/stac/collections/earthdaily%3Acarbon%2F3x3%3Av2.1',
      '/v1/stac/collections/c%20d/items/a%2Fb%3Fc',
    ]);
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer sesame')).toBe(true);
  });

  it('ask for one kind of links at a time, or none', async () => {
    const server = await serve(({ method }) => ({ body: method === 'POST' ? page([]) : feature('a') }));
    const client = clientFor(server);
    await client.item({ collectionId: 'c', itemId: 'a' });
    await client.item({ collectionId: 'c', itemId: 'a' }, { links: 'signed' });
    await client.item({ collectionId: 'c', itemId: 'a' }, { links: 'proxy' });
    await client.search({}, { links: 'proxy' }).next();
    const sent = server.requests.map(({ headers }) => [
      headers['x-signed-asset-urls'],
      headers['x-proxy-asset-urls'],
    ]);
    expect(sent).toEqual([
      [undefined, undefined],
      ['true', undefined],
      [undefined, 'true'],
      [undefined, 'true'],
    ]);
  });

  it('write a search into a body or a query string', async () => {
    const server = await serve(() => ({ body: page([]) }));
    const client = clientFor(server);
    const query = {
      collections: ['a', 'b'],
      datetime: '2024-01-01T00:00:00+00:00/2024-02-01T00:00:00Z',
      sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' as const }],
      limit: 5,
    };
    await client.search(query).next();
    await client.search(query, { method: 'get' }).next();
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(query);
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
    expect(server.requests[1]?.target).toBe(
      '/v1/stac/search?collections=a,b&datetime=2024-01-01T00:00:00%2B00:00/2024-02-01T00:00:00Z&limit=5&sortby=-eo:cloud_cover',
    );
  });

  it('know three forms of queryables', async () => {
    const server = await serve(() => ({ body: { type: 'object', properties: {} } }));
    const client = clientFor(server);
    await client.queryables([]);
    await client.queryables(['a:b']);
    await client.queryables(['a', 'b']);
    expect(server.requests.map(({ target }) => target)).toEqual([
      '/v1/stac/queryables',
      '/v1/stac/collections/a%3Ab/queryables',
      '/v1/stac/queryables?collections=a,b',
    ]);
  });

  it('fall back to the standard open interval where the server rejects the documented one, and remember', async () => {
    const server = await serve(({ body }) =>
      body.includes('Z/..') ? { body: page(['a']) } : { status: 400, body: { description: 'bad datetime' } },
    );
    const client = clientFor(server);
    const query = { datetime: '2024-01-01T00:00:00Z..' };
    expect((await readAll(client.search(query))).ids).toEqual(['a']);
    expect((await readAll(client.search(query))).ids).toEqual(['a']);
    expect(server.requests.map(({ body }) => (JSON.parse(body) as typeof query).datetime)).toEqual([
      '2024-01-01T00:00:00Z..',
      '2024-01-01T00:00:00Z/..',
      '2024-01-01T00:00:00Z/..',
    ]);
  });
});

describe('next links', () => {
  const start = { collections: ['c'], limit: 2 };

  it.each([
    {
      name: 'POST with merge adds to the body',
      next: { method: 'POST', body: { token: 't1' }, merge: true },
      method: 'POST',
      body: { ...start, token: 't1' },
    },
    {
      name: 'POST with merge false sends its body alone',
      next: { method: 'POST', body: { next: 'n' }, merge: false },
      method: 'POST',
      body: { next: 'n' },
    },
    {
      name: 'POST without merge sends its body alone',
      next: { method: 'post', body: { token: 't' } },
      method: 'POST',
      body: { token: 't' },
    },
    {
      name: 'POST without a body sends an empty one',
      next: { method: 'POST', body: null, merge: false },
      method: 'POST',
      body: {},
    },
    {
      name: 'merge without a body repeats the search',
      next: { method: 'POST', href: '/v1/stac/search?token=x', merge: true },
      method: 'POST',
      body: start,
    },
    { name: 'no method is a GET without body', next: { body: { token: 't' } }, method: 'GET', body: null },
    {
      name: 'null members count as missing',
      next: { method: null, title: null, body: null, headers: null, merge: null },
      method: 'GET',
      body: null,
    },
    {
      name: 'malformed optional members count as missing',
      next: { type: 7, headers: ['x'], merge: 'yes', title: {} },
      method: 'GET',
      body: null,
    },
  ])('$name', async ({ next, method, body }) => {
    const server = await serveInOrder((at) => [
      page(['a'], { href: `${at().origin}/v1/stac/search`, ...next }),
      page(['b']),
    ]);
    expect((await readAll(clientFor(server).search(start))).ids).toEqual(['a', 'b']);
    expect(server.requests[1]?.method).toBe(method);
    expect(server.requests[1]?.body).toBe(body === null ? '' : JSON.stringify(body));
  });

  it('merge with the body of the page before', async () => {
    const next = (token: object) => ({ method: 'POST', href: '/v1/stac/search', body: token, merge: true });
    const server = await serveInOrder(() => [
      page(['a'], next({ token: '1' })),
      page(['b'], next({ token: '2' })),
      page(['c']),
    ]);
    expect((await readAll(clientFor(server).search(start))).ids).toEqual(['a', 'b', 'c']);
    expect(JSON.parse(server.requests[2]?.body ?? '')).toEqual({ ...start, token: '2' });
  });

  it('GET hrefs arrive byte for byte, relative ones are resolved', async () => {
    const target = "/v1/stac/collections/c/items?token=PmR0On=_-~==&x=next:a:b&y='q'+%2f&limit=2";
    const server = await serveInOrder((at) => [
      page(['a'], { href: `${at().origin}${target}` }),
      page(['b'], { href: 'items?token=2' }),
      page(['c'], { href: '?token=3' }),
      page(['d']),
    ]);
    expect((await readAll(clientFor(server).items('c', { limit: 2 }))).ids).toEqual(['a', 'b', 'c', 'd']);
    expect(server.requests.map((request) => request.target)).toEqual([
      '/v1/stac/collections/c/items?limit=2',
      target,
      '/v1/stac/collections/c/items?token=2',
      '/v1/stac/collections/c/items?token=3',
    ]);
  });

  it('headers are sent, without those that would speak for us', async () => {
    const headers = {
      'X-Page': '2',
      'X-Number': 3,
      Authorization: 'Bearer evil',
      Cookie: 'a=b',
      Host: 'evil.example',
      'Proxy-Authorization': 'x',
      'Transfer-Encoding': 'chunked',
      'X-Signed-Asset-Urls': 'true',
      'X-Break': 'a\r\nInjected: yes',
      'Bad Name': 'x',
      'X-Null': null,
    };
    const server = await serveInOrder(() => [page(['a'], { href: '/v1/stac/next', headers }), page(['b'])]);
    await readAll(clientFor(server).search({}, { links: 'proxy' }));
    const sent = server.requests[1]?.headers ?? {};
    expect(sent).toMatchObject({
      'x-page': '2',
      'x-number': '3',
      'x-proxy-asset-urls': 'true',
      authorization: 'Bearer sesame',
      host: new URL(server.origin).host,
    });
    for (const name of [
      'cookie',
      'proxy-authorization',
      'x-signed-asset-urls',
      'x-break',
      'injected',
      'x-null',
    ]) {
      expect(sent[name]).toBeUndefined();
    }
  });

  it('to another origin are followed without the token and without our headers', async () => {
    const other = await serve(() => ({ body: page(['b']) }));
    const server = await serveInOrder(() => [
      page(['a'], { href: `${other.origin}/search`, method: 'POST', body: { token: 't' } }),
    ]);
    expect((await readAll(clientFor(server).search({}, { links: 'signed' }))).ids).toEqual(['a', 'b']);
    expect(server.requests[0]?.headers['x-signed-asset-urls']).toBe('true');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    expect(other.requests[0]?.headers['x-signed-asset-urls']).toBeUndefined();
    expect(other.requests[0]?.body).toBe('{"token":"t"}');
  });

  it('rel previous, prev and malformed links are not followed', async () => {
    const links = [
      null,
      'next',
      { rel: 'next' },
      { rel: 'previous', href: '/p' },
      { rel: 'prev', href: '/p' },
    ];
    const server = await serveInOrder(() => [page(['a'], undefined, { links })]);
    const pages = clientFor(server).search({});
    await pages.next();
    expect(pages.hasMore).toBe(false);
  });

  it('that are no http URL are reported', async () => {
    const server = await serveInOrder(() => [page(['a'], { href: 'ftp://example/next' })]);
    expect((await failureOf(clientFor(server).search({}).next())).code).toBe('stac.invalid-response');
  });
});

describe('paging ends', () => {
  it('at a next link that repeats an earlier request, whatever the order of its members', async () => {
    const body = { limit: 2, collections: ['c'] };
    const server = await serve(({ body: sent }) => ({
      body: page([sent.length % 2 === 0 ? 'a' : 'b'], { href: '/v1/stac/search', method: 'POST', body }),
    }));
    const pages = clientFor(server).search({ collections: ['c'], limit: 2 });
    expect((await readAll(pages)).ids).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: true });
  });

  it('at a page of repeats although its link looks new', async () => {
    let count = 0;
    const server = await serve(() => ({
      body: page(['a', 'b'], { href: `/v1/stac/search?n=${(count += 1)}` }),
    }));
    const pages = clientFor(server).search({});
    expect((await readAll(pages)).ids).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(2);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: true });
  });

  it('at an empty page that offers another', async () => {
    let count = 0;
    const server = await serve(() => ({
      body: page((count += 1) === 1 ? ['a'] : [], { href: `/v1/stac/search?n=${count}` }),
    }));
    const pages = clientFor(server).search({});
    expect(await readAll(pages)).toMatchObject({ ids: ['a'], pageCount: 1 });
    expect(server.requests).toHaveLength(2);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: false });
  });

  it('not at a page whose items were all malformed', async () => {
    const broken = {
      type: 'FeatureCollection',
      features: [null, { type: 'Feature' }],
      links: [{ rel: 'next', href: '/v1/stac/2' }],
    };
    const server = await serveInOrder(() => [broken, page(['a'])]);
    const all = await readAll(clientFor(server).search({}));
    expect(all.ids).toEqual(['a']);
    expect(all.skipped).toEqual(['not a JSON object', 'no id']);
  });

  it('with an empty answer given as one page', async () => {
    const server = await serve(() => ({ body: page([], undefined, { numberMatched: 0 }) }));
    const pages = clientFor(server).search({});
    expect(await pages.next()).toMatchObject({ items: [], matched: 0 });
    expect(await pages.next()).toBeNull();
  });
});

describe('items', () => {
  it('that come twice are given once; the same id in another collection is another item', async () => {
    const first = page(['a', 'b', 'a'], { href: '/v1/stac/2' });
    const second = {
      ...page(['b', 'c']),
      features: [feature('b'), feature('c'), feature('a', { collection: 'd' })],
    };
    const server = await serveInOrder(() => [first, second]);
    expect((await readAll(clientFor(server).search({}))).ids).toEqual(['a', 'b', 'c', 'a']);
  });

  it('one malformed among good ones is reported and skipped', async () => {
    const features = [
      feature('a'),
      17,
      feature('b', { id: null }),
      { type: 'Feature', id: 'n' },
      feature('c'),
    ];
    const server = await serve(() => ({ body: { type: 'FeatureCollection', features } }));
    const result = await clientFor(server).search({}).next();
    expect(result?.items.map(({ ref }) => ref.itemId)).toEqual(['a', 'c']);
    expect(result?.skipped.map(({ reason }) => reason)).toEqual([
      'not a JSON object',
      'no id',
      'item n names no collection',
    ]);
  });

  it('without a collection take the one that was asked for', async () => {
    const server = await serve(() => ({ body: { type: 'FeatureCollection', features: [{ id: 'n' }] } }));
    const client = clientFor(server);
    expect((await client.items('x').next())?.items[0]?.ref).toEqual({ collectionId: 'x', itemId: 'n' });
    expect((await client.search({ collections: ['y'] }).next())?.items[0]?.ref.collectionId).toBe('y');
  });

  it('are counted as far as the server says', async () => {
    for (const [members, matched] of [
      [{ numberMatched: 12, context: { matched: 13 } }, 12],
      [{ numberMatched: null, context: { matched: 13 } }, 13],
      [{ numberMatched: '14' }, 14],
      [{ numberMatched: -1, context: null }, null],
      [{ numberMatched: 'many' }, null],
      [{}, null],
    ] as const) {
      const server = await serve(() => ({ body: page(['a'], undefined, members) }));
      expect((await clientFor(server).search({}).next())?.matched).toBe(matched);
    }
  });
});

describe('answers that are something else', () => {
  const whole: Reply = { headers: { 'content-type': 'application/json' } };

  it.each([
    ['a web page', { body: '<!DOCTYPE html><html><title>Sign in</title></html>' }, 'a web page ("Sign in")'],
    ['nothing', { body: '' }, 'an empty answer'],
    ['cut JSON', { ...whole, body: '{"type":"FeatureColl' }, 'JSON that is cut off or malformed'],
    ['another object', { body: { type: 'Catalog', links: [] } }, 'a JSON object of type Catalog'],
    [
      'features that are no list',
      { body: { type: 'FeatureCollection', features: 'x' } },
      'a JSON object of type FeatureCollection',
    ],
    ['an array', { body: [1] }, 'a JSON array'],
    ['null', { ...whole, body: 'null' }, 'null'],
    ['text', { body: 'proxy error' }, 'text ("proxy error")'],
  ])('%s in place of items', async (_name, reply: Reply, found) => {
    const server = await serve(() => reply);
    const error = await failureOf(clientFor(server).search({}).next());
    expect(error).toMatchObject({ code: 'stac.invalid-response', details: { found } });
  });

  it('an answer that keeps breaking off', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"type":', () => response.destroy());
      return null;
    });
    const error = await failureOf(clientFor(server).search({}).next());
    expect(error).toMatchObject({ code: 'stac.invalid-response', retryable: true });
  });

  it('the page can be asked for again after an error', async () => {
    let calls = 0;
    const server = await serve(() => {
      calls += 1;
      if (calls === 2) return { body: '{' };
      return { body: calls === 1 ? page(['a'], { href: '/v1/stac/2' }) : page(['b']) };
    });
    const pages = clientFor(server).search({});
    await pages.next();
    expect((await failureOf(pages.next())).code).toBe('stac.invalid-response');
    expect((await pages.next())?.items[0]?.ref.itemId).toBe('b');
  });
});

describe('error statuses', () => {
  it.each([
    [
      400,
      { description: 'operator contains not supported' },
      'stac.query-rejected',
      'operator contains not supported',
    ],
    [422, { detail: [{ loc: ['body', 'limit'], msg: 'too big' }] }, 'stac.query-rejected', 'limit: too big'],
    [401, { message: 'Unauthorized' }, 'auth.required', 'Unauthorized'],
    [403, '', 'auth.forbidden', undefined],
    [429, { detail: 'slow down' }, 'http.too-many-requests', 'slow down'],
    [500, '<html><title>Oops</title></html>', 'http.unexpected-status', 'Oops'],
  ] as const)('%i of a search', async (status, body, code, reason) => {
    const server = await serve(() => ({ status, body }));
    const error = await failureOf(clientFor(server).search({}).next());
    expect(error).toMatchObject({ code, details: { status } });
    expect(error.details['reason']).toBe(reason);
  });

  it('404 names what is missing', async () => {
    const server = await serve(() => ({ status: 404, body: { code: 'NotFound', description: 'gone' } }));
    const client = clientFor(server);
    const ref = { collectionId: 'c', itemId: 'i' };
    expect(await failureOf(client.item(ref))).toMatchObject({ code: 'stac.item-not-found', details: ref });
    for (const call of [client.collection('c'), client.items('c').next(), client.queryables(['c'])]) {
      expect(await failureOf(call)).toMatchObject({
        code: 'stac.collection-not-found',
        details: { collectionId: 'c' },
      });
    }
    expect((await failureOf(client.collections())).code).toBe('stac.not-an-api');
    expect((await failureOf(client.landingPage())).code).toBe('stac.not-an-api');
  });

  it('an item request answered with a list or a collection is refused', async () => {
    const server = await serve(() => ({ body: { ...page(['a']), id: 'x', collection: 'c' } }));
    expect((await failureOf(clientFor(server).item({ collectionId: 'c', itemId: 'i' }))).code).toBe(
      'stac.invalid-response',
    );
    expect((await failureOf(clientFor(server).collection('c'))).code).toBe('stac.invalid-response');
  });
});

describe('collections', () => {
  it('are read over all pages, without malformed and repeated ones', async () => {
    const server = await serveInOrder(() => [
      {
        collections: [{ id: 'a', keywords: null, summaries: null, links: null }, null, { title: 'no id' }],
        links: [{ rel: 'next', href: '/v1/stac/collections?page=2' }],
      },
      {
        collections: [{ id: 'b' }, { id: 'a' }],
        links: [{ rel: 'next', href: '/v1/stac/collections?page=3' }],
      },
      { collections: [{ id: 'a' }], links: [{ rel: 'next', href: '/v1/stac/collections?page=4' }] },
    ]);
    expect((await clientFor(server).collections()).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(3);
  });

  it('end at a repeated link', async () => {
    const server = await serve(() => ({
      body: {
        collections: [{ id: String(server.requests.length) }],
        links: [{ rel: 'next', href: '/v1/stac/collections' }],
      },
    }));
    expect(await clientFor(server).collections()).toHaveLength(1);
  });
});

describe('the landing page', () => {
  it('is accepted without type and conformance', async () => {
    const server = await serve(() => ({ body: { id: 'x', stac_version: '1.0.0-beta.2', links: [] } }));
    expect(await clientFor(server).landingPage()).toMatchObject({ id: 'x' });
  });

  it.each([
    ['a web page', '<html></html>'],
    ['other JSON', { hello: 'world' }],
    ['a list', []],
  ])('%s is none', async (_name, body) => {
    const server = await serve(() => ({ body }));
    expect((await failureOf(clientFor(server).landingPage())).code).toBe('stac.not-an-api');
  });
});

it('a cancelled search says so', async () => {
  const controller = new AbortController();
  const server = await serve(() => {
    controller.abort();
    return null;
  });
  const error = await failureOf(clientFor(server).search({}).next({ signal: controller.signal }));
  expect(error.code).toBe('cancelled');
});
