import { describe, expect, it } from 'vitest';
import { geometryOfBox } from '../../geo/box-geometry.ts';
import type { SearchQuery } from '../search-query.ts';
import { coversQuestion } from './covers-question.ts';
import { completeAsOf, findCoverage } from './find-coverage.ts';

const may = '2026-05-01T00:00:00Z/2026-05-31T23:59:59Z';
const middle = '2026-05-10T00:00:00Z/2026-05-20T00:00:00Z';
const alps: [number, number, number, number] = [5, 44, 12, 48];
const valley: [number, number, number, number] = [7, 46, 8, 47];
const shape = (bbox: readonly [number, number, number, number]): SearchQuery['intersects'] =>
  geometryOfBox(bbox) as SearchQuery['intersects'];

describe('whether one question covers another', () => {
  const yes: [string, SearchQuery, SearchQuery][] = [
    ['everything covers anything', {}, { collections: ['a'], datetime: may, bbox: alps }],
    ['the same', { datetime: may, bbox: alps }, { bbox: alps, datetime: may }],
    ['more collections', { collections: ['a', 'b'] }, { collections: ['b'] }],
    ['a wider time', { datetime: may }, { datetime: middle }],
    ['an open time', { datetime: '2026-01-01T00:00:00Z..' }, { datetime: middle }],
    ['a wider box', { bbox: alps }, { bbox: valley }],
    ['a box around a shape', { bbox: alps }, { intersects: shape(valley) }],
    ['a shape around a shape', { intersects: shape(alps) }, { intersects: shape(valley) }],
    [
      'a shape around a point',
      { intersects: shape(alps) },
      { intersects: { type: 'Point', coordinates: [7, 46] } },
    ],
    ['a box across the antimeridian', { bbox: [170, -10, -170, 10] }, { bbox: [175, 0, 180, 5] }],
    ['fewer conditions', {}, { query: { platform: { eq: 'x' } } }],
    [
      'a wider bound',
      { query: { 'eo:cloud_cover': { lt: 30 } } },
      { query: { 'eo:cloud_cover': { lt: 20 } } },
    ],
    [
      'the bound itself',
      { query: { 'eo:cloud_cover': { lte: 30 } } },
      { query: { 'eo:cloud_cover': { lt: 30 } } },
    ],
    ['a value within a bound', { query: { gsd: { lt: 30 } } }, { query: { 'properties.gsd': { eq: 10 } } }],
    [
      'values within a list',
      { query: { platform: { in: ['x', 'y'] } } },
      { query: { platform: { eq: 'y' } } },
    ],
    [
      'a later moment',
      { query: { created: { gt: '2026-01-01T00:00:00Z' } } },
      { query: { created: { gt: '2026-02-01T00:00:00Z' } } },
    ],
    ['ids among ids', { ids: ['a', 'b'] }, { ids: ['a'] }],
    ['other fields and pages', { limit: 10 }, { limit: 100, fields: { include: ['id'] } }],
    [
      'light items that have what is asked',
      { fields: { include: ['id', 'geometry', 'properties.gsd'] } },
      { intersects: shape(valley), query: { gsd: { lt: 5 } } },
    ],
    ['the places of items of the default fields', { fields: {} }, { bbox: alps }],
    [
      'the order of what is asked about',
      { sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] },
      { query: { 'eo:cloud_cover': { lt: 20 } } },
    ],
  ];
  it.each(yes)('yes: %s', (_, wide, question) => {
    expect(coversQuestion(wide, question)).toBe(true);
  });

  const bent: SearchQuery['intersects'] = {
    type: 'Polygon',
    coordinates: [
      [
        [5, 44],
        [12, 44],
        [12, 48],
        [7.5, 46.5],
        [5, 48],
        [5, 44],
      ],
    ],
  };
  const holed: SearchQuery['intersects'] = {
    type: 'Polygon',
    coordinates: [
      ...(geometryOfBox(alps).coordinates as [number, number][][]),
      [
        [7.2, 46.2],
        [7.2, 46.4],
        [7.4, 46.4],
        [7.4, 46.2],
        [7.2, 46.2],
      ],
    ],
  };
  const no: [string, SearchQuery, SearchQuery][] = [
    ['another collection', { collections: ['a'] }, { collections: ['a', 'b'] }],
    ['all collections of one', { collections: ['a'] }, {}],
    ['a later end', { datetime: middle }, { datetime: may }],
    ['any time of one', { datetime: may }, {}],
    ['an open end of one', { datetime: may }, { datetime: '2026-05-02T00:00:00Z..' }],
    ['anywhere of a box', { bbox: alps }, {}],
    ['a box that sticks out', { bbox: valley }, { bbox: [7.5, 46.5, 8.5, 46.8] }],
    [
      'a box within a shape: boxes touch where outlines may not',
      { intersects: shape(alps) },
      { bbox: valley },
    ],
    ['a shape that sticks out of a bend', { intersects: bent }, { intersects: shape(valley) }],
    ['a shape over a hole', { intersects: holed }, { intersects: shape(valley) }],
    [
      'a line of a shape',
      { intersects: shape(alps) },
      {
        intersects: {
          type: 'LineString',
          coordinates: [
            [6, 45],
            [7, 46],
          ],
        },
      },
    ],
    ['a looser bound', { query: { gsd: { lt: 20 } } }, { query: { gsd: { lt: 30 } } }],
    ['no bound', { query: { gsd: { lt: 20 } } }, {}],
    ['the bound included', { query: { gsd: { lt: 30 } } }, { query: { gsd: { lte: 30 } } }],
    ['the other side', { query: { gsd: { lt: 30 } } }, { query: { gsd: { gt: 10 } } }],
    ['text by its order', { query: { name: { gt: 'a' } } }, { query: { name: { gt: 'b' } } }],
    ['a further id', { ids: ['a'] }, { ids: ['a', 'b'] }],
    [
      'light items without what is asked',
      { fields: { include: ['id', 'geometry'] } },
      { query: { gsd: { lt: 5 } } },
    ],
    ['items of the default fields', { fields: {} }, { query: { gsd: { lt: 5 } } }],
    ['the times of items of the default fields, which may be spans', { fields: {} }, { datetime: may }],
    [
      'the places of items without boxes',
      { fields: { include: ['id', 'bbox', 'properties.datetime'] } },
      { bbox: alps },
    ],
    ['what was left out', { fields: { exclude: ['properties'] } }, { query: { gsd: { lt: 5 } } }],
    ['items without a cloud cover', { sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] }, {}],
  ];
  it.each(no)('no: %s', (_, wide, question) => {
    expect(coversQuestion(wide, question)).toBe(false);
  });
});

describe('what is known to be complete', () => {
  const asOf = (question: SearchQuery, records: [SearchQuery, number][]) =>
    completeAsOf(
      findCoverage(
        question,
        records.map(([query, fetchedAtMs]) => ({ query, fetchedAtMs })),
      ),
    );

  it('is nothing without records', () => {
    expect(asOf({}, [])).toBeNull();
  });

  it('is the newest record that covers the question', () => {
    expect(
      asOf({ bbox: valley }, [
        [{ bbox: alps }, 10],
        [{ bbox: alps }, 30],
        [{}, 20],
      ]),
    ).toBe(30);
  });

  it('joins records whose times meet, as of the oldest of them', () => {
    const first = { datetime: '2026-05-01T00:00:00Z/2026-05-15T00:00:00Z' };
    const second = { datetime: '2026-05-15T00:00:00Z/2026-06-01T00:00:00Z' };
    expect(
      asOf({ datetime: may }, [
        [first, 10],
        [second, 30],
      ]),
    ).toBe(10);
    expect(
      asOf({ datetime: may }, [
        [first, 10],
        [second, 30],
        [first, 20],
      ]),
    ).toBe(20);
    expect(asOf({ datetime: may }, [[first, 10]])).toBeNull();
  });

  it('takes no notice of records that end before the time that is asked for', () => {
    const [year, april] = [
      '2026-01-01T00:00:00Z/2026-12-31T00:00:00Z',
      '2026-04-01T00:00:00Z/2026-04-02T00:00:00Z',
    ];
    expect(
      asOf({ datetime: middle }, [
        [{ datetime: '2025-01-01T00:00:00Z/2025-02-01T00:00:00Z' }, 40],
        [{ datetime: april }, 30],
        [{ datetime: year }, 20],
      ]),
    ).toBe(20);
  });

  it('is the outlines alone for a box within a shape, and nothing for one that sticks out', () => {
    const records = [{ query: { intersects: shape(alps), datetime: may }, fetchedAtMs: 10 }];
    const of = (question: SearchQuery) => findCoverage({ datetime: may, ...question }, records);
    const outlines = { collectionId: null, asOfMs: null, outlinesAsOfMs: 10 };
    expect(of({ bbox: valley })).toEqual([outlines]);
    expect(of({ bbox: [7, 46, 100, 8, 47, 3000] })).toEqual([outlines]);
    const nothing = { ...outlines, outlinesAsOfMs: null };
    expect(of({ bbox: [7.5, 46.5, 12.5, 46.8] })).toEqual([nothing]);
    expect(of({ bbox: valley, datetime: '2026-05-02T00:00:00Z..' })).toEqual([nothing]);
    expect(of({ bbox: valley, ...{ query: { gsd: { lt: 5 } } } })).toEqual([outlines]);
  });

  it('is the outlines alone for a box across the antimeridian within a shape in two parts', () => {
    const box = (west: number, east: number): [number, number][] => [
      [west, -20],
      [east, -20],
      [east, 20],
      [west, 20],
      [west, -20],
    ];
    const pacific: SearchQuery['intersects'] = {
      type: 'MultiPolygon',
      coordinates: [[box(170, 180)], [box(-180, -170)]],
    };
    const of = (bbox: SearchQuery['bbox']) =>
      findCoverage({ bbox }, [{ query: { intersects: pacific }, fetchedAtMs: 10 }])[0]?.outlinesAsOfMs;
    expect(of([175, -5, -175, 5])).toBe(10);
    expect(of([175, -5, -165, 5])).toBeNull();
  });

  it('tells collection by collection', () => {
    const records = [
      { query: { collections: ['a'], bbox: alps }, fetchedAtMs: 10 },
      { query: { collections: ['b'], bbox: valley }, fetchedAtMs: 20 },
    ];
    const parts = findCoverage({ collections: ['a', 'b', 'c'], bbox: alps }, records);
    expect(parts).toEqual([
      { collectionId: 'a', asOfMs: 10, outlinesAsOfMs: 10 },
      { collectionId: 'b', asOfMs: null, outlinesAsOfMs: null },
      { collectionId: 'c', asOfMs: null, outlinesAsOfMs: null },
    ]);
    expect(completeAsOf(parts)).toBeNull();
    expect(
      asOf(
        { collections: ['a', 'b'], bbox: valley },
        records.map(({ query, fetchedAtMs }) => [query as SearchQuery, fetchedAtMs]),
      ),
    ).toBe(10);
  });
});
