import { describe, expect, it } from 'vitest';
import { failureOf } from '../http/testing/failure-of.ts';
import type { Reply } from '../http/testing/recording-server.ts';
import { serve } from '../http/testing/serve.ts';
import { clientFor, feature, page, readAll, serveInOrder } from './testing/test-catalog.ts';

describe('requests', () => {
  it('encode ids in paths and never split them', async () => {
    const server = await serve(({ target }) =>
      target.includes('/items/')
        ? { body: { ...feature('a/b?c'), collection: 'c d' } }
        : { body: { type: 'Collection', id: 'x' } },
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

  it.each(['.', '..'])('never leave the catalog by an id of “%s”', async (dots) => {
    const server = await serve(() => ({ body: feature('x') }));
    const client = clientFor(server, '/v1/stac');
    for (const ref of [
      { collectionId: dots, itemId: 'x' },
      { collectionId: 'c', itemId: dots },
    ])
      expect(await failureOf(client.item(ref))).toMatchObject({ code: 'input.invalid' });
    expect(await failureOf(client.collection(dots))).toMatchObject({ code: 'input.invalid' });
    expect(server.requests).toEqual([]);
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

  it.each([
    [{ collections: ['a'], fields: { include: ['id'] } }, { include: ['id'] }],
    [{ collections: ['a'], fields: { include: ['properties.gsd'] } }, { include: ['properties.gsd', 'id'] }],
    [
      { fields: { include: ['id'], exclude: ['links'] } },
      { include: ['id', 'collection'], exclude: ['links'] },
    ],
    [
      { collections: ['a', 'b'], fields: { exclude: ['id', 'collection', 'assets'] } },
      { exclude: ['assets'] },
    ],
    [{ fields: { include: [], exclude: ['geometry'] } }, { include: [], exclude: ['geometry'] }],
    [{ fields: {} }, {}],
    [{ fields: { exclude: ['id'] } }, undefined],
  ])('leave items their identity: %j', async (query, fields) => {
    const server = await serve(() => ({ body: page([]) }));
    await clientFor(server).search(query).next();
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...query, fields });
  });

  it.each([404, 405, 501])(
    'fall back to GET where the server answers %i to POST, and remember',
    async (status) => {
      const server = await serve(({ method }) => (method === 'GET' ? { body: page(['a']) } : { status }));
      const client = clientFor(server);
      expect((await readAll(client.search({ limit: 1 }))).ids).toEqual(['a']);
      expect((await readAll(client.search({ limit: 1 }))).ids).toEqual(['a']);
      expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
      const needsPost = client.search({ query: { 'eo:cloud_cover': { lt: 5 } } });
      expect((await failureOf(needsPost.next())).details['status']).toBe(status);
    },
  );

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

  it('a refusal by another server that the catalog leads to is not blamed on the token', async () => {
    const other = await serve(() => ({ status: 401, body: { message: 'Unauthorized' } }));
    const server = await serve(() => ({ status: 307, headers: { location: `${other.origin}/search` } }));
    const error = await failureOf(clientFor(server).search({}).next());
    expect(error).toMatchObject({ code: 'auth.required', details: { origin: other.origin } });
    expect(error.message).toContain(`leads to ${other.origin}`);
  });

  it('404 for queryables of all is no failure: a catalog may know none', async () => {
    const server = await serve(() => ({ status: 404, body: { detail: 'Not Found' } }));
    expect(await clientFor(server).queryables([])).toEqual({});
  });

  it.each([[['a']], [['a', 'b']]])(
    '404 for queryables of %j is no failure where these are there',
    async (collectionIds) => {
      const server = await serve(({ target }) =>
        target.includes('queryables')
          ? { status: 404, body: { detail: 'Not Found' } }
          : { body: { type: 'Collection', id: target.split('/').at(-1), links: [] } },
      );
      expect(await clientFor(server).queryables(collectionIds)).toEqual({});
    },
  );

  it('404 for queryables of several names the one that is missing', async () => {
    const server = await serve(({ target }) =>
      target.endsWith('/a') ? { body: { type: 'Collection', id: 'a', links: [] } } : { status: 404 },
    );
    const error = await failureOf(clientFor(server).queryables(['a', 'b']));
    expect(error).toMatchObject({ code: 'stac.collection-not-found', details: { collectionId: 'b' } });
  });

  it.each([
    ['as it was sent', (token: string) => token],
    ['encoded', (token: string) => Buffer.from(token).toString('base64')],
  ])('never quote the token %s', async (_, spell) => {
    const server = await serve(({ headers }) => ({
      status: 401,
      body: { detail: `${spell(headers.authorization?.slice(7) ?? '')} is unknown` },
    }));
    expect((await failureOf(clientFor(server).search({}).next())).message).toMatch(/: \*\*\* is unknown$/);
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

  it('an item request answered with another item is refused, and one that names no collection is not', async () => {
    const ref = { collectionId: 'c', itemId: 'wrong-late' };
    const answers = [
      feature('ok'),
      { ...feature('wrong-late'), collection: 'd' },
      { ...feature('wrong-late'), collection: undefined },
    ];
    const server = await serve(() => ({ body: answers[server.requests.length - 1] ?? null }));
    const client = clientFor(server);
    expect(await failureOf(client.item(ref))).toMatchObject({
      code: 'stac.invalid-response',
      details: { expected: 'item wrong-late of c', found: 'item ok of c' },
    });
    expect((await failureOf(client.item(ref))).code).toBe('stac.invalid-response');
    expect((await client.item(ref)).ref).toEqual(ref);
  });
});

describe('collections', () => {
  it('are read over all pages, without malformed and repeated ones', async () => {
    const server = await serveInOrder(() => [
      {
        collections: [
          { id: 'a', keywords: null, summaries: null, links: null },
          null,
          { title: 'no id' },
          { id: '\ud800' },
        ],
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
