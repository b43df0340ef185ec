import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/stac/json.ts';
import {
  idsOf,
  linkOf,
  makeItem,
  startTestService,
  type Answer,
  type TestService,
} from './testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(async (library) => {
    await library.saveCollections([{ id: 'c:1' }, { id: 'other' }], 1);
    await library.saveItems(
      Array.from({ length: 7 }, (_, n) => numbered(n + 1)),
      1,
    );
    await library.saveItems([makeItem('other', 'x1'), makeItem('other', 'x2')], 1);
  });
});
afterAll(() => service.stop());

function numbered(day: number, id = `i${day}`) {
  const datetime = `2026-01-0${day}T00:00:00Z`;
  return makeItem('c:1', id, { properties: { datetime, 'eo:cloud_cover': (day * 3) % 7 } });
}

// As a client follows it: method, body and merge taken literally.
async function follow(answer: Answer, sentBody: JsonObject = {}): Promise<Answer | null> {
  const next = linkOf(answer, 'next');
  if (!next) return null;
  const href = String(next['href']);
  if (next['method'] === 'GET') return service.ask(href);
  expect(next).toMatchObject({ method: 'POST', merge: true });
  return service.ask(href, { json: { ...sentBody, ...(next['body'] as JsonObject) } });
}

async function allIds(first: Answer, sentBody: JsonObject = {}): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let page: Answer | null = first; page; page = await follow(page, sentBody)) pages.push(idsOf(page));
  return pages;
}

describe('pages', () => {
  const pages = [['i7', 'i6', 'i5'], ['i4', 'i3', 'i2'], ['i1']];

  it('of an item list follow each other newest first; the last has no next link', async () => {
    const first = await service.ask('/collections/c%3A1/items?limit=3');
    expect(first.json).toMatchObject({ numberMatched: 7, numberReturned: 3 });
    expect(linkOf(first, 'next')).toMatchObject({ method: 'GET', type: 'application/geo+json' });
    expect(await allIds(first)).toEqual(pages);
  });

  it('of an item list take no search parameters', async () => {
    const list = await service.ask(
      '/collections/c%3A1/items?limit=10&ids=i1&bbox=90,0,91,1&sortby=eo:cloud_cover',
    );
    expect(list.status).toBe(200);
    expect(idsOf(list)).toEqual(pages.flat());
  });

  it('of GET carry all parameters of the search in the next link', async () => {
    const asked = 'collections=c%3A1&limit=3&fields=id,collection&datetime=2026-01-01T00:00:00%2B00:00/..';
    const first = await service.ask(`/search?${asked}`);
    expect(String(linkOf(first, 'next')?.['href'])).toContain(asked);
    expect(await allIds(first)).toEqual(pages);
  });

  it('of POST are continued by a token that is merged into the body', async () => {
    const body = { collections: ['c:1'], limit: 3 };
    expect(await allIds(await service.ask('/search', { json: body }), body)).toEqual(pages);
  });

  it('follow each other when sorted by cloud cover', async () => {
    const body = { limit: 2, sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] };
    const ids = (await allIds(await service.ask('/search', { json: body }), body)).flat();
    expect(ids).toEqual(['i7', 'i5', 'i3', 'i1', 'i6', 'i4', 'i2']);
  });

  it('all say the total of the first', async () => {
    const first = await service.ask('/search?collections=c:1&limit=3');
    expect(first.json).toMatchObject({ numberMatched: 7 });
    await service.library.saveItems(
      [makeItem('c:1', 'late', { properties: { datetime: '2020-01-01T00:00:00Z' } })],
      2,
    );
    const second = await follow(first);
    expect(second?.json).toMatchObject({ numberMatched: 7, numberReturned: 3 });
  });

  it('end without a next link when the last page is full', async () => {
    const last = await service.ask('/search?collections=other&limit=2');
    expect(idsOf(last)).toHaveLength(2);
    expect(linkOf(last, 'next')).toBeUndefined();
  });

  it('repeat nothing and lose nothing when items arrive in between', async () => {
    const own = await startTestService(async (library) => {
      await library.saveCollections([{ id: 'c:1' }], 1);
      await library.saveItems([numbered(2), numbered(4), numbered(6)], 1);
    });
    const first = await own.ask('/search?limit=2');
    expect(idsOf(first)).toEqual(['i6', 'i4']);
    await own.library.saveItems([numbered(9), numbered(5), numbered(3), numbered(4, 'i4a')], 2);
    const second = await own.ask(
      `${String(linkOf(first, 'next')?.['href'])}&limit=10`.replace('limit=2&', ''),
    );
    expect(idsOf(second)).toEqual(['i4a', 'i3', 'i2']);
    await own.stop();
  });
});

describe('a token', () => {
  const tokenOf = async (body: JsonObject) =>
    String((linkOf(await service.ask('/search', { json: body }), 'next')?.['body'] as JsonObject)['token']);

  it('that was changed anywhere is refused with 400', async () => {
    const body = { collections: ['c:1'], limit: 2 };
    const token = await tokenOf(body);
    for (let at = 0; at < token.length; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      const { status } = await service.ask('/search', { json: { ...body, token: changed } });
      expect([at, status]).toEqual([at, 400]);
    }
    for (const changed of [`${token}!`, `${token}A`, `!${token}`, token.slice(0, -1), token.slice(0, 8)]) {
      expect((await service.ask('/search', { json: { ...body, token: changed } })).status).toBe(400);
    }
    expect((await service.ask('/search', { json: { ...body, token } })).status).toBe(200);
  });

  it('of another search is refused with 400', async () => {
    const token = await tokenOf({ collections: ['c:1'], limit: 2 });
    const others = [
      { collections: ['other'] },
      { collections: ['c:1'], sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] },
    ];
    for (const other of others) {
      expect((await service.ask('/search', { json: { ...other, token } })).status).toBe(400);
    }
  });

  it('of a service with the same access token still counts, so that paging outlives a restart', async () => {
    const body = { collections: ['c:1'], limit: 2 };
    const token = await tokenOf(body);
    const again = await startTestService(async (library) => {
      await library.saveCollections([{ id: 'c:1' }], 1);
      await library.saveItems([numbered(7), numbered(6), numbered(5)], 1);
    });
    expect(idsOf(await again.ask('/search', { json: { ...body, token } }))).toEqual(['i5']);
    await again.stop();
  });
});
