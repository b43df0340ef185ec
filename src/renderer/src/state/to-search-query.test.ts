import { describe, expect, it } from 'vitest';
import { parseSearchQuery } from '#shared/search/search-query.ts';
import { emptyDraft, type SearchDraft } from './search-draft.ts';
import { pageSize, toSearchQuery } from './to-search-query.ts';

const polygon = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [4, 46],
      [6, 46],
      [6, 48],
      [4, 46],
    ],
  ],
};

function ask(change: Partial<SearchDraft>, surroundings: Partial<Parameters<typeof toSearchQuery>[1]> = {}) {
  const query = toSearchQuery(
    { ...emptyDraft, ...change },
    { view: null, hasCloudCover: true, ...surroundings },
  );
  // Whatever a draft becomes has to pass the check that the program makes of it.
  expect(parseSearchQuery(query)).toEqual(query);
  return query;
}

describe('toSearchQuery', () => {
  it('asks for everything, a page at a time, when nothing was chosen', () => {
    expect(ask({})).toEqual({ limit: pageSize });
  });

  it('names the chosen collections', () => {
    expect(ask({ collectionIds: ['a', 'b'] }).collections).toEqual(['a', 'b']);
  });

  it.each([
    [{ fromDate: '2026-05-01', toDate: '2026-09-30' }, '2026-05-01T00:00:00Z/2026-09-30T23:59:59.999Z'],
    [{ fromDate: '2026-05-01', toDate: '2026-05-01' }, '2026-05-01T00:00:00Z/2026-05-01T23:59:59.999Z'],
    [{ fromDate: '2026-05-01' }, '2026-05-01T00:00:00Z..'],
    [{ toDate: '2026-09-30' }, '..2026-09-30T23:59:59.999Z'],
  ])('takes whole days in UTC: %j', (dates, datetime) => {
    expect(ask(dates).datetime).toBe(datetime);
  });

  it('sends a drawn area as it was drawn', () => {
    const query = ask(
      { area: { kind: 'shape', origin: 'polygon', name: null, geometry: polygon } },
      { view: [0, 0, 1, 1] },
    );
    expect(query.intersects).toEqual(polygon);
    expect(query.bbox).toBeUndefined();
  });

  it('sends the view as a box, to the metre', () => {
    expect(ask({ area: { kind: 'view' } }, { view: [-5.123456789, 41, 10, 51] }).bbox).toEqual([
      -5.12346, 41, 10, 51,
    ]);
  });

  it('splits a view across the antimeridian in two', () => {
    const query = ask({ area: { kind: 'view' } }, { view: [170, -20, -170, 0] });
    expect(query.bbox).toBeUndefined();
    expect(query.intersects).toMatchObject({ type: 'MultiPolygon' });
    const [west, east] = (query.intersects as { coordinates: number[][][][] }).coordinates;
    expect(west?.[0]).toContainEqual([180, 0]);
    expect(east?.[0]).toContainEqual([-180, 0]);
  });

  it('asks everywhere when the view is wanted before there is a map', () => {
    expect(ask({ area: { kind: 'view' } })).toEqual({ limit: pageSize });
  });

  it('limits cloud cover only when that is switched on', () => {
    expect(ask({ maxCloudCover: 12 }).query).toBeUndefined();
    expect(ask({ maxCloudCover: 12, isCloudLimited: true }).query).toEqual({ 'eo:cloud_cover': { lte: 12 } });
  });

  it('orders by cloud cover as POST writes it', () => {
    expect(ask({ order: 'least-cloud' }).sortby).toEqual([
      { field: 'properties.eo:cloud_cover', direction: 'asc' },
    ]);
  });

  it('leaves cloud cover out altogether where no chosen collection has it', () => {
    const query = ask({ isCloudLimited: true, order: 'least-cloud' }, { hasCloudCover: false });
    expect(query).toEqual({ limit: pageSize });
  });
});
