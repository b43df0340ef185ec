import { describe, expect, it } from 'vitest';
import { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { createRouter } from '#shared/rpc/server.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { createCoverageAnswerer } from '../coverage/answer-coverage.ts';
import type { StartCoverageEngine } from '../coverage/coverage-engine.ts';
import { CatalogState } from './catalog-state.svelte.ts';
import { ConnectionState } from './connection-state.svelte.ts';
import { QuestionState } from './question-state.svelte.ts';
import { ResultsState } from './results-state.svelte.ts';
import { builtIn } from './results-table.ts';
import { SearchState } from './search-state.svelte.ts';
import { Session } from './session.svelte.ts';

const searchContract = { search: contract.search };
type SearchHandlers = Handlers<typeof searchContract>['search'];

/** Answers in this thread, later, as a worker does. */
const startInThread: StartCoverageEngine = (onAnswer) => {
  const answer = createCoverageAnswerer();
  return {
    send: (request) => {
      const reply = answer(request);
      if (reply) setTimeout(() => onAnswer(reply));
    },
    stop: () => undefined,
  };
};

function row(itemId: string, rest: Partial<ItemRow> = {}): ItemRow {
  return {
    collectionId: 'c',
    itemId,
    datetime: '2026-07-14T10:40:31Z',
    cloudCover: null,
    platform: null,
    footprint: null,
    bbox: [0, 0, 1, 1],
    assetCount: 0,
    hasThumbnail: false,
    isPartial: false,
    ...rest,
  };
}

function square(west: number, east: number): ItemRow['footprint'] {
  const ring = [
    [west, 0],
    [east, 0],
    [east, 10],
    [west, 10],
    [west, 0],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

async function search(
  rows: readonly ItemRow[],
  rest: { pages?: ItemRow[][]; column?: SearchHandlers['column']; area?: boolean } = {},
): Promise<ResultsState> {
  const pages = [...(rest.pages ?? [])];
  const toPage = (page: readonly ItemRow[]) => ({
    searchId: '1',
    rows: [...page],
    leftOutCount: 0,
    newIndexes: [],
    newSince: null,
    matched: null,
    hasMore: pages.length > 0,
    isIncomplete: false,
    skipped: [],
    origin: 'catalog' as const,
    fileName: null,
    asOf: '2026-07-14T12:00:00Z',
    oldestAsOf: '2026-07-14T12:00:00Z',
    coverage: null,
  });
  const handlers: SearchHandlers = {
    run: () => toPage(rows),
    more: () => toPage(pages.shift() ?? []),
    openPast: () => toPage(rows),
    compare: () => Promise.reject(new Error('not asked for here')),
    columns: () => ({ columns: [], rowCount: 0, coveredCount: 0 }),
    column: rest.column ?? (() => ({ values: [], rowCount: 0, coveredCount: 0 })),
  };
  const session = new Session({
    open: () => {
      const [mine, theirs] = createMemoryPipe();
      createRouter(searchContract, { search: handlers }, { isValidating: true }).serve(theirs);
      return Promise.resolve(mine);
    },
  });
  const question = new QuestionState(new CatalogState(session, new ConnectionState(session)));
  if (rest.area) {
    question.setView([0, 0, 10, 10]);
    question.edit({ area: { kind: 'view' } });
  }
  const state = new SearchState(session, question);
  const results = new ResultsState(session, state, startInThread);
  await session.open();
  await state.run();
  return results;
}

const ids = (results: ResultsState): string[] => results.shown.map(({ itemId }) => itemId);

const four = [
  row('a', { platform: 's2a', cloudCover: 40, datetime: '2026-07-14T10:00:00Z' }),
  row('b', { platform: 's2b', cloudCover: 3, datetime: '2026-07-12T10:00:00Z' }),
  row('c', { platform: 's2a', cloudCover: 10, datetime: '2026-07-14T09:00:00Z' }),
  row('d', { datetime: null }),
];

describe('filters', () => {
  it('show what passes all of them, and count each facet by what passes the others', async () => {
    const results = await search(four);
    results.setFilter(builtIn.platform, { kind: 'choice', texts: ['s2a'] });
    expect(ids(results)).toEqual(['a', 'c']);
    results.setFilter(builtIn.cloud, { kind: 'range', min: null, max: 20 });
    expect(ids(results)).toEqual(['c']);
    expect(results.countTexts(builtIn.platform)).toEqual([
      { text: 's2a', count: 1 },
      { text: 's2b', count: 1 },
      { text: null, count: 0 },
    ]);
    expect(results.countNumbers(builtIn.cloud, 2)).toMatchObject({ min: 3, max: 40, counts: [1, 1] });
    results.clearFilters();
    expect(ids(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('can ask for rows without a value', async () => {
    const results = await search(four);
    results.setFilter(builtIn.platform, { kind: 'choice', texts: [null, 's2b'] });
    expect(ids(results)).toEqual(['b', 'd']);
  });

  it('hold for rows that come later', async () => {
    const results = await search(four, { pages: [[row('e', { platform: 's2a' }), row('f')]] });
    results.setFilter(builtIn.platform, { kind: 'choice', texts: ['s2a'] });
    await expect.poll(() => ids(results)).toEqual(['a', 'c', 'e']);
    expect(results.rowCount).toBe(6);
    expect(results.positionOf({ collectionId: 'c', itemId: 'e' })).toBe(2);
    expect(results.positionOf({ collectionId: 'c', itemId: 'f' })).toBe(-1);
  });

  it('work on a property that is fetched for them', async () => {
    const results = await search(four, {
      column: ({ name }) => ({
        values: name === 'sat:orbit_state' ? ['ascending', 'descending', 'ascending', null] : [],
        rowCount: 4,
        coveredCount: 4,
      }),
    });
    results.setFilter('sat:orbit_state', { kind: 'choice', texts: ['ascending'] });
    await expect.poll(() => ids(results)).toEqual(['a', 'c']);
  });
});

describe('order', () => {
  it('goes both ways, with rows without a value last and equal ones as they came', async () => {
    const results = await search([...four, row('e', { cloudCover: 10 })]);
    results.orderBy({ column: builtIn.cloud, isDescending: false });
    expect(ids(results)).toEqual(['b', 'c', 'e', 'a', 'd']);
    results.orderBy({ column: builtIn.cloud, isDescending: true });
    expect(ids(results)).toEqual(['a', 'c', 'e', 'b', 'd']);
    results.orderBy({ column: null, isDescending: true });
    expect(ids(results)).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('takes rows that come later to their places', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => row(`n${i}`, { cloudCover: (i * 37) % 100 }));
    const results = await search(many.slice(0, 100), { pages: [many.slice(100, 2500), many.slice(2500)] });
    results.orderBy({ column: builtIn.cloud, isDescending: false });
    await expect.poll(() => results.shown.length).toBe(1000);
    const clouds = results.shown.map(({ cloudCover }) => cloudCover ?? NaN);
    expect(clouds).toEqual(clouds.toSorted((a, b) => a - b));
    expect(new Set(ids(results)).size).toBe(1000);
  });
});

it('groups by day in the order of the rows, with what each day holds', async () => {
  const results = await search(four);
  results.groupByDay(true);
  expect(ids(results)).toEqual(['a', 'c', 'b', 'd']);
  expect(results.days).toEqual([
    { day: '2026-07-14', start: 0, count: 2, minCloud: 10, maxCloud: 40 },
    { day: '2026-07-12', start: 2, count: 1, minCloud: 3, maxCloud: 3 },
    { day: null, start: 3, count: 1, minCloud: null, maxCloud: null },
  ]);
});

describe('coverage', () => {
  const rows = [
    row('a', { footprint: square(0, 5) }),
    row('b', { footprint: square(4, 8) }),
    row('c', { footprint: square(0, 2), datetime: '2026-07-10T00:00:00Z' }),
    row('d'),
  ];

  it('is measured for each row, and filters and sorts', async () => {
    const results = await search(rows, { area: true });
    await expect.poll(() => results.valueAt(0, builtIn.coverage)).toBeCloseTo(50, 6);
    results.setFilter(builtIn.coverage, { kind: 'range', min: 30, max: null });
    expect(ids(results)).toEqual(['a', 'b']);
    results.setFilter(builtIn.coverage, null);
    results.orderBy({ column: builtIn.coverage, isDescending: false });
    expect(ids(results)).toEqual(['c', 'b', 'a', 'd']);
  });

  it('of a day counts what its rows share once, and only rows that pass the filters', async () => {
    const results = await search(rows, { area: true });
    results.groupByDay(true);
    await expect.poll(() => results.coverageOfDay('2026-07-14')).toBeCloseTo(80, 6);
    expect(results.coverageOfDay('2026-07-10')).toBeCloseTo(20, 6);
    results.setFilter(builtIn.id, { kind: 'choice', texts: ['a', 'c'] });
    await expect.poll(() => results.coverageOfDay('2026-07-14')).toBeCloseTo(50, 6);
  });

  it('is nothing where no area was asked about', async () => {
    const results = await search(rows);
    expect(results.hasArea).toBe(false);
    expect(results.valueAt(0, builtIn.coverage)).toBeNull();
  });
});

it('says of which rows the map can show nothing, and why', async () => {
  const wild = { type: 'Polygon' as const, coordinates: [Array.from({ length: 4 }, () => [5000, 200])] };
  const results = await search([
    row('a'),
    row('b', { bbox: null }),
    row('c', { bbox: null, footprint: wild }),
  ]);
  expect(results.countTexts(builtIn.noPlace)).toEqual([
    { text: 'It came without a footprint and without a box', count: 1 },
    { text: 'Its coordinates are no place on Earth', count: 1 },
    { text: null, count: 1 },
  ]);
});
