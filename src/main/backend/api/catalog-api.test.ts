import { expect, it } from 'vitest';
import { openWindow, pagesOf } from './testing/open-window.ts';

const number = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });

const answers: Record<string, object> = {
  '/collections/optical/queryables': {
    properties: {
      gsd: number(10, 60),
      platform: { type: 'string', enum: ['a', 'b'] },
      'eo:cloud_cover': number(0, 100),
    },
  },
  '/collections/radar/queryables': {
    properties: { 'sar:band': { type: 'string' }, platform: { enum: ['b', 'c'] }, gsd: number(5, 20) },
  },
};

it('says offline what collections have in common that were never asked about together', async () => {
  const { client, cut } = await openWindow(pagesOf([[]]), {
    answerOther: ({ target }) => ({ body: answers[target] ?? { collections: [], links: [] } }),
  });
  for (const id of ['optical', 'radar', 'silent']) await client.catalog.queryables({ collectionIds: [id] });
  await cut();
  const { queryables } = await client.catalog.queryables({ collectionIds: ['optical', 'radar'] });
  expect(queryables).toMatchObject([
    { name: 'gsd', type: 'number', minimum: 5, maximum: 60 },
    { name: 'platform', type: 'any', values: ['a', 'b', 'c'] },
  ]);
  // One that lists nothing takes nothing from the others.
  expect((await client.catalog.queryables({ collectionIds: ['optical', 'silent'] })).queryables).toHaveLength(
    3,
  );
  expect((await client.catalog.queryables({ collectionIds: ['silent'] })).queryables).toEqual([]);
});
