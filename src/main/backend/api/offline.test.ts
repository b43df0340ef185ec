import { describe, expect, it } from 'vitest';
import { noAssets } from '#shared/selection/asset-rule.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { makeFolder } from '../library/upkeep/testing/fill-library.ts';
import type { Clock } from '../ports.ts';
import { openWindow, pagesOf, type TestItem, type TestWindow } from './testing/open-window.ts';

const square = (west: number, south: number, size = 1) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});

function scene(id: string, properties: Record<string, unknown> = {}, west = 7): TestItem {
  return {
    id,
    stac_version: '1.0.0',
    geometry: square(west, 46),
    bbox: [west, 46, west + 1, 47],
    properties: { datetime: '2026-05-01T00:00:00Z', ...properties },
    assets: {},
    links: [],
  };
}

const idsOf = ({ rows }: { rows: { itemId: string }[] }) => rows.map(({ itemId }) => itemId);

function startClock(): Clock & { nowMs: number } {
  const clock = { nowMs: Date.parse('2026-11-18T14:02:00Z'), now: () => clock.nowMs };
  return clock;
}

/** The latest event of the stream, once it is as told. */
function reachability(window: TestWindow) {
  const seen: { isOffline: boolean; cause: string | null; libraryAsOf: string | null }[] = [];
  const stop = window.client.reachability.watch({}, { onEvent: (event) => seen.push(event) });
  return {
    becomes: (cause: string | null) => eventually(() => expect(seen.at(-1)?.cause).toBe(cause)),
    stop,
  };
}

describe('a catalog that can’t be reached', () => {
  it('is answered for by the library, with the conditions of the question', async () => {
    const clock = startClock();
    const window = await openWindow(
      pagesOf([
        [
          scene('wet', { platform: 'a' }),
          scene('dry', { platform: 'b' }),
          scene('far', { platform: 'b' }, 90),
        ],
      ]),
      { clock },
    );
    const online = await window.client.search.run({ query: {} });
    expect(online).toMatchObject({ origin: 'catalog', coverage: null });
    await window.cut();
    const intersects = square(7.2, 46.2, 0.1);
    const answer = await window.client.search.run({
      query: { query: { platform: { eq: 'b' } }, intersects },
    });
    expect([answer.origin, idsOf(answer), answer.matched]).toEqual(['library', ['dry'], 1]);
    expect(answer).toMatchObject({
      asOf: '2026-11-18T14:02:00.000Z',
      coverage: [{ collectionId: null, asOf: '2026-11-18T14:02:00.000Z' }],
      hasMore: false,
    });
    const { stop, becomes } = reachability(window);
    await becomes('unreachable');
    await window.putBack();
    await window.client.connection.retry({});
    await becomes(null);
    stop();
    expect(await window.client.search.run({ query: {} })).toMatchObject({ origin: 'catalog' });
  });

  it('says what is not known to be complete, and how old the oldest is', async () => {
    const clock = startClock();
    let pages = [[scene('a')], [scene('b')]];
    const window = await openWindow(
      pagesOf(() => pages),
      { clock },
    );
    await window.client.search.run({ query: { collections: ['c'] } });
    clock.nowMs += 3_600_000;
    pages = [[scene('x')]];
    await window.client.search.run({ query: { collections: ['c'], ids: ['x'] } });
    await window.cut();
    const answer = await window.client.search.run({ query: { collections: ['c'] }, from: 'library' });
    expect([idsOf(answer).sort(), answer.coverage]).toEqual([
      ['a', 'x'],
      [{ collectionId: 'c', asOf: null, outlinesAsOf: null }],
    ]);
    expect([answer.oldestAsOf, answer.asOf]).toEqual([
      '2026-11-18T14:02:00.000Z',
      '2026-11-18T15:02:00.000Z',
    ]);
  });

  it('knows of a box within a shape that was fetched that every footprint in it is here', async () => {
    const clock = startClock();
    const window = await openWindow(pagesOf([[scene('a')]]), { clock });
    await window.client.search.run({ query: { intersects: square(6, 45, 4) } });
    const coverageOf = async (bbox: [number, number, number, number]) =>
      (await window.client.search.run({ query: { bbox }, from: 'library' })).coverage;
    const part = { collectionId: null, asOf: null };
    expect(await coverageOf([7, 46, 8, 47])).toEqual([{ ...part, outlinesAsOf: '2026-11-18T14:02:00.000Z' }]);
    expect(await coverageOf([7, 46, 11, 47])).toEqual([{ ...part, outlinesAsOf: null }]);
  });

  it.each([
    ['gone on with', true],
    ['asked again', false],
  ])('knows a cut search to be complete once it was %s to its end', async (_name, isGoneOn) => {
    const window = await openWindow(pagesOf([[scene('a')], [scene('b')], [scene('c')]]));
    const query = { collections: ['c'] };
    const coverage = async () => (await window.client.search.run({ query, from: 'library' })).coverage;
    let { searchId } = await window.client.search.run({ query });
    await window.client.search.more({ searchId });
    expect(await coverage()).toEqual([{ collectionId: 'c', asOf: null, outlinesAsOf: null }]);
    if (!isGoneOn) {
      await window.restart();
      ({ searchId } = await window.client.search.run({ query }));
      await window.client.search.more({ searchId });
    }
    expect(await window.client.search.more({ searchId })).toMatchObject({ hasMore: false });
    await eventually(async () =>
      expect(await coverage()).toMatchObject([{ collectionId: 'c', asOf: expect.any(String) }]),
    );
    // What is asked within it is, too.
    const within = { collections: ['c'], bbox: [6, 45, 9, 48] as [number, number, number, number] };
    const answer = await window.client.search.run({ query: within, from: 'library' });
    expect([idsOf(answer).sort(), answer.coverage?.[0]?.asOf]).toEqual([['a', 'b', 'c'], expect.any(String)]);
  });

  it('goes on from the library in the middle of a search, with nothing twice', async () => {
    let pages = [[scene('a'), scene('b')], [scene('c')]];
    const window = await openWindow(pagesOf(() => pages));
    const whole = await window.client.search.run({ query: {} });
    await window.client.search.more({ searchId: whole.searchId });
    pages = [[scene('b')], []];
    const { searchId } = await window.client.search.run({ query: {} });
    await window.cut();
    await expect(window.client.search.more({ searchId, afterRows: 1 })).rejects.toMatchObject({
      code: 'network.offline',
    });
    const rest = await window.client.search.more({ searchId, afterRows: 1, fromLibrary: true });
    expect([rest.origin, idsOf(rest).sort(), rest.hasMore]).toEqual(['library', ['a', 'c'], false]);
  });

  it('is seen to be away by a download that asks it for a link', async () => {
    const assets = { B04: { href: 's3://bucket/B04.tif', type: 'image/tiff' } };
    const window = await openWindow(pagesOf([[{ ...scene('a'), assets }]]));
    const { client } = window;
    await client.search.run({ query: {} });
    await client.downloads.pauseQueue({});
    const ordered = Promise.withResolvers<undefined>();
    client.downloads.order(
      {
        refs: [{ collectionId: 'c', itemId: 'a' }],
        rule: { ...noAssets, keys: ['B04'] },
        destination: makeFolder(),
        links: 'auto',
        title: 'a',
        origin: { kind: 'item' },
        priority: 'normal',
      },
      {
        onEvent: ({ isQueued }) => {
          if (isQueued) ordered.resolve(undefined);
        },
        onError: ordered.reject,
      },
    );
    await ordered.promise;
    await window.cut();
    const { becomes } = reachability(window);
    await becomes(null);
    await client.downloads.resumeQueue({});
    await becomes('unreachable');
  });

  it('is said so where the library has nothing', async () => {
    const window = await openWindow(pagesOf([[]]));
    await eventually(() => expect(window.server.requests.length).toBeGreaterThan(0));
    await window.cut();
    await expect(window.client.search.run({ query: {} })).rejects.toMatchObject({ code: 'network.offline' });
  });

  it.each([401, 404, 500])('is none that answers with %d', async (status) => {
    const window = await openWindow(() => ({ status, body: {} }));
    const failure = window.client.search.run({ query: {} }).catch((thrown: unknown) => thrown);
    const abort = eventually(() => expect(window.searches().length).toBeGreaterThan(0));
    await abort;
    if (status !== 500) expect(String((await failure) as Error)).not.toContain('network');
    const { stop, becomes } = reachability(window);
    await becomes(null);
    stop();
  });

  it('says in words what the library can’t answer', async () => {
    const window = await openWindow(pagesOf([[scene('a')]]));
    await window.client.search.run({ query: {} });
    const query = { sortby: [{ field: 'properties.gsd', direction: 'asc' as const }] };
    await expect(window.client.search.run({ query, from: 'library' })).rejects.toMatchObject({
      code: 'library.question-unsupported',
    });
  });
});

describe('working offline', () => {
  it('lets no request out, and the catalog is asked again when it ends', async () => {
    const window = await openWindow(pagesOf([[scene('a')]]), {
      answerOther: () => ({ body: { collections: [{ id: 'c' }], links: [] } }),
    });
    const { client, server } = window;
    await client.search.run({ query: {} });
    await client.catalog.collections({});
    await client.settings.change({ isWorkingOffline: true });
    const { stop, becomes } = reachability(window);
    await becomes('switch');
    const before = server.requests.length;
    expect(await client.search.run({ query: {} })).toMatchObject({ origin: 'library' });
    await expect(client.search.run({ query: {}, from: 'catalog' })).rejects.toMatchObject({
      code: 'network.switched-off',
    });
    await client.connection.retry({});
    expect(await client.item.get({ collectionId: 'c', itemId: 'a' })).toMatchObject({ row: { itemId: 'a' } });
    await client.catalog.collections({});
    await expect(client.saved.check({ savedSearchId: 1 })).rejects.toThrow();
    expect(server.requests.length).toBe(before);
    await client.settings.change({ isWorkingOffline: false });
    await becomes(null);
    stop();
    expect(server.requests.length).toBeGreaterThan(before);
  });
});

describe('an item that the catalog no longer has', () => {
  it('is marked by a whole answer that lacks it, stays, and is back when it comes again', async () => {
    const clock = startClock();
    let pages = [[scene('a'), scene('b', { 'eo:cloud_cover': 10 })]];
    const window = await openWindow(
      pagesOf(() => pages),
      { clock },
    );
    await window.client.search.run({ query: { query: { 'eo:cloud_cover': { lt: 20 } } } });
    await window.client.search.run({ query: { bbox: [0, 0, 90, 90] } });
    clock.nowMs += 60_000;
    pages = [[scene('a')]];
    await window.client.search.run({ query: { collections: ['c'] } });
    await window.client.saved.history({});
    const goneAtOf = async () => {
      const { rows } = await window.client.search.run({ query: {}, from: 'library' });
      return Object.fromEntries(rows.map(({ itemId, goneAt }) => [itemId, goneAt ?? null]));
    };
    // Another collection’s question says nothing of all collections.
    expect(await goneAtOf()).toEqual({ a: null, b: null });
    clock.nowMs += 60_000;
    await window.client.search.run({ query: {} });
    await window.client.saved.history({});
    expect(await goneAtOf()).toEqual({ a: null, b: '2026-11-18T14:04:00.000Z' });
    const kept = await window.client.item.kept({ collectionId: 'c', itemId: 'b' });
    expect(kept?.row.goneAt).toBe('2026-11-18T14:04:00.000Z');
    clock.nowMs += 60_000;
    pages = [[scene('a'), scene('b')]];
    await window.client.search.run({ query: {} });
    expect(await goneAtOf()).toEqual({ a: null, b: null });
  });

  it('is not one that a cut answer lacks', async () => {
    let pages = [[scene('a'), scene('b')]];
    const window = await openWindow(pagesOf(() => pages));
    await window.client.search.run({ query: {} });
    pages = [[scene('a')], [scene('c')]];
    await window.client.search.run({ query: {} });
    const { rows } = await window.client.search.run({ query: {}, from: 'library' });
    expect(rows.filter(({ goneAt }) => goneAt)).toEqual([]);
  });

  it('is marked when it is opened and not there, and shown as it was', async () => {
    const clock = startClock();
    const window = await openWindow(pagesOf([[scene('a')]]), {
      clock,
      answerOther: ({ target }) =>
        target.includes('/items/') ? { status: 404, body: {} } : { body: { collections: [], links: [] } },
    });
    await window.client.search.run({ query: {} });
    clock.nowMs += 60_000;
    const opened = await window.client.item.get({ collectionId: 'c', itemId: 'a' });
    expect(opened).toMatchObject({
      row: { goneAt: '2026-11-18T14:03:00.000Z' },
      asOf: '2026-11-18T14:02:00.000Z',
    });
  });
});

describe('a past search', () => {
  it('opens as it was, in its order and with its filter, whatever came since', async () => {
    const clock = startClock();
    let pages = [[scene('b', { 'eo:cloud_cover': 5 }), scene('a', { 'eo:cloud_cover': 90 }), scene('c')]];
    const window = await openWindow(
      pagesOf(() => pages),
      { clock },
    );
    const localFilter = { cloudCoverBelow: 20 };
    await window.client.search.run({ query: {}, localFilter });
    const { searches } = await window.client.saved.history({});
    const [past] = searches;
    clock.nowMs += 3_600_000;
    pages = [[scene('z')]];
    await window.client.search.run({ query: {}, localFilter });
    const opened = await window.client.search.openPast({ searchNumber: past?.searchNumber ?? 0 });
    expect([opened.origin, idsOf(opened), opened.leftOutCount]).toEqual(['record', ['b', 'c'], 1]);
    expect(opened.asOf).toBe('2026-11-18T14:02:00.000Z');
    await expect(window.client.search.openPast({ searchNumber: 999 })).rejects.toMatchObject({
      code: 'saved.not-found',
    });
  });
});

describe('two runs of a question', () => {
  it('are compared: what is new, what changed and what is gone', async () => {
    let pages = [[scene('same'), scene('changed', { gsd: 10 }), scene('gone')]];
    const window = await openWindow(pagesOf(() => pages));
    const { client } = window;
    await client.search.run({ query: {} });
    await client.saved.history({});
    pages = [[scene('new'), scene('same'), scene('changed', { gsd: 20 })]];
    await client.search.run({ query: { limit: 50 } });
    const [past] = (await client.saved.history({})).searches;
    expect(past).toMatchObject({ runCount: 2 });
    const { runs } = await client.saved.runs({ searchNumber: past?.searchNumber ?? 0 });
    const [newer, older] = runs.map(({ searchNumber }) => searchNumber);
    const compared = await client.search.compare({ olderNumber: older ?? 0, newerNumber: newer ?? 0 });
    expect(idsOf(compared.page)).toEqual(['new', 'changed', 'gone']);
    expect(compared).toMatchObject({ addedCount: 1, changedCount: 1, missingCount: 1 });
    expect(compared.page.rows.map(({ goneAt }) => goneAt !== undefined)).toEqual([false, false, true]);
  });
});

describe('what was taken offline', () => {
  it('has its question and the record of its answer, until that is forgotten', async () => {
    const window = await openWindow(pagesOf([[scene('a'), scene('b')], [scene('c')]]));
    const { client } = window;
    // Of a question that asks for little of each item, whole items are taken.
    const question = {
      query: { fields: { include: ['id'] }, query: { gsd: { lt: 20 } } },
      localFilter: null,
      maxItems: null,
    };
    const choice = { hasPictures: false, assets: null };
    const { jobId } = await client.takeOffline.start({ name: 'All', question, choice });
    const taken = () => client.takeOffline.question({ jobId });
    await eventually(async () => expect((await taken()).run?.isComplete).toBe(true));
    const { run } = await taken();
    expect(run).toMatchObject({ count: 3, isComplete: true });
    const opened = await client.search.openPast({ searchNumber: run?.searchNumber ?? 0 });
    expect(idsOf(opened)).toEqual(['a', 'b', 'c']);

    await client.library.forgetSearch({ searchNumber: run?.searchNumber ?? 0 });
    expect(await taken()).toEqual({ question, run: null });
    await client.library.takeSearchBack({ searchNumber: run?.searchNumber ?? 0 });
    expect(await taken()).toEqual({ question, run });
  });
});
