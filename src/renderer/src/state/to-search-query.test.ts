import { describe, expect, it } from 'vitest';
import { parseSearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { emptyDraft, type SearchDraft } from './search-draft.ts';
import { toLocalFilter, toSearchQuery } from './to-search-query.ts';

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

function ask(change: Partial<SearchDraft>, view: Bbox | null = null) {
  const query = toSearchQuery({ ...emptyDraft, ...change }, { view });
  // Whatever a draft becomes has to pass the check that the program makes of it.
  expect(parseSearchQuery(query)).toEqual(query);
  return query;
}

describe('toSearchQuery', () => {
  it('asks for everything, a page at a time, when nothing was chosen', () => {
    expect(ask({})).toEqual({ limit: 100 });
  });

  it('names the chosen collections', () => {
    expect(ask({ collectionIds: ['a', 'b'] }).collections).toEqual(['a', 'b']);
  });

  it.each([
    [{ from: '2026-05-01', to: '2026-09-30' }, '2026-05-01T00:00:00Z/2026-09-30T23:59:59.999Z'],
    [{ from: '2026-05-01', to: '2026-05-01' }, '2026-05-01T00:00:00Z/2026-05-01T23:59:59.999Z'],
    [{ from: '2026-05-01', to: '' }, '2026-05-01T00:00:00Z..'],
    [{ from: '', to: '2026-09-30' }, '..2026-09-30T23:59:59.999Z'],
  ])('takes whole days in UTC: %j', (dates, datetime) => {
    expect(ask({ time: { kind: 'span', ...dates } }).datetime).toBe(datetime);
  });

  it('sends a drawn area as it was drawn', () => {
    const query = ask(
      { area: { kind: 'shape', origin: 'polygon', name: null, geometry: polygon } },
      [0, 0, 1, 1],
    );
    expect(query.intersects).toEqual(polygon);
    expect(query.bbox).toBeUndefined();
  });

  it('sends the view as a box, to the metre', () => {
    expect(ask({ area: { kind: 'view' } }, [-5.123456789, 41, 10, 51]).bbox).toEqual([-5.12346, 41, 10, 51]);
  });

  it('splits a view across the antimeridian in two', () => {
    const query = ask({ area: { kind: 'view' } }, [170, -20, -170, 0]);
    expect(query.bbox).toBeUndefined();
    expect(query.intersects).toMatchObject({ type: 'MultiPolygon' });
    const [west, east] = (query.intersects as { coordinates: number[][][][] }).coordinates;
    expect(west?.[0]).toContainEqual([180, 0]);
    expect(east?.[0]).toContainEqual([-180, 0]);
  });

  it('asks everywhere when the view is wanted before there is a map', () => {
    expect(ask({ area: { kind: 'view' } })).toEqual({ limit: 100 });
  });

  it('limits cloud cover only when that is switched on, with an operator that the service documents', () => {
    const cloud = { isLimited: false, below: 12, includesUnknown: false };
    expect(ask({ cloud }).query).toBeUndefined();
    expect(ask({ cloud: { ...cloud, isLimited: true } }).query).toEqual({ 'eo:cloud_cover': { lt: 12 } });
  });

  it('leaves the limit out of the request where items of unknown cloud cover are wanted, and applies it here', () => {
    const cloud = { isLimited: true, below: 12, includesUnknown: true };
    expect(ask({ cloud }).query).toBeUndefined();
    expect(toLocalFilter({ ...emptyDraft, cloud })).toEqual({ cloudCoverBelow: 12 });
  });

  it('asks for properties with all their tests, and not for those of which nothing is asked', () => {
    const conditions = [
      { property: 'view:sun_elevation', tests: { gt: 30, lt: 60 } },
      { property: 'eda:ag_cloud_mask_available', tests: { eq: true } },
      { property: 'gsd', tests: {} },
    ];
    expect(ask({ conditions }).query).toEqual({
      'view:sun_elevation': { gt: 30, lt: 60 },
      'eda:ag_cloud_mask_available': { eq: true },
    });
  });

  it('sends order, ids, fields and page size as they are', () => {
    const order = [{ field: 'properties.eo:cloud_cover', direction: 'asc' as const }];
    const fields = { kind: 'custom' as const, exclude: ['links'] };
    expect(ask({ order, fields, ids: ['x'], pageSize: null })).toEqual({
      ids: ['x'],
      sortby: order,
      fields: { exclude: ['links'] },
    });
  });

  it('asks light items for what the list shows and the question is about', () => {
    const conditions = [{ property: 'gsd', tests: { lt: 20 } }];
    const { fields } = ask({ conditions, fields: { kind: 'light', properties: [] } });
    expect(fields?.include).toEqual(
      expect.arrayContaining(['id', 'collection', 'geometry', 'properties.datetime', 'properties.gsd']),
    );
  });
});
