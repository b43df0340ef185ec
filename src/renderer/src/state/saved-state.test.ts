import { expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { createRouter } from '#shared/rpc/server.ts';
import { outlineQuestion } from '#shared/search/question-outline.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { CatalogState } from './catalog-state.svelte.ts';
import { ConnectionState } from './connection-state.svelte.ts';
import { QuestionState } from './question-state.svelte.ts';
import { SavedState, type PastSearch, type SavedSearch } from './saved-state.svelte.ts';
import { SearchState } from './search-state.svelte.ts';
import { Session } from './session.svelte.ts';

const part = { saved: contract.saved };
type SavedHandlers = Handlers<typeof part>['saved'];

const notAsked = (): never => {
  throw new AppError('internal', 'not asked for here');
};

async function open(handlers: Partial<SavedHandlers>): Promise<SavedState> {
  const saved: SavedHandlers = {
    watch: () => undefined,
    save: notAsked,
    rename: notAsked,
    remove: notAsked,
    restore: notAsked,
    question: notAsked,
    markSeen: notAsked,
    check: notAsked,
    history: notAsked,
    runs: notAsked,
    pastQuestion: notAsked,
    ...handlers,
  };
  const session = new Session({
    open: () => {
      const [mine, theirs] = createMemoryPipe();
      createRouter(part, { saved }, { isValidating: true }).serve(theirs);
      return Promise.resolve(mine);
    },
  });
  const question = new QuestionState(new CatalogState(session, new ConnectionState(session)));
  const state = new SavedState(session, { question, search: new SearchState(session, question) });
  await session.open();
  return state;
}

const outline = outlineQuestion({ query: {}, localFilter: null });

const past: PastSearch = {
  searchNumber: 1,
  outline,
  count: 1,
  evictedCount: 0,
  runCount: 1,
  fileName: null,
  matched: null,
  isComplete: true,
  askedAt: '2026-07-14T12:00:00Z',
};

const search: SavedSearch = {
  savedSearchId: 1,
  name: 'Spring',
  outline,
  createdAt: '2026-07-14T12:00:00Z',
  lookedAt: null,
  news: null,
};

it('shows no searches of a catalog that is no longer in use, although they come late', async () => {
  const late = Promise.withResolvers<{ searches: PastSearch[] }>();
  const state = await open({ history: () => late.promise });
  const loading = state.loadHistory();
  state.forget();
  late.resolve({ searches: [past] });
  await loading;
  expect(state.history).toBeNull();
});

it('asks for nothing new of a catalog that is no longer in use', async () => {
  const asked: number[] = [];
  const state = await open({
    check: ({ savedSearchId }, { signal }) => {
      asked.push(savedSearchId);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
  });
  const looking = state.lookForNew([search, { ...search, savedSearchId: 2 }]);
  await eventually(() => expect(asked).toEqual([1]));
  state.forget();
  await looking;
  expect([asked, state.round, state.roundError]).toEqual([[1], null, null]);
});
