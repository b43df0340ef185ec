import { describe, expect, it } from 'vitest';
import { failureOf } from '../http/testing/failure-of.ts';
import { serve } from '../http/testing/serve.ts';
import { clientFor, feature, page, readAll, serveInOrder } from './testing/test-catalog.ts';

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

  it.each([
    { href: 'ftp://example/next' },
    { href: 'http://[' },
    { href: '/next', method: 'PUT' },
    { href: '/next', method: 'POST', body: { token: 'deep' } },
  ])('that lead nowhere are reported after the page that has them', async (next) => {
    const server = await serveInOrder(() => [withDeepMember(page(['a'], next))]);
    const pages = clientFor(server).search({});
    expect((await pages.next())?.items).toHaveLength(1);
    expect(pages.hasMore).toBe(true);
    expect((await failureOf(pages.next())).code).toBe('stac.invalid-response');
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

  it('not at empty pages that lead to others with items', async () => {
    const to = (number: number) => ({ href: `/v1/stac/search?n=${number}` });
    const server = await serveInOrder(() => [
      page(['a'], to(1)),
      page([], to(2)),
      page([], to(3)),
      page([], to(4)),
      page(['b'], to(5)),
      page([], to(6)),
      page(['c']),
    ]);
    const pages = clientFor(server).search({});
    expect(await readAll(pages)).toMatchObject({ ids: ['a', 'b', 'c'], pageCount: 3 });
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: false });
  });

  it('not at a first page that is empty and offers another', async () => {
    const server = await serveInOrder(() => [page([], { href: '/v1/stac/2' }), page(['a'])]);
    expect(await readAll(clientFor(server).search({}))).toMatchObject({ ids: ['a'], pageCount: 1 });
  });

  it.each([[['a']], [[]]])('short of everything at empty pages without end, after %j', async (ids) => {
    let count = 0;
    const server = await serve(() => ({
      body: page((count += 1) === 1 ? ids : [], { href: `/v1/stac/search?n=${count}` }),
    }));
    const pages = clientFor(server).search({});
    expect(await readAll(pages)).toMatchObject({ ids, pageCount: 1 });
    expect(server.requests.length).toBeLessThan(6);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: true });
  });

  it.each([
    ['that offers none', undefined],
    ['that leads to itself', { href: '/v1/stac/2' }],
  ])('with everything at an empty page %s', async (_name, next) => {
    const server = await serveInOrder(() => [page(['a'], { href: '/v1/stac/2' }), page([], next)]);
    const pages = clientFor(server).search({});
    expect(await readAll(pages)).toMatchObject({ ids: ['a'], pageCount: 1 });
    expect(server.requests).toHaveLength(2);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: false });
  });

  it('short of everything at an empty page that leads back to one with items', async () => {
    const server = await serveInOrder(() => [
      page(['a'], { href: '/v1/stac/2' }),
      page(['b'], { href: '/v1/stac/3' }),
      page([], { href: '/v1/stac/2' }),
    ]);
    const pages = clientFor(server).search({});
    expect((await readAll(pages)).ids).toEqual(['a', 'b']);
    expect(pages).toMatchObject({ hasMore: false, isIncomplete: true });
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

  it('at a page of malformed items that came before', async () => {
    let count = 0;
    const features = [null, { type: 'Feature' }];
    const server = await serve(() => ({
      body: page([], { href: `/v1/stac/search?n=${(count += 1)}` }, { features }),
    }));
    const all = await readAll(clientFor(server).search({}));
    expect(all).toMatchObject({ pageCount: 1, skipped: ['not a JSON object', 'no id'] });
    expect(server.requests).toHaveLength(2);
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

  it('nested beyond what can be written out are skipped like any malformed one', async () => {
    const features = [feature('a'), feature('b', { properties: 'deep' }), { x: 'deep' }];
    const server = await serve(() => ({ body: withDeepMember({ features }) }));
    const result = await clientFor(server).search({}).next();
    expect(result?.items.map(({ ref }) => ref.itemId)).toEqual(['a']);
    expect(result?.skipped.map(({ reason }) => reason)).toEqual(['item b is nested too deeply', 'no id']);
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

/** The value as JSON text in which every member `"deep"` is an array 20,000 levels deep. */
function withDeepMember(value: object): string {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  return JSON.stringify(value).replaceAll('"deep"', deep);
}
