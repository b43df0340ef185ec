import { describe, expect, it } from 'vitest';
import type { TestItem } from './testing/open-window.ts';
import { clouded, openWindow, pagesOf } from './testing/open-window.ts';

async function openOn(pages: readonly (readonly (string | TestItem)[])[]) {
  const window = await openWindow(pagesOf(pages));
  const readRecords = () =>
    window.readFile<{ is_complete: number }>('library-', 'SELECT is_complete FROM search');
  /** What is in the library once the program has ended. */
  const recordsAtEnd = async () => {
    await window.restart();
    return readRecords().map(({ is_complete }) => is_complete);
  };
  return Object.assign(window, { recordsAtEnd });
}

const idsOf = ({ rows }: { rows: { itemId: string }[] }) => rows.map(({ itemId }) => itemId);

describe('the record of a search', () => {
  it('is that of an unfinished one while pages are to come', async () => {
    const { client, recordsAtEnd } = await openOn([['a', 'b'], ['c']]);
    expect(await client.search.run({ query: {} })).toMatchObject({ hasMore: true });
    expect(await recordsAtEnd()).toEqual([0]);
  });

  it('takes a search for complete when the page that was announced is empty', async () => {
    const { client, recordsAtEnd } = await openOn([['a', 'b'], []]);
    const first = await client.search.run({ query: {} });
    const second = await client.search.more({ searchId: first.searchId });
    expect(second).toMatchObject({ rows: [], hasMore: false, isIncomplete: false });
    expect(await recordsAtEnd()).toEqual([1]);
  });

  it('says that items may be missing when the pages lead in a circle', async () => {
    const { client, recordsAtEnd } = await openOn([['a'], ['a'], ['b']]);
    const first = await client.search.run({ query: {} });
    const second = await client.search.more({ searchId: first.searchId });
    expect(second).toMatchObject({ rows: [], hasMore: false, isIncomplete: true });
    expect(await recordsAtEnd()).toEqual([0]);
  });

  it('has everything that was shown when the program ended right after showing it', async () => {
    const ids = (name: string) => Array.from({ length: 120 }, (_, number) => `${name}${String(number)}`);
    const { client, restart, readFile } = await openOn([ids('a'), ids('b')]);
    const { searchId } = await client.search.run({ query: {} });
    await client.search.more({ searchId });
    await restart();
    const sql = 'SELECT id FROM search_item JOIN item ON pk = item_pk ORDER BY position';
    const kept = readFile<{ id: string }>('library-', sql);
    expect(kept.map(({ id }) => id)).toEqual([...ids('a'), ...ids('b')]);
  });
});

describe('a filter that the service can’t apply', () => {
  const localFilter = { cloudCoverBelow: 20 };

  it('leaves out what has as much cloud or more, and nothing of unknown cloud cover', async () => {
    const { client } = await openOn([
      [clouded('clear', 3), clouded('at', 20), clouded('null', null), 'none', clouded('above', 80)],
    ]);
    const page = await client.search.run({ query: {}, localFilter });
    expect([idsOf(page), page.leftOutCount]).toEqual([['clear', 'null', 'none'], 2]);
  });

  it('goes on after a page of which nothing is left', async () => {
    const { client } = await openOn([
      [clouded('a', 90)],
      [clouded('b', 90), clouded('c', 95)],
      [clouded('d', 1)],
    ]);
    const first = await client.search.run({ query: {}, localFilter });
    expect(first).toMatchObject({ rows: [], leftOutCount: 1, hasMore: true });
    const { searchId } = first;
    expect(await client.search.more({ searchId })).toMatchObject({
      rows: [],
      leftOutCount: 2,
      hasMore: true,
    });
    const last = await client.search.more({ searchId });
    expect([idsOf(last), last.hasMore]).toEqual([['d'], false]);
  });

  it('ends when the catalog repeats for ever what is left out', async () => {
    const { client } = await openOn([[clouded('a', 90)], [clouded('a', 90)], [clouded('a', 90)]]);
    const { searchId } = await client.search.run({ query: {}, localFilter });
    expect(await client.search.more({ searchId })).toMatchObject({ hasMore: false, isIncomplete: true });
  });

  it('keeps what it leaves out, and tells the two apart in the history', async () => {
    const { client } = await openOn([[clouded('clear', 3), clouded('cloudy', 90)]]);
    await client.search.run({ query: {}, localFilter });
    await client.search.run({ query: {} });
    expect(await client.item.kept({ collectionId: 'c', itemId: 'cloudy' })).not.toBeNull();
    const { searches } = await client.saved.history({});
    expect(searches).toMatchObject([
      { outline: { localFilter: null }, count: 2, isComplete: true },
      { outline: { localFilter }, count: 1, isComplete: true },
    ]);
  });
});

describe('answers out of order', () => {
  it('never mix', async () => {
    const slow = Promise.withResolvers<null>();
    const { client } = await openWindow(async ({ body }) => {
      const { ids = [] } = JSON.parse(body) as { ids?: string[] };
      if (ids[0] === 'slow') await slow.promise;
      return { body: { type: 'FeatureCollection', features: [{ id: ids[0], collection: 'c' }], links: [] } };
    });
    const older = client.search.run({ query: { ids: ['slow'] } });
    const newer = await client.search.run({ query: { ids: ['quick'] } });
    slow.resolve(null);
    expect([idsOf(newer), idsOf(await older)]).toEqual([['quick'], ['slow']]);
  });

  it('stops the request of a search that was cancelled', async () => {
    const arrived = Promise.withResolvers<null>();
    const closed = Promise.withResolvers<null>();
    const { client } = await openWindow((_request, response) => {
      response.on('close', () => closed.resolve(null));
      arrived.resolve(null);
      return null;
    });
    const abort = new AbortController();
    const search = client.search.run({ query: {} }, { signal: abort.signal });
    await arrived.promise;
    abort.abort();
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
    await closed.promise;
  });

  it('gives a page again that was cancelled on its way', async () => {
    const { client } = await openOn([['a', 'b'], ['c'], ['d']]);
    const { searchId } = await client.search.run({ query: {} });
    await client.search.more({ searchId, afterRows: 2 });
    // The caller never got it.
    expect(idsOf(await client.search.more({ searchId, afterRows: 2 }))).toEqual(['c']);
    expect(idsOf(await client.search.more({ searchId, afterRows: 3 }))).toEqual(['d']);
  });
});

describe('partial items', () => {
  const whole = {
    id: 'a',
    stac_version: '1.0.0',
    geometry: null,
    bbox: null,
    properties: { datetime: '2026-05-01T00:00:00Z', platform: 'x' },
    assets: { visual: { href: 'https://a.example/v.tif' } },
    links: [],
  };
  const light = { id: 'a', properties: { datetime: '2026-05-01T00:00:00Z' } };
  const fields = { include: ['id', 'collection', 'properties.datetime'] };

  /** A catalog that knows `fields`, or takes no notice of them. */
  const openCatalog = (knowsFields: boolean) =>
    openWindow(({ body }) => {
      const isLight = knowsFields && 'fields' in (JSON.parse(body) as object);
      const features = [{ type: 'Feature', collection: 'c', ...(isLight ? light : whole) }];
      return { body: { type: 'FeatureCollection', features, links: [] } };
    });
  const ref = { collectionId: 'c', itemId: 'a' };

  it('are kept and marked, and give way to whole ones', async () => {
    const { client } = await openCatalog(true);
    expect((await client.search.run({ query: { fields } })).rows).toMatchObject([{ isPartial: true }]);
    expect((await client.item.kept(ref))?.row.isPartial).toBe(true);
    await client.search.run({ query: {} });
    expect(await client.item.kept(ref)).toMatchObject({ row: { isPartial: false, platform: 'x' } });
  });

  it('never take a whole one’s place', async () => {
    const { client } = await openCatalog(true);
    await client.search.run({ query: {} });
    await client.search.run({ query: { fields } });
    expect(await client.item.kept(ref)).toMatchObject({ row: { isPartial: false, assetCount: 1 } });
  });

  it('are whole when the catalog takes no notice of the fields', async () => {
    const { client } = await openCatalog(false);
    expect((await client.search.run({ query: { fields } })).rows).toMatchObject([{ isPartial: false }]);
  });
});

describe('columns', () => {
  it('give every property of all rows so far, in their order', async () => {
    const { client } = await openOn([
      [
        { id: 'a', properties: { orbit: 12, platform: 's2a', created: '2026-01-01T00:00:00Z' } },
        { id: 'cloudy', properties: { orbit: 13, 'eo:cloud_cover': 99 } },
      ],
      [{ id: 'b', properties: { orbit: 14, created: '2026-01-02T00:00:00Z', calibrated: true } }],
    ]);
    const { searchId } = await client.search.run({ query: {}, localFilter: { cloudCoverBelow: 50 } });
    await client.search.more({ searchId });
    const { columns, rowCount, coveredCount } = await client.search.columns({ searchId });
    expect([rowCount, coveredCount]).toEqual([2, 2]);
    expect(columns).toEqual([
      { name: 'orbit', kind: 'number', presentCount: 2 },
      { name: 'platform', kind: 'text', presentCount: 1 },
      { name: 'created', kind: 'time', presentCount: 2 },
      { name: 'calibrated', kind: 'boolean', presentCount: 1 },
    ]);
    const read = async (name: string) => (await client.search.column({ searchId, name })).values;
    expect(await read('orbit')).toEqual([12, 14]);
    expect(await read('platform')).toEqual(['s2a', null]);
    expect(await read('calibrated')).toEqual([null, true]);
    expect(await read('unheard of')).toEqual([null, null]);
  });
});
