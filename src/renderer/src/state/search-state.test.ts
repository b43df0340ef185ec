import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { createRouter } from '#shared/rpc/server.ts';
import { CatalogState } from './catalog-state.svelte.ts';
import { ConnectionState } from './connection-state.svelte.ts';
import { QuestionState } from './question-state.svelte.ts';
import { SearchState } from './search-state.svelte.ts';
import { Session } from './session.svelte.ts';

const searchContract = { search: contract.search };
type SearchHandlers = Handlers<typeof searchContract>['search'];
type Page = Awaited<ReturnType<SearchHandlers['run']>>;

function page(searchId: string, itemIds: readonly string[], rest: Partial<Page> = {}): Page {
  const rows = itemIds.map((itemId) => ({
    collectionId: 'c',
    itemId,
    datetime: '2026-07-14T10:40:31Z',
    cloudCover: null,
    platform: null,
    footprint: null,
    bbox: null,
    assetCount: 0,
    hasThumbnail: false,
    isPartial: false,
  }));
  return {
    searchId,
    rows,
    matched: null,
    hasMore: true,
    isIncomplete: false,
    skipped: [],
    leftOutCount: 0,
    newIndexes: [],
    newSince: null,
    origin: 'catalog',
    fileName: null,
    asOf: '2026-07-14T12:00:00Z',
    oldestAsOf: '2026-07-14T12:00:00Z',
    coverage: null,
    ...rest,
  };
}

const noColumns = (): never => {
  throw new AppError('internal', 'not asked for here');
};

async function open(
  handlers: Pick<SearchHandlers, 'run' | 'more'> & Partial<SearchHandlers>,
): Promise<{ search: SearchState; question: QuestionState }> {
  const session = new Session({
    open: () => {
      const [mine, theirs] = createMemoryPipe();
      createRouter(
        searchContract,
        {
          search: {
            openPast: noColumns,
            compare: noColumns,
            columns: noColumns,
            column: noColumns,
            ...handlers,
          },
        },
        { isValidating: true },
      ).serve(theirs);
      return Promise.resolve(mine);
    },
  });
  const question = new QuestionState(new CatalogState(session, new ConnectionState(session)));
  const search = new SearchState(session, question);
  await session.open();
  return { search, question };
}

const noMore: SearchHandlers['more'] = () => page('x', [], { hasMore: false });

describe('SearchState', () => {
  it('shows the answer to the newest question, though an older one answers later', async () => {
    const answers = new Map<string, (page: Page) => void>();
    const { search, question } = await open({
      run: ({ query }) => new Promise((resolve) => answers.set(query.collections?.[0] ?? '', resolve)),
      more: noMore,
    });
    question.edit({ collectionIds: ['old'] });
    const older = search.run();
    question.edit({ collectionIds: ['new'] });
    const newer = search.run();
    await Promise.resolve();
    await expect.poll(() => answers.size).toBe(2);
    answers.get('new')?.(page('new', ['n'], { hasMore: false }));
    expect(await newer).toBe(true);
    answers.get('old')?.(page('old', ['o']));
    expect(await older).toBe(false);
    expect(search.rows.map(({ itemId }) => itemId)).toEqual(['n']);
    expect(search.phase).toBe('idle');
  });

  it('shows the past search that was opened last, and none once another catalog is in use', async () => {
    const answers = new Map<number, (page: Page) => void>();
    const { search } = await open({
      run: () => page('x', []),
      more: noMore,
      openPast: ({ searchNumber }) => new Promise((resolve) => answers.set(searchNumber, resolve)),
    });
    const openings = [1, 2].map((searchNumber) => search.openPast(searchNumber, { maxItems: 9 }));
    await expect.poll(() => answers.size).toBe(2);
    answers.get(2)?.(page('2', ['newer'], { hasMore: false }));
    answers.get(1)?.(page('1', ['older'], { hasMore: false }));
    await Promise.all(openings);
    expect(search.rows.map(({ itemId }) => itemId)).toEqual(['newer']);

    const late = search.openPast(3, { maxItems: 9 });
    await expect.poll(() => answers.size).toBe(3);
    search.forget();
    answers.get(3)?.(page('3', ['late'], { hasMore: false }));
    await late;
    expect([search.rows, search.phase]).toEqual([[], 'idle']);
  });

  it('cancels at the program what it gives up', async () => {
    let wasAborted = false;
    const { search } = await open({
      run: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            wasAborted = true;
            resolve(page('x', []));
          });
        }),
      more: noMore,
    });
    const running = search.run();
    await Promise.resolve();
    search.stop();
    expect(await running).toBe(false);
    await expect.poll(() => wasAborted).toBe(true);
    expect(search.result).toBeNull();
    expect(search.phase).toBe('idle');
  });

  it('fetches page after page by itself, without repeating an item that came twice', async () => {
    const pages = [page('1', ['b', 'c']), page('1', ['d'], { hasMore: false })];
    const { search } = await open({
      run: () => page('1', ['a', 'b'], { matched: 4, skipped: [{ reason: 'no id' }] }),
      more: () => pages.shift() ?? page('1', []),
    });
    await search.run();
    await expect.poll(() => search.phase).toBe('idle');
    expect(search.rows.map(({ itemId }) => itemId)).toEqual(['a', 'b', 'c', 'd']);
    expect(search.result).toMatchObject({ matched: 4, hasMore: false, skippedReasons: ['no id'] });
  });

  it('tells of rows with their places among all that were given', async () => {
    const { search } = await open({
      run: () => page('1', ['a', 'b']),
      more: () => page('1', ['b', 'c'], { hasMore: false }),
    });
    const places: number[] = [];
    search.onRows(({ givenIndexes }) => places.push(...givenIndexes));
    await search.run();
    await expect.poll(() => search.phase).toBe('idle');
    expect(places).toEqual([0, 1, 3]);
  });

  it('stops at the maximum to the row, and goes on from there with nothing lost', async () => {
    let next = 0;
    const bigPage = () =>
      page(
        '1',
        Array.from({ length: 700 }, () => `i${next++}`),
        { hasMore: next < 2100 },
      );
    const { search } = await open({ run: bigPage, more: bigPage });
    await search.run();
    await expect.poll(() => search.phase).toBe('idle');
    expect(search.rows).toHaveLength(1000);
    expect(search.result?.hasMore).toBe(true);
    await search.goOn();
    expect(search.rows).toHaveLength(2000);
    await search.goOn();
    expect(search.rows.map(({ itemId }) => itemId)).toEqual(Array.from({ length: 2100 }, (_, i) => `i${i}`));
    expect(search.result?.hasMore).toBe(false);
  });

  it('pauses after the page on its way, and goes on', async () => {
    const waiting: ((page: Page) => void)[] = [];
    const { search } = await open({
      run: () => page('1', ['a']),
      more: () => new Promise((resolve) => waiting.push(resolve)),
    });
    await search.run();
    await expect.poll(() => waiting).toHaveLength(1);
    search.pause();
    expect(search.phase).toBe('paused');
    waiting[0]?.(page('1', ['b']));
    await expect.poll(() => search.rows).toHaveLength(2);
    expect(waiting).toHaveLength(1);
    void search.goOn();
    await expect.poll(() => waiting).toHaveLength(2);
    waiting[1]?.(page('1', ['c'], { hasMore: false }));
    await expect.poll(() => search.phase).toBe('idle');
    expect(search.rows).toHaveLength(3);
  });

  it('keeps what came when the next page fails, and can try again', async () => {
    let attempts = 0;
    const { search } = await open({
      run: () => page('1', ['a']),
      more: () => {
        attempts += 1;
        if (attempts === 1) throw new AppError('network.timeout', 'slow');
        return page('2', ['b'], { hasMore: false });
      },
    });
    await search.run();
    await expect.poll(() => search.moreError?.code).toBe('network.timeout');
    await expect.poll(() => search.phase).toBe('idle');
    expect(search.rows).toHaveLength(1);
    await search.goOn();
    expect(search.moreError).toBeNull();
    expect(search.rows).toHaveLength(2);
  });

  it('gives up the page on its way when stopped, and asks for the same one when it goes on', async () => {
    const asked: (number | null)[] = [];
    const { search } = await open({
      run: () => page('1', ['a']),
      more: ({ afterRows }, { signal }) => {
        asked.push(afterRows);
        if (asked.length > 1) return page('1', ['b'], { hasMore: false });
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      },
    });
    await search.run();
    await expect.poll(() => asked).toEqual([1]);
    search.stop();
    expect(search.phase).toBe('idle');
    expect(search.moreError).toBeNull();
    await search.goOn();
    expect(asked).toEqual([1, 1]);
    expect(search.rows).toHaveLength(2);
  });

  it('keeps the older answer, and can go on with it, when a newer question is given up', async () => {
    let runs = 0;
    const { search } = await open({
      run: () => {
        runs += 1;
        return runs === 1
          ? page(
              '1',
              Array.from({ length: 1000 }, (_, i) => `i${i}`),
            )
          : new Promise(() => undefined);
      },
      more: () => page('1', ['z'], { hasMore: false }),
    });
    await search.run();
    await expect.poll(() => search.phase).toBe('idle');
    const given = search.run();
    search.stop();
    await given;
    await search.goOn();
    expect(search.rows.at(-1)?.itemId).toBe('z');
  });

  it('shows an error in place of an older answer, and the answer in place of an error', async () => {
    let isBroken = true;
    const { search } = await open({
      run: () => {
        if (isBroken) throw new AppError('stac.query-rejected', 'no');
        return page('1', ['a']);
      },
      more: noMore,
    });
    await search.run();
    expect(search.error?.code).toBe('stac.query-rejected');
    isBroken = false;
    await search.run();
    expect(search.error).toBeNull();
    expect(search.rows).toHaveLength(1);
  });
});
