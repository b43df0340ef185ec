import { expect, it } from 'vitest';
import { describeSearch } from './describe-search.ts';
import type { SearchQuery } from './search-query.ts';

const square: SearchQuery['intersects'] = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.5, 50],
      [10.5, 50.5],
      [10, 50.5],
      [10, 50],
    ],
  ],
};

it.each<[SearchQuery, string[]]>([
  [{}, ['Everything']],
  [{ limit: 100 }, ['Everything']],
  [{ collections: ['a', 'b'] }, ['A title, b']],
  [{ collections: ['a', 'b', 'c'] }, ['3 collections']],
  [{ ids: ['one'] }, ['one']],
  [{ ids: ['one', 'two'] }, ['2 items by id']],
  [{ datetime: '2026-05-01T00:00:00Z/2026-05-31T23:59:59.999Z' }, ['2026-05-01 – 2026-05-31']],
  [{ datetime: '2026-05-01T00:00:00Z/2026-05-01T23:59:59.999Z' }, ['2026-05-01']],
  [{ datetime: '2026-05-01T10:30:00Z..' }, ['from 2026-05-01T10:30:00Z']],
  [{ datetime: '../2026-05-31T23:59:59Z' }, ['until 2026-05-31']],
  [{ datetime: '2026-05-01T10:30:00Z' }, ['2026-05-01T10:30:00Z']],
  [{ bbox: [179, -1, -179, 1] }, ['box of 49,455 km²']],
  [{ intersects: square }, ['area of 1,977 km²']],
  [{ intersects: { type: 'Point', coordinates: [1, 2] } }, ['at a point']],
  [{ query: { 'eo:cloud_cover': { gt: 5, lte: 30 } } }, ['cloud > 5 %', 'cloud ≤ 30 %']],
  [{ query: { 'x:mask': { eq: true }, platform: { in: ['a', 'b'] } } }, ['x:mask', 'platform in a, b']],
  [{ sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }] }, ['least cloud first']],
  [{ sortby: [{ field: 'datetime', direction: 'asc' }], fields: {} }, ['oldest first', 'chosen fields']],
])('%j', (query, words) => {
  expect(describeSearch(query, { titleOf: (id) => (id === 'a' ? 'A title' : id) })).toEqual(words);
});

it('tells what is applied here', () => {
  expect(describeSearch({}, { localFilter: { cloudCoverBelow: 20 } })).toEqual(['cloud < 20 % or unknown']);
});
