import { describe, expect, it } from 'vitest';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { systemClock } from '../ports.ts';
import { clouded, openWindow, pagesOf, type TestItem, type TestWindow } from './testing/open-window.ts';

const everything: SavedQuestion = { query: {}, localFilter: null, maxItems: null };

/** A catalog of one page that can gain items, newest first. */
async function openGrowing(first: (string | TestItem)[]) {
  let items = first;
  const window = await openWindow(pagesOf(() => [items]));
  return { window, gain: (...more: (string | TestItem)[]) => (items = [...more, ...items]) };
}

/** What the window lists. */
async function list({ client }: TestWindow) {
  const { searches } = await new Promise<Parameters<Parameters<typeof client.saved.watch>[1]['onEvent']>[0]>(
    (resolve) => {
      const stop = client.saved.watch(
        {},
        {
          onEvent: (event) => {
            stop();
            resolve(event);
          },
        },
      );
    },
  );
  return searches;
}

/** Searches, and saves the question with what was shown of its answer. */
async function saveAfterLook({ client }: TestWindow, question = everything) {
  const { searchId, rows } = await client.search.run({ query: question.query });
  return client.saved.save({ name: 'Spring', question, shown: { searchId, shownCount: rows.length } });
}

describe('saved searches', () => {
  it('know what is new since the last look, until it was shown', async () => {
    const { window, gain } = await openGrowing(['a', 'b']);
    const { savedSearchId } = await saveAfterLook(window);
    gain('d', 'c');
    const look = await window.client.search.run({ query: {}, savedSearchId });
    expect(look.newIndexes).toEqual([0, 1]);
    expect(look.newSince).toMatch(/^\d{4}-/);
    // Only one of them came on the screen.
    await window.client.saved.markSeen({ savedSearchId, searchId: look.searchId, shownCount: 1 });
    const again = await window.client.search.run({ query: {}, savedSearchId });
    expect(again.rows.map(({ itemId }) => itemId)).toEqual(['d', 'c', 'a', 'b']);
    expect(again.newIndexes).toEqual([1]);
  });

  it('are there after a restart, with what was seen', async () => {
    const { window, gain } = await openGrowing(['a']);
    const question = { ...everything, query: { collections: ['c'] }, maxItems: 500 };
    const saved = await saveAfterLook(window, question);
    await window.restart();
    gain('b');
    expect(await list(window)).toEqual([saved]);
    const { savedSearchId } = saved;
    expect(await window.client.saved.question({ savedSearchId })).toEqual(question);
    expect((await window.client.search.run({ query: {}, savedSearchId })).newIndexes).toEqual([0]);
  });

  it('have names of their own, whatever the capitals', async () => {
    const { client } = (await openGrowing([])).window;
    const save = (name: string) => client.saved.save({ name, question: everything, shown: null });
    const { savedSearchId } = await save('  Alps ');
    await expect(save('alps')).rejects.toMatchObject({ code: 'saved.name-taken', details: { name: 'alps' } });
    const other = await save('Andes');
    await expect(
      client.saved.rename({ savedSearchId: other.savedSearchId, name: 'ALPS' }),
    ).rejects.toMatchObject({ code: 'saved.name-taken' });
    await client.saved.rename({ savedSearchId, name: 'ALPS' });
    await expect(save('   ')).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('come back after they were removed, with what was seen', async () => {
    const { window, gain } = await openGrowing(['a']);
    const { savedSearchId } = await saveAfterLook(window);
    const { saved, search } = window.client;
    await saved.remove({ savedSearchId });
    expect(await list(window)).toEqual([]);
    await expect(search.run({ query: {}, savedSearchId })).rejects.toMatchObject({ code: 'saved.not-found' });
    await saved.restore({ savedSearchId });
    gain('b');
    expect((await search.run({ query: {}, savedSearchId })).newIndexes).toEqual([0]);
  });

  it('do not come back under a name that was given away', async () => {
    const { window } = await openGrowing([]);
    const { saved } = window.client;
    const { savedSearchId } = await saveAfterLook(window);
    await saved.remove({ savedSearchId });
    await saveAfterLook(window);
    await expect(saved.restore({ savedSearchId })).rejects.toMatchObject({
      code: 'saved.name-taken',
      details: { name: 'Spring' },
    });
  });
});

describe('a check for new items', () => {
  it('counts them without a look, and keeps the count until there is one', async () => {
    const { window, gain } = await openGrowing(['a']);
    const { savedSearchId, lookedAt } = await saveAfterLook(window);
    gain('c', 'b');
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({
      count: 2,
      isAtLeast: false,
      since: lookedAt,
    });
    await window.restart();
    expect(await list(window)).toMatchObject([{ news: { count: 2 } }]);
    const { searchId } = await window.client.search.run({ query: {}, savedSearchId });
    await window.client.saved.markSeen({ savedSearchId, searchId, shownCount: 3 });
    expect(await list(window)).toMatchObject([{ news: null }]);
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({ count: 0 });
  });

  it('asks for little of each item, and applies the local filter', async () => {
    const { window, gain } = await openGrowing(['a']);
    const { savedSearchId } = await saveAfterLook(window, {
      ...everything,
      localFilter: { cloudCoverBelow: 20 },
    });
    gain(clouded('clear', 1), clouded('cloudy', 70), clouded('unknown', null));
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({ count: 2 });
    expect(JSON.parse(window.searches().at(-1) ?? '')).toMatchObject({
      fields: { include: ['id', 'collection', 'properties.datetime', 'properties.eo:cloud_cover'] },
    });
  });

  it('ends at a page that was seen, and never goes through a catalog without end', async () => {
    let pages = [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h']];
    const window = await openWindow(pagesOf(() => pages));
    const { savedSearchId } = await saveAfterLook(window);
    pages = [['new'], ...pages];
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({ count: 1, isAtLeast: false });
    pages = Array.from({ length: 40 }, (_, page) => [`newer-${String(page)}`]);
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({ count: 5, isAtLeast: true });
  });

  it('finds what was published late behind a page that was seen', async () => {
    const taken = (id: string, day: string): TestItem => ({
      id,
      properties: { datetime: `2026-${day}T00:00:00Z` },
    });
    const [june, may, march, old] = [
      taken('a', '06-19'),
      taken('b', '05-25'),
      taken('c', '03-01'),
      taken('d', '01-01'),
    ];
    let pages = [[june, may, march, old]];
    const clock = { ...systemClock, now: () => Date.parse('2026-06-20T00:00:00Z') };
    const window = await openWindow(
      pagesOf(() => pages),
      { clock },
    );
    const { savedSearchId } = await saveAfterLook(window);
    pages = [[june], [may, taken('late', '05-24')], [march], [old]];
    const askedBefore = window.searches().length;
    expect(await window.client.saved.check({ savedSearchId })).toMatchObject({ count: 1, isAtLeast: false });
    // What is as old as that is published late no more.
    expect(window.searches().length - askedBefore).toBe(3);
  });

  it('does not call new what a look has shown while it went on', async () => {
    const gate = Promise.withResolvers<null>();
    let pages = [['a'], ['b']];
    const answer = pagesOf(() => pages);
    const last = { body: { features: [{ id: 'a', collection: 'c' }], links: [] } };
    const window = await openWindow((request, response) =>
      request.target.includes('page=1') ? gate.promise.then(() => last) : answer(request, response),
    );
    const { savedSearchId } = await saveAfterLook(window);
    pages = [['new'], ...pages];
    const check = window.client.saved.check({ savedSearchId });
    await eventually(() => expect(window.searches().at(-1)).toContain('page=1'));
    const { searchId } = await window.client.search.run({ query: {}, savedSearchId });
    await window.client.saved.markSeen({ savedSearchId, searchId, shownCount: 1 });
    gate.resolve(null);
    await check;
    expect(await list(window)).toMatchObject([{ news: null }]);
  });

  it('goes after the one before, and can be cancelled', async () => {
    const gate = Promise.withResolvers<null>();
    let isHeld = false;
    const window = await openWindow(async ({ body }) => {
      if (isHeld) await gate.promise;
      return { body: { features: [{ id: body.length.toString(), collection: 'c' }], links: [] } };
    });
    const { savedSearchId } = await saveAfterLook(window);
    isHeld = true;
    const asked = window.searches().length;
    const first = window.client.saved.check({ savedSearchId });
    const abort = new AbortController();
    const second = window.client.saved.check({ savedSearchId }, { signal: abort.signal });
    await eventually(() => expect(window.searches()).toHaveLength(asked + 1));
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    gate.resolve(null);
    await first;
    expect(window.searches()).toHaveLength(asked + 1);
  });
});

describe('the history', () => {
  it('has each question once, the latest first, with whether all of its answer came', async () => {
    const { client } = await openWindow(pagesOf([['a', 'b'], ['c']]));
    await client.search.run({ query: { collections: ['x'] } });
    const { searchId } = await client.search.run({ query: { collections: ['c'] } });
    await client.search.more({ searchId });
    await client.search.run({ query: { collections: ['x'], limit: 7 } });
    const { searches } = await client.saved.history({});
    expect(
      searches.map(({ outline, count, isComplete }) => [outline.query.collections, count, isComplete]),
    ).toEqual([
      [['x'], 2, false],
      [['c'], 3, true],
    ]);
  });

  it('lists a question without its shape, and gives that to who asks again', async () => {
    const { client } = await openWindow(pagesOf([['a']]));
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const query = { collections: ['c'], intersects: { type: 'Polygon' as const, coordinates: [ring] } };
    await client.search.run({ query });
    const [past] = (await client.saved.history({})).searches;
    expect(past?.outline).toMatchObject({
      query: { collections: ['c'] },
      place: expect.stringMatching(/km²/),
    });
    expect(past?.outline.query).not.toHaveProperty('intersects');
    const searchNumber = past?.searchNumber ?? 0;
    expect(await client.saved.pastQuestion({ searchNumber })).toEqual({ query, localFilter: null });
    await expect(client.saved.pastQuestion({ searchNumber: 99 })).rejects.toMatchObject({
      code: 'saved.not-found',
    });
  });
});
