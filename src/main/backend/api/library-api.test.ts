import { expect, it } from 'vitest';
import { openWindow, pagesOf } from './testing/open-window.ts';

const scenes = [
  { id: 'S2B_31UFS_20260101', properties: { datetime: '2026-01-01T00:00:00Z', platform: 'sentinel-2b' } },
  { id: 'S2A_31UFT_20260102', properties: { datetime: '2026-01-02T00:00:00Z', platform: 'sentinel-2a' } },
  { id: 'LC08_oblique', properties: { datetime: '2026-01-03T00:00:00Z', platform: 'landsat-8' } },
];

it('tells what is kept of each collection, and that all of it is here only once all of it came', async () => {
  const { client } = await openWindow(pagesOf([scenes.slice(0, 2), scenes.slice(2)]));
  const first = await client.search.run({ query: { collections: ['c'] } });
  await client.saved.history({});
  const cut = await client.library.overview({});
  expect(cut.collections).toMatchObject([{ collectionId: 'c', itemCount: 2, completeAsOf: null }]);
  await client.search.more({ searchId: first.searchId });
  await client.saved.history({});
  const whole = await client.library.overview({});
  expect(whole.collections[0]?.itemCount).toBe(3);
  expect(whole.collections[0]?.completeAsOf).toBe(first.asOf);
  expect(whole).toMatchObject({ firstTaken: '2026-01-01T00:00:00Z', lastTaken: '2026-01-03T00:00:00Z' });
});

it('finds items by words of their ids and properties', async () => {
  const { client } = await openWindow(pagesOf([scenes]));
  await client.search.run({ query: {} });
  await client.saved.history({});
  const idsOf = async (text: string, limit = 50) =>
    (await client.library.find({ text, limit })).rows.map(({ itemId }) => itemId);
  expect(await idsOf('S2B 31UFS')).toEqual(['S2B_31UFS_20260101']);
  expect(await idsOf('landsat obl')).toEqual(['LC08_oblique']);
  expect(await idsOf('nothing like it')).toEqual([]);
  expect(await client.library.find({ text: 'sentinel', limit: 1 })).toMatchObject({ hasMore: true });
});

it('counts what lies in a kept area', async () => {
  const point = { type: 'Point', coordinates: [5, 46] };
  const { client } = await openWindow(pagesOf([[{ ...scenes[0], id: 'in', geometry: point }, 'nowhere']]));
  await client.search.run({ query: {} });
  await client.saved.history({});
  const ring = [
    [4, 45],
    [6, 45],
    [6, 47],
    [4, 45],
  ];
  const { areaId } = await client.areas.keep({
    name: 'Jura',
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  expect(await client.library.area({ areaId })).toMatchObject({
    itemCount: 1,
    lastTaken: '2026-01-01T00:00:00Z',
  });
  await expect(client.library.area({ areaId: 99 })).rejects.toMatchObject({ code: 'saved.not-found' });
});

it('forgets a search with all its runs, keeps its items, and takes it back', async () => {
  const { client } = await openWindow(pagesOf([scenes]));
  await client.search.run({ query: {} });
  await client.search.run({ query: {} });
  await client.search.run({ query: { ids: ['a'] } });
  const { searches } = await client.saved.history({});
  const { searchNumber = 0 } = searches[1] ?? {};
  await client.library.forgetSearch({ searchNumber });
  expect((await client.saved.history({})).searches).toEqual([searches[0]]);
  expect((await client.library.overview({})).itemCount).toBe(3);
  await client.library.takeSearchBack({ searchNumber });
  expect((await client.saved.history({})).searches).toEqual(searches);
  const gone = client.library.takeSearchBack({ searchNumber });
  await expect(gone).rejects.toMatchObject({ code: 'saved.not-found' });
});
