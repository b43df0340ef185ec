import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import type { Library, LibraryPage, PagePosition } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import { anItem, box } from './testing/small-items.ts';

const numberType = { type: 'number' };
const optical = {
  'eo:cloud_cover': numberType,
  'view:sun_elevation': numberType,
  platform: { type: 'string' },
  ready: { type: 'boolean' },
};
const radar = { 'sat:orbit_state': { type: 'string' }, platform: { type: 'string' } };

let folder: string;
let library: Library;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-engine-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  await library.saveQueryables(['optical'], { properties: optical }, 0);
  await library.saveQueryables(['radar'], { properties: radar }, 0);
});

afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ids(query: SearchQuery): Promise<string[]> {
  return (await library.engine.search(query, { limit: 1000 })).items.map(({ item }) => item.id);
}

describe('order', () => {
  it('is datetime descending, then id ascending, and items without a time come last', async () => {
    await library.saveItems(
      [
        anItem('b', {}, { datetime: '2026-03-01T00:00:00.000002Z' }),
        anItem('c', {}, { datetime: '2026-03-01T00:00:00.000001Z' }),
        anItem('a', {}, { datetime: '2026-03-01T00:00:00.000001Z' }),
        anItem('z', {}, { datetime: null }),
        anItem(
          'span',
          {},
          { datetime: null, start_datetime: '2026-04-01T00:00:00Z', end_datetime: '2026-04-30T00:00:00Z' },
        ),
      ],
      0,
    );
    expect(await ids({})).toEqual(['span', 'b', 'a', 'c', 'z']);
  });

  it('loses none of the items of any year, paged through in both directions', async () => {
    const years = ['9999', '2020', '1684', '1582', '0001', null];
    const items = Array.from({ length: 60 }, (_, n) => {
      const year = years[n % years.length] ?? null;
      return anItem(`i${String(n).padStart(2, '0')}`, {}, { datetime: year && `${year}-01-01T00:00:00Z` });
    });
    await library.saveItems(items, 0);
    // What has no time is before all.
    const sortKey = (one: IdentifiedItem) => timeOf(one).replace('null', '');
    const newest = items.toSorted((a, b) => compare(sortKey(b), sortKey(a))).map(({ item }) => item.id);
    const oldest = items.toSorted((a, b) => compare(sortKey(a), sortKey(b))).map(({ item }) => item.id);
    const asc: SearchQuery = { sortby: [{ field: 'properties.datetime', direction: 'asc' }] };
    for (const isCaughtUp of [false, true]) {
      if (isCaughtUp) await library.catchUp();
      expect(await pagesOf({}, { limit: 7 })).toEqual(newest);
      expect(await pagesOf(asc, { limit: 7 })).toEqual(oldest);
    }
  });

  it('by cloud cover leaves out items that have none', async () => {
    await library.saveItems(
      [
        anItem('half', {}, { 'eo:cloud_cover': 50 }),
        anItem('none'),
        anItem('clear', {}, { 'eo:cloud_cover': 0 }),
        anItem('null', {}, { 'eo:cloud_cover': null }),
      ],
      0,
    );
    expect(await ids({ sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }] })).toEqual([
      'clear',
      'half',
    ]);
    expect(await ids({ sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] })).toEqual([
      'half',
      'clear',
    ]);
  });

  it('refuses a field it does not know', async () => {
    await expect(ids({ sortby: [{ field: 'platform', direction: 'asc' }] })).rejects.toEqual(
      expect.objectContaining({ code: 'stac.query-rejected' }),
    );
  });
});

describe('pages', () => {
  it('give every item once although newer ones arrive between them', async () => {
    await library.saveItems(
      Array.from({ length: 25 }, (_, n) =>
        anItem(`item-${n}`, {}, { datetime: `2026-01-${String((n % 9) + 1).padStart(2, '0')}T00:00:00Z` }),
      ),
      0,
    );
    const seen: string[] = [];
    let page = await library.engine.search({}, { limit: 7 });
    seen.push(...page.items.map(({ item }) => item.id));
    await library.saveItems([anItem('late', {}, { datetime: '2026-12-01T00:00:00Z' })], 0);
    while (page.next) {
      page = await library.engine.search({}, { limit: 7, after: page.next });
      seen.push(...page.items.map(({ item }) => item.id));
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  });

  it('offer no next page after exactly the last item', async () => {
    await library.saveItems([anItem('a'), anItem('b')], 0);
    expect((await library.engine.search({}, { limit: 2 })).next).toBeNull();
    expect((await library.engine.search({}, { limit: 1 })).next).toMatchObject({ itemId: 'a' });
  });
});

describe('datetime', () => {
  it('includes both ends, and matches a span where an item has no instant', async () => {
    await library.saveItems(
      [
        anItem('instant', {}, { datetime: '2026-06-15T12:00:00Z' }),
        anItem(
          'june',
          {},
          { datetime: null, start_datetime: '2026-06-01T00:00:00Z', end_datetime: '2026-06-30T23:59:59Z' },
        ),
      ],
      0,
    );
    expect(await ids({ datetime: '2026-06-15T12:00:00Z' })).toEqual(['instant', 'june']);
    expect(await ids({ datetime: '2026-06-15T12:00:00.000001Z..' })).toEqual(['june']);
    expect(await ids({ datetime: '..2026-05-31T23:59:59Z' })).toEqual([]);
    expect(await ids({ datetime: '../2026-06-15T14:00:00+02:00' })).toEqual(['instant', 'june']);
  });
});

describe('query', () => {
  beforeEach(async () => {
    await library.saveItems(
      [
        anItem('clear', {}, { 'eo:cloud_cover': 5, 'view:sun_elevation': 50, platform: 'one', ready: true }),
        anItem('cloudy', {}, { 'eo:cloud_cover': 80, 'view:sun_elevation': 50, ready: false }),
        anItem('dark', {}, { 'eo:cloud_cover': 5, 'view:sun_elevation': 10 }),
        anItem('unknown', {}, { 'eo:cloud_cover': null, 'view:sun_elevation': 50 }),
        anItem('radar', { collection: 'radar' }, { platform: 'one' }),
      ],
      0,
    );
  });

  it('combines every property and operator with AND', async () => {
    expect(
      await ids({ query: { 'eo:cloud_cover': { gt: 1, lt: 10 }, 'view:sun_elevation': { gt: 30 } } }),
    ).toEqual(['clear']);
    expect(await ids({ query: { ready: { eq: true } } })).toEqual(['clear']);
  });

  it('gives no items of a collection that lacks the property, without an error', async () => {
    expect(await ids({ collections: ['optical', 'radar'], query: { platform: { eq: 'one' } } })).toEqual([
      'clear',
      'radar',
    ]);
    expect(await ids({ collections: ['radar'], query: { 'eo:cloud_cover': { lt: 10 } } })).toEqual([]);
    expect(await ids({ query: { platform: { eq: 'one' }, 'eo:cloud_cover': { lt: 10 } } })).toEqual([
      'clear',
    ]);
  });

  it.each<SearchQuery>([
    { collections: ['radar'] },
    { collections: ['radar'], sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
    { collections: ['radar'], ids: ['radar'] },
    { collections: ['radar'], bbox: [-180, -90, 180, 90] },
    { collections: ['nowhere'] },
  ])('has an empty answer for %j with a property that none of them has', async (query) => {
    const asked = { ...query, query: { 'eo:cloud_cover': { lt: 200 } } };
    expect([await ids(asked), await library.engine.count(asked, { maxCandidates: 10 })]).toEqual([[], 0]);
  });

  it.each<[string, SearchQuery['query']]>([
    ['contains on a string', { platform: { contains: 'on' } }],
    ['less than on a string', { platform: { lt: 'z' } }],
    ['a text for a number', { 'eo:cloud_cover': { lt: '10' } }],
    ['greater than on a boolean', { ready: { gt: true } }],
    ['an unknown operator', { 'eo:cloud_cover': { between: 3 } }],
  ])('refuses %s', async (_name, query) => {
    await expect(ids({ query: query ?? {} })).rejects.toEqual(
      expect.objectContaining({ code: 'stac.query-rejected' }),
    );
  });
});

describe('collections and ids', () => {
  it('are OR-ed within and AND-ed between', async () => {
    await library.saveItems([anItem('a'), anItem('b'), anItem('a', { collection: 'radar' })], 0);
    expect(await ids({ ids: ['a', 'b'] })).toEqual(['a', 'a', 'b']);
    expect(await ids({ ids: ['a', 'b'], collections: ['optical'] })).toEqual(['a', 'b']);
    expect(await ids({ collections: ['nowhere'] })).toEqual([]);
  });
});

describe('a search that has to look at many items', () => {
  const rare: SearchQuery = { query: { platform: { eq: 'rare' } } };

  beforeEach(async () => {
    const many = Array.from({ length: 900 }, (_, n) => anItem(`many-${n}`, {}, { platform: 'common' }));
    await library.saveItems([...many, anItem('z-rare', {}, { platform: 'rare' })], 0);
  });

  it('lets others have their turn, and the library be written to, while it looks', async () => {
    // More than any machine looks at within a slice of some milliseconds.
    const more = Array.from({ length: 12_000 }, (_, n) => anItem(`more-${n}`, {}, { platform: 'common' }));
    await library.saveItems(more, 0);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
      void library.saveItems([anItem(`late-${turns}`)], 0);
    });
    const found = await library.engine.search(rare, { limit: 10 });
    clearInterval(timer);
    expect(found.items.map(({ item }) => item.id)).toEqual(['z-rare']);
    expect(turns).toBeGreaterThan(0);
  });

  it('counts up to a number of candidates, and says nothing beyond it', async () => {
    expect(await library.engine.count(rare, { maxCandidates: 901 })).toBe(1);
    expect(await library.engine.count(rare, { maxCandidates: 900 })).toBeNull();
  });

  it('ends when it is no longer wanted', async () => {
    const abort = new AbortController();
    const searching = library.engine.search(rare, { limit: 10, signal: abort.signal });
    abort.abort();
    await expect(searching).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('pages through what lies far behind in the order, and ties, as sorting all of them would', async () => {
  // Three blocks of columns. The newest two thirds don't match; of the others many have the same time.
  const count = 18_000;
  const dayOf = (n: number) => 1 + ((n * 7919) % 18);
  const items = Array.from({ length: count }, (_, n) => {
    const datetime = new Date(Date.UTC(2026, 0, dayOf(n))).toISOString();
    const platform = dayOf(n) <= 6 ? 'old' : 'new';
    return anItem(`${(n * 4801) % count}`, {}, { datetime, platform, 'eo:cloud_cover': (n * 31) % 50 });
  });
  await library.saveItems(items, 0);
  await library.catchUp();
  const old = items.filter(({ item }) => propertiesOf(item)['platform'] === 'old');
  const query: SearchQuery = { query: { platform: { eq: 'old' } } };

  const byTime = old.toSorted((a, b) => compare(timeOf(b), timeOf(a)) || compare(a.item.id, b.item.id));
  expect(await pagesOf(query, { limit: 150, mostPages: 3 })).toEqual(
    byTime.slice(0, 450).map(({ item }) => item.id),
  );

  const byCloud = old.toSorted((a, b) => cloudOf(a) - cloudOf(b) || compare(a.item.id, b.item.id));
  const clear: SearchQuery = { ...query, sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] };
  expect(await pagesOf(clear, { limit: 150, mostPages: 3 })).toEqual(
    byCloud.slice(0, 450).map(({ item }) => item.id),
  );
});

const timeOf = ({ item }: IdentifiedItem) => String(propertiesOf(item)['datetime']);
const cloudOf = ({ item }: IdentifiedItem) => Number(propertiesOf(item)['eo:cloud_cover']);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

async function pagesOf(
  query: SearchQuery,
  { limit, mostPages = 20 }: { limit: number; mostPages?: number },
): Promise<string[]> {
  const found: string[] = [];
  let after: PagePosition | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { items, next }: LibraryPage = await library.engine.search(query, { limit, after });
    found.push(...items.map(({ item }) => item.id));
    after = next;
    if (!after) break;
  }
  return found;
}

describe('a footprint of collections within collections', () => {
  const square = (west: number) => ({ type: 'Polygon', coordinates: [box([west, 0, west + 1, 1])] });
  const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries });
  const nested = collection(collection(collection(square(10)), square(20)), square(30));

  it.each([
    ['without a box', {}],
    ['with one', { bbox: [10, 0, 31, 1] }],
  ])('is met where one of its members is, %s', async (_, place) => {
    await library.saveItems([anItem('nested', { bbox: undefined, geometry: nested, ...place })], 0);
    for (const isCaughtUp of [false, true]) {
      if (isCaughtUp) await library.catchUp();
      for (const at of [10, 20, 30]) {
        const area = { type: 'Point' as const, coordinates: [at + 0.5, 0.5] };
        expect(await ids({ intersects: area })).toEqual(['nested']);
        expect(await ids({ bbox: [at, 0, at + 0.5, 0.5] })).toEqual(['nested']);
      }
      expect(await ids({ intersects: { type: 'Point', coordinates: [15, 0.5] } })).toEqual([]);
    }
  });
});
