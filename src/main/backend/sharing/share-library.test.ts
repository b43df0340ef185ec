import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/stac/json.ts';
import { useSharedLibrary } from './testing/shared-library.ts';
import { need } from './testing/stac-client.ts';

const shared = useSharedLibrary();

describe('a program that reads the shared library', () => {
  it.each(['GET', 'POST'] as const)('pages to the end with %s as the library answers', async (method) => {
    const found = await shared.client.search(method, { limit: 4, collections: ['s2'] });
    const { items } = await shared.library.engine.search({ collections: ['s2'] }, { limit: 1000 });
    expect(found.map(({ id }) => id)).toEqual(items.map(({ ref }) => ref.itemId));
    expect(found).toHaveLength(26);
  });

  it.each(['GET', 'POST'] as const)('asks with an area and a time by %s', async (method) => {
    const asked = {
      limit: 2,
      intersects: { type: 'Point', coordinates: [0.5, 0.5] },
      datetime: '2026-01-02T00:00:00Z/2026-01-03T00:00:00Z',
    };
    const found = await shared.client.search(method, asked);
    const { limit: _, ...query } = asked;
    const { items } = await shared.library.engine.search(
      { ...query, intersects: query.intersects as never },
      { limit: 99 },
    );
    expect(found.map(({ id }) => id)).toEqual(items.map(({ ref }) => ref.itemId));
    expect(found.length).toBeGreaterThan(2);
  });

  it('finds the items of a collection with the parameters of OGC API Features', async () => {
    const [collection] = await shared.client.collections();
    const url = `${need(collection ?? {}, 'items').href}?datetime=2026-01-02T00:00:00Z&limit=1`;
    const first = (await (await shared.client.get(url)).json()) as JsonObject;
    const second = (await (await shared.client.get(need(first, 'next').href)).json()) as JsonObject;
    const ids = [first, second].flatMap((page) => (page['features'] as { id: string }[]).map(({ id }) => id));
    expect(ids).toEqual(['i1', 'i10']);
  });

  it('gets records with all that STAC asks for, and links that lead back', async () => {
    expect(await shared.client.collections()).toMatchObject([
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
    const [cut] = await shared.client.search('GET', { ids: ['cut'] });
    expect(cut).toMatchObject({ type: 'Feature', stac_version: '1.0.0', geometry: null, assets: {} });
    const [stray] = await shared.client.search('GET', { ids: ['stray'] });
    for (const item of [cut, stray]) {
      for (const rel of ['self', 'root', 'parent', 'collection'])
        expect([rel, (await shared.client.get(need(item ?? {}, rel).href)).status]).toEqual([rel, 200]);
    }
  });

  it('finds a description of the service that names only what is there', async () => {
    const response = await shared.client.get(need(shared.client.root, 'service-desc').href);
    expect(response.headers.get('content-type')).toMatch(
      /^application\/vnd\.oai\.openapi\+json; ?version="?3\.0/,
    );
    const { paths } = (await response.json()) as { paths: Record<string, object> };
    const filled = { collectionId: 's2', itemId: 'scene' };
    for (const path of Object.keys(paths)) {
      const url = shared.service.baseUrl + path.replace(/\{(\w+)\}/g, (_, name: 'itemId') => filled[name]);
      expect([path, (await shared.client.get(url)).status]).toEqual([path, 200]);
    }
  });

  it('is counted', async () => {
    const before = shared.answeredCount;
    await shared.client.collections();
    expect((await fetch(shared.service.baseUrl)).status).toBe(401);
    expect(shared.answeredCount).toBe(before + 1);
  });
});
