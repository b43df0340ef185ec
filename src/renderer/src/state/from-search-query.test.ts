import { describe, expect, it } from 'vitest';
import { parseSearchQuery, type SearchQuery } from '#shared/search/search-query.ts';
import { createRandom } from '#shared/testing/seeded-random.ts';
import { emptyDraft } from './search-draft.ts';
import { fromSearchQuery } from './from-search-query.ts';
import { toLocalFilter, toSearchQuery } from './to-search-query.ts';

function createMaker(seed: number) {
  const random = createRandom(seed);
  const pick = <Value>(...values: Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const list = <Value>(make: () => Value): Value[] => Array.from({ length: pick(0, 1, 1, 2, 3) }, make);
  const maybe = <Value>(name: string, make: () => Value) => (random() < 0.5 ? { [name]: make() } : {});
  const moment = () =>
    pick(
      '2026-05-01T00:00:00Z',
      '2026-05-01T23:59:59.999Z',
      '2026-05-01t10:20:30.123456z',
      '2026-05-01T00:00:00+02:00',
      '2026-05-02T23:59:59.999Z',
    );
  const property = () =>
    pick('eo:cloud_cover', 'view:sun_elevation', 'eda:mask', 'platform', '__proto__x', 'a.b');
  const operand = () => pick<unknown>(0, 30, 100, 101, -1, 12.5, true, 'a', '', null, ['a', 'b'], [1, 2]);
  const tests = () =>
    Object.fromEntries(list(() => [pick('lt', 'gt', 'eq', 'lte', 'contains', 'x'), operand()]));
  const longitude = () => Math.round(random() * 3600 - 1800) / 10;
  const datetime = () => {
    const [a, b] = [moment(), moment()];
    return pick(
      a,
      `${a}/${b}`,
      `${a}/${a}`,
      `${a}..`,
      `..${a}`,
      `${a}/..`,
      `../${a}`,
      `${a}/`,
      `/${a}`,
      ` ${a} `,
    );
  };
  const place = () => {
    const [west = 0, east = 0] = [longitude(), longitude()].sort((one, other) => one - other);
    const ring = [
      [west, 1],
      [east, 1],
      [east, 2],
      [west, 1],
    ];
    return pick<object>(
      {},
      { bbox: [west, -10, east, 10] },
      { bbox: [west, -10, 0, east, 10, 500] },
      { intersects: { type: 'Polygon', coordinates: [ring], extra: 1 } },
      { intersects: { type: 'MultiPolygon', coordinates: [[ring], [ring]] } },
      { intersects: { type: 'Point', coordinates: [west, 1] } },
      { intersects: { type: 'GeometryCollection', geometries: [] } },
    );
  };
  const path = () => pick('id', 'links', 'properties.datetime', 'assets.B02.jp2', 'geometry');
  return (): unknown => ({
    ...maybe('collections', () => list(() => pick('a', 'earth:carbon:v2.1', 'with,comma'))),
    ...maybe('ids', () => list(() => pick('x', 'y y'))),
    ...maybe('datetime', datetime),
    ...place(),
    ...maybe('query', () => Object.fromEntries(list(() => [property(), tests()]))),
    ...maybe('fields', () => ({
      ...maybe('include', () => list(path)),
      ...maybe('exclude', () => list(path)),
    })),
    ...maybe('sortby', () =>
      list(() => ({
        field: pick('properties.eo:cloud_cover', 'datetime', 'id'),
        direction: pick('asc', 'desc'),
      })),
    ),
    ...maybe('limit', () => pick(1, 100, 10_000)),
  });
}

function again(query: SearchQuery): SearchQuery {
  return toSearchQuery(fromSearchQuery(query), { view: [0, 0, 1, 1] });
}

describe('a question and its draft', () => {
  it('say the same, for any question that can be asked', () => {
    const make = createMaker(7);
    let count = 0;
    for (let turn = 0; turn < 5000; turn += 1) {
      let query: SearchQuery;
      try {
        query = parseSearchQuery(make());
      } catch {
        continue;
      }
      count += 1;
      expect(again(query)).toEqual(query);
    }
    expect(count).toBeGreaterThan(3500);
  });

  it('say the same with a light choice of fields', () => {
    const draft = {
      ...emptyDraft,
      fields: { kind: 'light' as const, properties: ['gsd'] },
      conditions: [{ property: 'view:sun_elevation', tests: { gt: 30 } }],
    };
    const query = toSearchQuery(draft, { view: null });
    expect(query.fields?.include).toEqual(
      expect.arrayContaining(['id', 'geometry', 'properties.gsd', 'properties.view:sun_elevation']),
    );
    const read = fromSearchQuery(query);
    expect(read.fields.kind).toBe('light');
    expect(toSearchQuery(read, { view: null })).toEqual(query);
    // A condition that goes takes its property with it only if nobody chose it.
    expect(toSearchQuery({ ...read, conditions: [] }, { view: null }).fields?.include).toContain(
      'properties.gsd',
    );
  });

  it('splits a box over the antimeridian, which servers read the other way round', () => {
    const split = again({ bbox: [170, -20, -170, 0] });
    expect(split).toMatchObject({ intersects: { type: 'MultiPolygon' } });
    expect(again(split)).toEqual(split);
  });

  it('brings the limit of cloud cover back to its control, whether the service applies it or Swath', () => {
    const asked = fromSearchQuery({ query: { 'eo:cloud_cover': { lt: 12, gt: 2 } } });
    expect(asked.cloud).toEqual({ isLimited: true, below: 12, includesUnknown: false });
    expect(asked.conditions).toEqual([{ property: 'eo:cloud_cover', tests: { gt: 2 } }]);
    const here = fromSearchQuery({}, { localFilter: { cloudCoverBelow: 12 }, maxItems: 50 });
    expect(toSearchQuery(here, { view: null })).toEqual({});
    expect(toLocalFilter(here)).toEqual({ cloudCoverBelow: 12 });
    expect(here.maxItems).toBe(50);
  });

  it.each([
    ['2026-05-01T00:00:00Z/2026-09-30T23:59:59.999Z', { kind: 'span', from: '2026-05-01', to: '2026-09-30' }],
    ['2026-05-01T10:00:00Z..', { kind: 'span', from: '2026-05-01T10:00:00Z', to: '' }],
    ['..2026-05-01T23:59:59.999Z', { kind: 'span', from: '', to: '2026-05-01' }],
    ['2026-05-01T10:00:00Z', { kind: 'exact', at: '2026-05-01T10:00:00Z' }],
    ['2026-05-01T10:00:00Z/..', { kind: 'written', datetime: '2026-05-01T10:00:00Z/..' }],
  ])('reads the time %s as a person would say it', (datetime, time) => {
    expect(fromSearchQuery({ datetime }).time).toEqual(time);
  });

  it('keeps the name and the kind of an area that is still the same', () => {
    const area = { kind: 'box' as const, bbox: [1, 2, 3, 4] as const, name: 'Field' };
    const before = { draft: { ...emptyDraft, area }, view: null };
    expect(fromSearchQuery({ bbox: [1, 2, 3, 4] }, { before }).area).toBe(area);
    expect(fromSearchQuery({ bbox: [1, 2, 3, 5] }, { before }).area).toEqual({
      kind: 'box',
      bbox: [1, 2, 3, 5],
    });
  });
});
