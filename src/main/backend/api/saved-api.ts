import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { outlineQuestion, type QuestionOutline } from '#shared/search/question-outline.ts';
import type { PastSearch } from '../library/library.ts';
import type { SavedSearch } from '../notebook/saved-search-store.ts';
import type { ApiParts } from './api-parts.ts';
import { followChoice } from './follow-choice.ts';
import { toTimestamp } from './kept-answers.ts';
import { createRecentMap } from './recent-map.ts';
import { countNew, toCheckQuery } from './searches/check-for-new.ts';
import type { OpenSearches } from './searches/open-searches.ts';
import { streamLatest } from './stream-latest.ts';

/** Items noted as seen in one transaction; each ends with the disk. */
const seenPerSlice = 500;
/** Runs of one question that can be chosen from. */
const maxRuns = 200;
/** How long what was removed can come back, counted to the next start. */
const restorableMs = 3_600_000;

/** Handlers of `saved`. */
export function createSavedApi(parts: ApiParts, searches: OpenSearches): Handlers<typeof contract>['saved'] {
  const { catalogs, notebook, ports, rules } = parts;
  const { savedSearches } = notebook;
  savedSearches.purge(ports.clock.now() - restorableMs);
  /** How many rows of a search were noted for a saved one: a look is noted page by page, as it is shown. */
  const notedCounts = createRecentMap<number>({ maxSize: 32 });
  /** What a saved search asks never changes, and its area may be long. */
  const outlines = createRecentMap<QuestionOutline>({ maxSize: 500 });
  let lastCheck: Promise<unknown> = Promise.resolve();

  const findOne = (savedSearchId: number): SavedSearch => {
    const found = savedSearches.find(catalogs.current.id, savedSearchId);
    if (!found) throw new AppError('saved.not-found', `There is no saved search ${String(savedSearchId)}`);
    return found;
  };

  const toView = (saved: SavedSearch) => {
    const { savedSearchId, name, question, createdAtMs, lookedAtMs, news } = saved;
    const outline = outlines.get(String(savedSearchId)) ?? outlineQuestion(question);
    outlines.set(String(savedSearchId), outline);
    return {
      savedSearchId,
      name,
      outline,
      createdAt: toTimestamp(createdAtMs),
      lookedAt: lookedAtMs === null ? null : toTimestamp(lookedAtMs),
      news: news && toNewsView({ ...saved, news }),
    };
  };

  // In slices, the look itself last: a program that ends in between leaves some of what was shown as new, and nothing
  // as seen that was not shown.
  const noteSeen = async (savedSearchId: number, shown: { searchId: string; shownCount: number }) => {
    // Forgotten after many newer searches: then nothing is known to have been shown, and all of it stays new.
    const search = searches.find(shown.searchId);
    const key = `${String(savedSearchId)} ${shown.searchId}`;
    const refs = search?.given.slice(notedCounts.get(key) ?? 0, shown.shownCount) ?? [];
    for (let start = 0; start < refs.length; start += seenPerSlice) {
      if (start > 0) await yieldToOthers();
      savedSearches.addSeen(savedSearchId, refs.slice(start, start + seenPerSlice));
    }
    notedCounts.set(key, Math.max(shown.shownCount, notedCounts.get(key) ?? 0));
    savedSearches.noteLook(savedSearchId, ports.clock.now());
  };

  const check = async (savedSearchId: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    const saved = findOne(savedSearchId);
    const { question } = saved;
    const { id: connectionId, connection } = catalogs.current;
    const found = await connection.ask((catalog) =>
      countNew(catalog.search(toCheckQuery(question)), {
        question,
        findUnseen: (refs) => savedSearches.findUnseen(savedSearchId, refs),
        nowMs: ports.clock.now(),
        signal,
      }),
    );
    const news = { ...found, checkedAtMs: ports.clock.now() };
    // A look that ended meanwhile has seen some of what was counted.
    const { lookedAtMs } = savedSearches.find(connectionId, savedSearchId) ?? {};
    if (lookedAtMs === saved.lookedAtMs) savedSearches.noteCheck(savedSearchId, news);
    rules.noteLook(savedSearchId);
    return toNewsView({ ...saved, news });
  };

  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({ searches: savedSearches.list(catalogs.current.id).map(toView) }),
        onChange: (listener) => {
          const stops = [savedSearches.onChange(listener), followChoice(catalogs, listener)];
          return () => stops.forEach((stop) => stop());
        },
        emit,
        signal,
      }),
    save: async ({ name, question, shown }) => {
      const connectionId = catalogs.current.id;
      const saved = savedSearches.save({ connectionId, name, question, nowMs: ports.clock.now() });
      if (shown) await noteSeen(saved.savedSearchId, shown);
      return toView(savedSearches.find(connectionId, saved.savedSearchId) ?? saved);
    },
    rename: ({ savedSearchId, name }) => {
      savedSearches.rename(findOne(savedSearchId).savedSearchId, name);
      return {};
    },
    remove: ({ savedSearchId }) => {
      savedSearches.remove(findOne(savedSearchId).savedSearchId, ports.clock.now());
      return {};
    },
    restore: ({ savedSearchId }) => {
      if (!savedSearches.restore(catalogs.current.id, savedSearchId)) findOne(savedSearchId);
      return {};
    },
    question: ({ savedSearchId }) => findOne(savedSearchId).question,
    markSeen: async ({ savedSearchId, ...shown }) => {
      await noteSeen(findOne(savedSearchId).savedSearchId, shown);
      return {};
    },
    check: ({ savedSearchId }, { signal }) => {
      const turn = lastCheck.then(() => check(savedSearchId, signal));
      lastCheck = turn.catch(() => undefined);
      return turn;
    },
    history: async ({ limit }) => {
      const { library } = catalogs.current;
      // The one just asked may still be on its way into the library.
      await library.settle();
      return {
        searches: library.pastSearches({ limit }).map((past) => ({
          ...toRunView(past),
          outline: outlineQuestion(past),
          runCount: library.runs.numbersOf(past.searchNumber).length,
          fileName: library.imports.ofSearch(past.searchNumber)?.fileName ?? null,
        })),
      };
    },
    runs: async ({ searchNumber }) => {
      const { library } = catalogs.current;
      await library.settle();
      const numbers = library.runs.numbersOf(searchNumber).slice(0, maxRuns);
      return { runs: numbers.flatMap((number) => library.pastSearch(number) ?? []).map(toRunView) };
    },
    pastQuestion: ({ searchNumber }) => {
      const past = catalogs.current.library.pastSearch(searchNumber);
      if (!past) throw new AppError('saved.not-found', `There is no past search ${String(searchNumber)}`);
      const { query, localFilter } = past;
      return { query, localFilter };
    },
  };
}

/** A run of a search in short, without what it asked. */
export function toRunView({
  searchNumber,
  count,
  evictedCount,
  matched,
  isComplete,
  fetchedAtMs,
}: PastSearch) {
  return { searchNumber, count, evictedCount, matched, isComplete, askedAt: toTimestamp(fetchedAtMs) };
}

function toNewsView({
  createdAtMs,
  lookedAtMs,
  news,
}: SavedSearch & { news: NonNullable<SavedSearch['news']> }) {
  const { count, isAtLeast, checkedAtMs } = news;
  return {
    count,
    isAtLeast,
    since: toTimestamp(lookedAtMs ?? createdAtMs),
    checkedAt: toTimestamp(checkedAtMs),
  };
}
