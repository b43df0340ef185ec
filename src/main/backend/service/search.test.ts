import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  featuresOf,
  idsOf,
  makeItem,
  polygonOf,
  startTestService,
  type TestService,
} from './testing/test-service.ts';

const dateTime = { type: 'string', format: 'date-time', pattern: '(\\+00:00|Z)$' };
const shared = { datetime: dateTime, platform: { type: 'string' } };

let service: TestService;
beforeAll(async () => {
  service = await startTestService(async (library) => {
    await library.saveCollections([{ id: 'optical' }, { id: 'radar' }, { id: 'mosaic' }], 1);
    const optical = {
      ...shared,
      'eo:cloud_cover': { type: 'number' },
      'eda:ag_cloud_mask_available': { type: 'boolean' },
    };
    await library.saveQueryables(['optical'], { properties: { ...optical, code: { type: 'number' } } }, 1);
    await library.saveQueryables(['radar'], { properties: { ...shared, code: { type: 'string' } } }, 1);
    await library.saveQueryables(['mosaic'], { properties: { datetime: dateTime } }, 1);
    await library.saveItems(
      [
        optic(
          'o1',
          { datetime: '2026-01-01T10:00:00.000001Z', 'eo:cloud_cover': 5, platform: 'a' },
          [0, 0, 1, 1],
        ),
        optic(
          'o2',
          { datetime: '2026-01-02T10:00:00Z', 'eo:cloud_cover': 50, platform: 'b' },
          [10, 10, 11, 11],
        ),
        optic('o3', { datetime: '2026-01-03T10:00:00Z', 'eo:cloud_cover': null }, [179.5, -1, 180, 1]),
        optic('o4', {
          datetime: '2026-01-03T10:00:00Z',
          'eo:cloud_cover': 20,
          'eda:ag_cloud_mask_available': true,
        }),
        makeItem('radar', 'r1', { properties: { datetime: '2026-01-02T12:00:00Z', platform: 's1' } }),
        makeItem('mosaic', 'm1', {
          properties: {
            datetime: null,
            start_datetime: '2025-06-01T00:00:00Z',
            end_datetime: '2025-06-30T00:00:00Z',
          },
          bbox: [-60, -20, -50, -10],
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [-60, -20],
                [-50, -20],
                [-60, -10],
                [-60, -20],
              ],
            ],
          },
        }),
      ],
      1,
    );
  });
});
afterAll(() => service.stop());

function optic(id: string, properties: Record<string, unknown>, bbox = [20, 20, 21, 21]) {
  return makeItem('optical', id, { properties, bbox, geometry: polygonOf(bbox) });
}

const get = (text: string) => service.ask(`/search?${text}`);
const post = (json: unknown) => service.ask('/search', { json });

describe('a search', () => {
  it('gives everything, newest first, ids ascending where times are equal', async () => {
    for (const answer of [await get(''), await post({})]) {
      expect(answer.headers.get('content-type')).toMatch(/^application\/geo\+json/);
      expect(answer.json).toMatchObject({ type: 'FeatureCollection', numberMatched: 6, numberReturned: 6 });
      expect(idsOf(answer)).toEqual(['o3', 'o4', 'r1', 'o2', 'o1', 'm1']);
    }
  });

  it.each<[string, unknown, string[]]>([
    ['collections=radar,mosaic', { collections: ['radar', 'mosaic'] }, ['r1', 'm1']],
    ['collections=unknown', { collections: ['unknown'] }, []],
    ['ids=o2,r1,none', { ids: ['o2', 'r1', 'none'] }, ['r1', 'o2']],
    ['ids=o2&ids=r1', { ids: ['r1', 'o2'] }, ['r1', 'o2']],
    ['ids=o2,r1&collections=optical', { ids: ['o2', 'r1'], collections: ['optical'] }, ['o2']],
    ['datetime=2026-01-02T10:00:00Z', { datetime: '2026-01-02T10:00:00Z' }, ['o2']],
    ['datetime=2026-01-01T10:00:00.000001Z', { datetime: '2026-01-01T10:00:00.000001Z' }, ['o1']],
    [
      'datetime=2026-01-02T10:00:00Z/2026-01-02T12:00:00Z',
      { datetime: '2026-01-02T10:00:00Z/2026-01-02T12:00:00Z' },
      ['r1', 'o2'],
    ],
    ['datetime=2026-01-02T12:00:00Z..', { datetime: '2026-01-02T12:00:00Z..' }, ['o3', 'o4', 'r1']],
    ['datetime=2026-01-02T12:00:00Z/..', { datetime: '2026-01-02T12:00:00Z/..' }, ['o3', 'o4', 'r1']],
    ['datetime=..2026-01-01T23:00:00Z', { datetime: '..2026-01-01T23:00:00Z' }, ['o1', 'm1']],
    ['datetime=../2026-01-01T23:00:00Z', { datetime: '../2026-01-01T23:00:00Z' }, ['o1', 'm1']],
    ['datetime=2025-06-15T00:00:00Z', { datetime: '2025-06-15T00:00:00Z' }, ['m1']],
    ['bbox=10.5,10.5,12,12', { bbox: [10.5, 10.5, 12, 12] }, ['o2']],
    ['bbox=10.5,10.5,0,12,12,9000', { bbox: [10.5, 10.5, 0, 12, 12, 9000] }, ['o2']],
    ['bbox=179.9,-5,-179,5', { bbox: [179.9, -5, -179, 5] }, ['o3']],
    ['bbox=-51,-11,-50,-10', { bbox: [-51, -11, -50, -10] }, ['m1']],
    [
      'sortby=eo:cloud_cover',
      { sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }] },
      ['o1', 'o4', 'o2'],
    ],
    [
      'sortby=-eo:cloud_cover',
      { sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
      ['o2', 'o4', 'o1'],
    ],
    [
      'sortby=-properties.eo:cloud_cover',
      { sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
      ['o2', 'o4', 'o1'],
    ],
    [
      'sortby=datetime&collections=optical',
      { sortby: [{ field: 'properties.datetime', direction: 'asc' }], collections: ['optical'] },
      ['o1', 'o2', 'o3', 'o4'],
    ],
    ['limit=2', { limit: 2 }, ['o3', 'o4']],
    ['limit=100000', { limit: 100_000 }, ['o3', 'o4', 'r1', 'o2', 'o1', 'm1']],
  ])('%s is answered alike with GET and POST', async (text, body, expected) => {
    expect(idsOf(await get(text))).toEqual(expected);
    expect(idsOf(await post(body))).toEqual(expected);
  });

  it('takes 10 items where no limit is given', async () => {
    const many = await startTestService(async (library) => {
      await library.saveCollections([{ id: 'c' }], 1);
      await library.saveItems(
        Array.from({ length: 12 }, (_, n) => makeItem('c', `i${n}`)),
        1,
      );
    });
    expect(idsOf(await many.ask('/search'))).toHaveLength(10);
    expect(idsOf(await many.ask('/collections/c/items'))).toHaveLength(10);
    await many.stop();
  });

  it('matches intersects on the true geometry, not its box', async () => {
    const inBoxOnly = {
      type: 'Polygon',
      coordinates: [
        [
          [-51, -11],
          [-50, -11],
          [-50, -10],
          [-51, -11],
        ],
      ],
    };
    const inside = { type: 'Point', coordinates: [-58, -18] };
    expect(idsOf(await post({ intersects: inBoxOnly }))).toEqual([]);
    expect(idsOf(await post({ intersects: inside }))).toEqual(['m1']);
  });

  it('ignores members and parameters that it does not know, and members that are null', async () => {
    expect(
      idsOf(await post({ ids: ['o1'], bbox: null, fields: null, conf: 1, 'filter-lang': 'cql2-json' })),
    ).toEqual(['o1']);
    expect(idsOf(await get('ids=o1&foo=bar'))).toEqual(['o1']);
  });
});

describe('the query extension', () => {
  it.each<[object, string[]]>([
    [{ 'eo:cloud_cover': { lt: 30 } }, ['o4', 'o1']],
    [{ 'eo:cloud_cover': { gt: 5, lt: 50 } }, ['o4']],
    [{ 'eo:cloud_cover': { lt: 60 }, platform: { eq: 'b' } }, ['o2']],
    [{ 'eda:ag_cloud_mask_available': { eq: true } }, ['o4']],
    [{ platform: { eq: 's1' } }, ['r1']],
    [{ 'no:such_property': { eq: 1 } }, []],
  ])('%o is combined with AND; collections without a property give nothing', async (query, expected) => {
    const answer = await post({ query });
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(expected);
  });

  it.each([
    { platform: { contains: 's' } },
    { platform: { lt: 'b' } },
    { platform: { eq: 5 } },
    { 'eo:cloud_cover': { eq: 'low' } },
    { 'eda:ag_cloud_mask_available': { gt: true } },
    { 'eo:cloud_cover': 5 },
  ])('%o is an unsupported combination: 400', async (query) => {
    const answer = await post({ query });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 'InvalidParameterValue', description: expect.any(String) as string });
  });
});

describe('the fields extension', () => {
  it('includes and excludes with both methods', async () => {
    for (const answer of [
      await get('ids=o1&fields=id,properties.eo:cloud_cover'),
      await post({ ids: ['o1'], fields: { include: ['id', 'properties.eo:cloud_cover'] } }),
    ]) {
      expect(featuresOf(answer)).toEqual([{ id: 'o1', properties: { 'eo:cloud_cover': 5 } }]);
    }
    for (const answer of [
      await get('ids=o1&fields=-links,-geometry'),
      await post({ ids: ['o1'], fields: { exclude: ['links', 'geometry'] } }),
    ]) {
      const [feature = {}] = featuresOf(answer);
      expect(Object.keys(feature).sort()).toEqual(
        [
          'assets',
          'bbox',
          'collection',
          'id',
          'properties',
          'stac_extensions',
          'stac_version',
          'type',
        ].sort(),
      );
    }
  });
});

describe('a malformed search', () => {
  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=20000.5',
    'limit=Infinity',
    'limit=abc',
    'limit=',
    'bbox=1,2,3',
    'bbox=1,2,3,x',
    'bbox=0,10,1,5',
    'datetime=yesterday',
    'datetime=2026-01-01T00:00:00Z/2025-01-01T00:00:00Z',
    'datetime=../..',
    'query=%7B%7D',
    'intersects=%7B%7D',
    'filter=eo:cloud_cover<10',
    'sortby=platform',
    'token=xyz',
    'token=',
  ])('GET %s answers 400', async (text) => {
    const { status, json } = await get(text);
    expect(status).toBe(400);
    expect(json).toEqual({ code: 'InvalidParameterValue', description: expect.any(String) as string });
  });

  it.each<object>([
    { limit: 0 },
    { limit: '10' },
    { limit: 2.5 },
    { bbox: '0,0,1,1' },
    { bbox: [0, 0, 1, 1], intersects: { type: 'Point', coordinates: [0, 0] } },
    { intersects: { type: 'Circle', coordinates: [0, 0] } },
    { intersects: { type: 'Point', coordinates: ['a', 'b'] } },
    { collections: 'optical' },
    { ids: [1] },
    { datetime: 5 },
    { query: [] },
    { fields: 'id' },
    { sortby: 'eo:cloud_cover' },
    { sortby: [{ field: 'id', direction: 'asc' }] },
    { sortby: [{ field: 'datetime', direction: 'up' }] },
    { filter: { op: '=', args: [] } },
    { token: 5 },
    { token: 'abc' },
  ])('POST %o answers 400', async (body) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json).toEqual({ code: 'InvalidParameterValue', description: expect.any(String) as string });
  });
});

describe('what a malformed search is told', () => {
  it.each([
    ['limit=abc', 'limit: a number is needed'],
    ['limit=0', 'limit: at least 1 is needed'],
    ['bbox=1,2,3', 'bbox: four numbers are needed: west, south, east, north; or six, with heights'],
  ])('GET %s', async (text, description) => {
    expect((await get(text)).json).toMatchObject({ description });
  });

  it.each<[object, string]>([
    [{ limit: 2.5 }, 'limit: a whole number is needed'],
    [{ ids: 'a' }, 'ids: a list, […] is needed'],
    [{ ids: [''] }, 'ids.0: a text that isn’t empty is needed'],
    [{ intersects: 'here' }, 'intersects: a GeoJSON geometry is needed'],
    [{ sortby: [{ field: 'datetime', direction: 'up' }] }, 'sortby.0.direction: one of asc, desc is needed'],
  ])('POST %o', async (body, description) => {
    expect((await post(body)).json['description']).toContain(description);
  });
});

describe('queryables', () => {
  const namesAt = async (path: string) => Object.keys((await service.ask(path)).json['properties'] as object);

  it('of one collection are the same in both forms, with the datatype of each', async () => {
    const byPath = await service.ask('/collections/optical/queryables');
    const byParameter = await service.ask('/queryables?collections=optical');
    expect(byPath.json).toEqual(byParameter.json);
    expect(byPath.json).toMatchObject({
      type: 'object',
      properties: { datetime: dateTime, 'eo:cloud_cover': { type: 'number' } },
    });
  });

  it('of several are those that all of them have with the same datatype', async () => {
    expect(await namesAt('/queryables?collections=optical,radar')).toEqual(['datetime', 'platform']);
    expect(await namesAt('/queryables?collections=radar,mosaic')).toEqual(['datetime']);
  });

  it('of none named are those of all collections', async () => {
    expect(await namesAt('/queryables')).toEqual(['datetime']);
  });
});
