import { describe, expect, it } from 'vitest';
import { parseSearchQuery, type SearchQuery } from './search-query.ts';
import { fitsGet, fromGetParams, toGetParams, toPostBody } from './wire.ts';

const full: SearchQuery = {
  collections: ['a', 'earth:carbon:v2.1'],
  ids: ['x', 'y'],
  datetime: '2026-01-01T00:00:00Z..',
  bbox: [-1.5, 2, 3, 4],
  limit: 50,
  fields: { include: ['id', 'assets.B02.jp2'], exclude: ['links'] },
  sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }],
};

describe('GET form', () => {
  it('writes every parameter as the service documents it', () => {
    expect(Object.fromEntries(toGetParams(full))).toEqual({
      collections: 'a,earth:carbon:v2.1',
      ids: 'x,y',
      datetime: '2026-01-01T00:00:00Z..',
      bbox: '-1.5,2,3,4',
      limit: '50',
      fields: 'id,assets.B02.jp2,-links',
      sortby: '-eo:cloud_cover',
    });
  });

  it('reads back what it wrote', () => {
    expect(fromGetParams(new Map(toGetParams(full)))).toEqual({
      ...full,
      sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }],
    });
  });

  it('reads a plus sign that became a space', () => {
    expect(
      fromGetParams(
        new Map([
          ['sortby', ' eo:cloud_cover'],
          ['fields', '+id'],
        ]),
      ),
    ).toEqual({
      sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }],
      fields: { include: ['id'] },
    });
  });

  it('never sends an empty include list beside excludes', () => {
    expect(fromGetParams(new Map([['fields', '-geometry']]))).toEqual({ fields: { exclude: ['geometry'] } });
  });

  it.each(['query', 'intersects'])('refuses %s, which needs POST', (name) => {
    expect(() => fromGetParams(new Map([[name, '{}']]))).toThrow(
      expect.objectContaining({ code: 'input.invalid' }),
    );
  });

  it.each([
    ['limit', 'ten'],
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', ''],
    ['bbox', '1,2,3'],
    ['bbox', '1,2,x,4'],
    ['bbox', '0,5,1,4'],
    ['datetime', 'today'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => fromGetParams(new Map([[name, value]]))).toThrow(
      expect.objectContaining({
        code: 'input.invalid',
        details: expect.objectContaining({ field: expect.stringContaining(name) }),
      }),
    );
  });

  it('says when a query does not fit', () => {
    expect([
      fitsGet(full),
      fitsGet({ query: {} }),
      fitsGet({ intersects: { type: 'Point', coordinates: [0, 0] } }),
    ]).toEqual([true, false, false]);
    expect(() => toGetParams({ query: { a: { eq: 1 } } })).toThrow(
      expect.objectContaining({ code: 'input.invalid' }),
    );
  });
});

describe('POST form', () => {
  it('is the query itself', () => {
    expect(parseSearchQuery(JSON.parse(JSON.stringify(toPostBody(full))))).toEqual(full);
  });

  it.each([
    [
      'bbox and intersects together',
      { bbox: [0, 0, 1, 1], intersects: { type: 'Point', coordinates: [0, 0] } },
      'intersects',
    ],
    [
      'a ring of three positions',
      {
        intersects: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
      },
      'intersects',
    ],
    ['collections as a text', { collections: 'a' }, 'collections'],
    ['an operand that is an object', { query: { a: { eq: {} } } }, 'query'],
    ['a property that would be lost', { query: JSON.parse('{"__proto__":{"eq":1}}') as object }, 'query'],
    ['a sort direction that is none', { sortby: [{ field: 'a', direction: 'up' }] }, 'sortby'],
    ['something else than an object', [], 'query'],
  ])('refuses %s and names the member', (_name, body, field) => {
    expect(() => parseSearchQuery(body)).toThrow(
      expect.objectContaining({
        code: 'input.invalid',
        details: expect.objectContaining({ field: expect.stringContaining(field) }),
      }),
    );
  });
});
