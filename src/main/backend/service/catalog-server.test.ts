import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkOf, makeItem, startTestService, type TestService } from './testing/test-service.ts';

const colonId = 'earth:carbon:multimode:v2.1';
const oddItemId = 'S2A/T31 UFU?é';
const longItemId = 'é'.repeat(400);

let service: TestService;
beforeAll(async () => {
  service = await startTestService(
    async (library) => {
      const license = { rel: 'license', href: 'https://example.com/license' };
      const foreignSelf = { rel: 'self', href: 'https://elsewhere.example/c' };
      await library.saveCollections(
        [
          { id: 'optical', title: 'Optical', keywords: null, links: [license, foreignSelf] },
          { id: colonId, title: 'Carbon' },
        ],
        1,
      );
      const stored = [
        { rel: 'self', href: 'https://elsewhere.example/i' },
        { rel: 'via', href: 'https://elsewhere.example/i' },
      ];
      await library.saveItems(
        [makeItem(colonId, oddItemId, { links: stored }), makeItem(colonId, longItemId)],
        1,
      );
    },
    { maxConcurrent: 2 },
  );
});
afterAll(() => service.stop());

describe('landing page', () => {
  it('is a catalog that says what it conforms to', async () => {
    const { status, json } = await service.ask('');
    expect(status).toBe(200);
    expect(json).toMatchObject({ type: 'Catalog', stac_version: '1.0.0' });
    expect(json['conformsTo']).toEqual(
      expect.arrayContaining(
        [
          'core',
          'collections',
          'ogcapi-features',
          'item-search',
          'item-search#query',
          'item-search#fields',
        ].map((part) => `https://api.stacspec.org/v1.0.0/${part}`),
      ),
    );
    expect((await service.ask('/conformance')).json['conformsTo']).toEqual(json['conformsTo']);
  });

  it('links to everything, and every link of it answers', async () => {
    const links = (await service.ask('/')).json['links'] as { rel: string; href: string; method?: string }[];
    expect(links.map(({ rel }) => rel)).toEqual(
      expect.arrayContaining(['self', 'root', 'data', 'search', 'conformance', 'child']),
    );
    expect(links.filter(({ rel }) => rel === 'search').map(({ method }) => method)).toEqual(['GET', 'POST']);
    for (const { href, method } of links) {
      const answer = await service.ask(href, method === 'POST' ? { json: {} } : {});
      expect([href, answer.status]).toEqual([href, 200]);
    }
  });
});

describe('collections', () => {
  it('are listed in the order of the catalog with their own members', async () => {
    const { json } = await service.ask('/collections');
    const collections = json['collections'] as { id: string }[];
    expect(collections.map(({ id }) => id)).toEqual(['optical', colonId]);
    expect(collections[0]).toMatchObject({ title: 'Optical', keywords: null });
  });

  it('carry links of this catalog in place of those of another, and keep the rest', async () => {
    const { json } = await service.ask('/collections/optical');
    expect(linkOf(json, 'self')?.['href']).toBe(`${service.baseUrl}/collections/optical`);
    expect(linkOf(json, 'items')?.['href']).toBe(`${service.baseUrl}/collections/optical/items`);
    expect(linkOf(json, 'license')?.['href']).toBe('https://example.com/license');
    expect((json['links'] as { rel: string }[]).filter(({ rel }) => rel === 'self')).toHaveLength(1);
  });

  it('are found by ids with colons, escaped or not', async () => {
    for (const id of [colonId, encodeURIComponent(colonId)]) {
      expect((await service.ask(`/collections/${id}`)).json['id']).toBe(colonId);
    }
  });
});

describe('an item', () => {
  it('is found by an id with a slash, a space and a letter beyond ASCII, and its own link leads to it', async () => {
    const path = `/collections/${encodeURIComponent(colonId)}/items/${encodeURIComponent(oddItemId)}`;
    const { status, headers, json } = await service.ask(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/geo\+json/);
    expect(json).toMatchObject({ id: oddItemId, collection: colonId });
    const self = String(linkOf(json, 'self')?.['href']);
    expect((await service.ask(self)).json['id']).toBe(oddItemId);
    for (const rel of ['parent', 'collection']) {
      expect((await service.ask(String(linkOf(json, rel)?.['href']))).json['id']).toBe(colonId);
    }
    const rels = (json['links'] as { rel: string }[]).map(({ rel }) => rel);
    expect(rels).toEqual(['self', 'parent', 'collection', 'root', 'via']);
    expect(linkOf(json, 'root')?.['href']).toBe(service.baseUrl);
  });
});

describe('a long id', () => {
  it('is found like any other', async () => {
    const path = `/collections/${encodeURIComponent(colonId)}/items/${encodeURIComponent(longItemId)}`;
    expect((await service.ask(path)).json['id']).toBe(longItemId);
  });
});

describe('authentication', () => {
  it.each([
    ['no header', undefined],
    ['a wrong token', 'Bearer wrong'],
    ['a longer token', 'Bearer test-token-and-more'],
    ['another scheme', 'Basic test-token'],
    ['no token', 'Bearer '],
  ])('refuses %s with 401 everywhere', async (_case, authorization) => {
    for (const url of [`${service.baseUrl}/collections`, service.assetUrl, `${service.baseUrl}/nowhere`]) {
      const response = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
      expect([url, response.status]).toEqual([url, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({
        code: 'Unauthorized',
        description: expect.any(String) as string,
      });
    }
  });

  it('takes the scheme in any case', async () => {
    expect(
      (await service.ask('/collections', { headers: { authorization: 'bearer test-token' } })).status,
    ).toBe(200);
  });
});

describe('errors', () => {
  it.each([
    ['/collections/unknown'],
    ['/collections/unknown/items'],
    ['/collections/unknown/queryables'],
    ['/collections/optical/items/unknown'],
    ['/queryables?collections=optical,unknown'],
    ['/nowhere'],
  ])('%s is not found', async (path) => {
    const { status, json } = await service.ask(path);
    expect(status).toBe(404);
    expect(json).toEqual({ code: 'NotFoundError', description: expect.any(String) as string });
  });

  it.each([
    ['text that is not JSON', { body: '{"limit":', headers: { 'content-type': 'application/json' } }],
    ['an empty body', { body: '', headers: { 'content-type': 'application/json' } }],
    ['no body at all', { method: 'POST' }],
    ['JSON that is no object', { json: ['optical'] }],
    ['plain text', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['a form', { body: 'limit=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('a search whose body is %s answers 400', async (_case, options) => {
    const { status, json } = await service.ask('/search', options);
    expect(status).toBe(400);
    expect(json).toEqual({ code: 'InvalidParameterValue', description: expect.any(String) as string });
  });

  it('a malformed path answers 400 in JSON', async () => {
    const { status, json } = await service.ask('/collections/%E0%A4%A');
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'InvalidParameterValue' });
  });

  it('a method that a path does not take answers 405 and names those it takes', async () => {
    const { status, headers, json } = await service.ask('/collections/optical', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toMatch(/GET/);
    expect(json).toMatchObject({ code: 'MethodNotAllowed' });
  });

  it('a huge body answers 413', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: 'Bearer test-token',
        'content-type': 'application/json',
        'content-length': 100_000_000,
      };
      const post = request(`${service.baseUrl}/search`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        response.resume();
        post.destroy();
      });
      post.on('error', reject);
      post.flushHeaders();
    });
    expect(status).toBe(413);
  });
});

describe('requests at once', () => {
  it('are refused above the limit with 429 and Retry-After, and taken again once others have ended', async () => {
    const pending = await Promise.all([openUnfinishedPost(), openUnfinishedPost()]);
    const refused = await service.ask('/collections');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.json).toEqual({ code: 'TooManyRequests', description: expect.any(String) as string });
    const proxied = await service.ask(service.assetUrl);
    expect(proxied.status).toBe(429);

    const [finished, abandoned] = pending;
    expect(await finished.finish()).toBe(200);
    expect((await service.ask('/collections')).status).toBe(200);
    await abandoned.abandon();
    const another = await openUnfinishedPost();
    await expect.poll(async () => (await service.ask('/collections')).status).toBe(200);
    await another.finish();
  });
});

// A search whose body is still on its way: the server has answered `100 Continue`, so it counts.
function openUnfinishedPost(): Promise<{ finish(): Promise<number | undefined>; abandon(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const post = request(`${service.baseUrl}/search`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer test-token',
        'content-type': 'application/json',
        'content-length': 2,
        expect: '100-continue',
      },
    });
    post.on('error', reject);
    post.flushHeaders();
    post.once('continue', () => {
      resolve({
        finish: () =>
          new Promise((answered) => {
            post.once('response', (response) => {
              response.resume().once('close', () => {
                answered(response.statusCode);
              });
            });
            post.end('{}');
          }),
        abandon: () =>
          new Promise((gone) => {
            post.removeAllListeners('error').on('error', () => undefined);
            post.once('close', gone);
            post.destroy();
          }),
      });
    });
  });
}
