import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { completeAsOf, findCoverage, outlinesCompleteAsOf } from '#shared/search/coverage/find-coverage.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import { withFields } from '../exchange/with-fields.ts';
import type { ItemPages } from '../catalog/catalog-client.ts';
import { refuseMissingFolder } from '../library/library-file.ts';
import type { PastSearch } from '../library/library.ts';
import type { RunDifference } from '../library/run-store.ts';
import type { AnswerSummary } from '../library/search/answer-summary.ts';
import { openToRead } from '../library/upkeep/open-to-read.ts';
import { openLibrarySource, toUnsupported } from './searches/library-source.ts';

/** As of when an answer of the library is, all in milliseconds since 1970 UTC. */
export interface AnswerDates {
  /** When the newest and the oldest of the Items so far came; null before the first. */
  newestMs: number | null;
  oldestMs: number | null;
  /** As of when all there is is known to be here; null where it isn't. */
  completeAsOfMs: number | null;
  /** The same for all whose outline reaches into the area: a box may be reached by an Item's box alone. */
  outlinesCompleteAsOfMs: number | null;
}

/** A library in the place of its catalog, for one command. */
export interface CommandLibrary {
  /** Pages as the catalog's client has them. @throws AppError `library.question-unsupported` from `next` */
  search(query: SearchQuery): Pick<ItemPages, 'next' | 'isIncomplete'> & { readonly dates: AnswerDates };
  /** What an answer is made of. @throws AppError `library.question-unsupported` */
  summarise(
    query: SearchQuery,
    options: { properties: readonly string[]; signal: AbortSignal },
  ): Promise<AnswerSummary & { completeAsOfMs: number | null }>;
  /** How many of these the catalog has no longer. */
  countGone(refs: readonly ItemRef[]): number;
  item(ref: ItemRef): { value: IdentifiedItem; fetchedAtMs: number; goneAtMs: number | null } | null;
  /** Items with all these words, the most recent first. */
  find(words: string, limit: number): IdentifiedItem[];
  /** With the name of the file where a search is the record of one. */
  pastSearches(limit: number): (PastSearch & { fileName: string | null })[];
  /** The runs of one question, the latest first. @throws AppError `saved.not-found` */
  runsOf(searchNumber: number, limit: number): (PastSearch & { fileName: string | null })[];
  /** @throws AppError `saved.not-found` */
  compare(olderNumber: number, newerNumber: number): RunDifference;
  close(): Promise<void>;
}

/** Opens what is kept of a catalog. @throws AppError `network.switched-off` where nothing is, `library.*` */
export function openLibraryForCommand(filePath: string): CommandLibrary {
  refuseMissingFolder(dirname(filePath));
  if (!existsSync(filePath)) {
    throw new AppError('network.switched-off', 'Nothing of this catalog is in the library yet', {
      details: { file: filePath },
    });
  }
  const { library, close } = openToRead(filePath);
  const checkRun = (searchNumber: number): void => {
    if (library.pastSearch(searchNumber)) return;
    throw new AppError('saved.not-found', `There is no past search ${String(searchNumber)}`);
  };
  const withFileName = (past: PastSearch) => ({
    ...past,
    fileName: library.imports.ofSearch(past.searchNumber)?.fileName ?? null,
  });
  return {
    search(query) {
      const source = openLibrarySource(library, { query });
      const coverage = findCoverage(query, library.runs.completeRuns());
      const dates: AnswerDates = {
        newestMs: null,
        oldestMs: null,
        completeAsOfMs: completeAsOf(coverage),
        outlinesCompleteAsOfMs: outlinesCompleteAsOf(coverage),
      };
      return {
        dates,
        isIncomplete: false,
        async next({ signal = new AbortController().signal } = {}) {
          if (!source.hasMore) return null;
          const page = await source.next(signal);
          const { newestMs, oldestMs } = page;
          if (newestMs !== null) dates.newestMs = Math.max(newestMs, dates.newestMs ?? newestMs);
          if (oldestMs !== null) dates.oldestMs = Math.min(oldestMs, dates.oldestMs ?? oldestMs);
          return { ...page, items: withFields(page.items, query, null) };
        },
      };
    },
    async summarise({ fields: _fields, ...query }, options) {
      const summary = await library.engine.summarise(query, options).catch((thrown: unknown) => {
        throw toUnsupported(thrown);
      });
      return { ...summary, completeAsOfMs: completeAsOf(findCoverage(query, library.runs.completeRuns())) };
    },
    countGone: (refs) => library.marksOf(refs).filter((marks) => marks?.goneAtMs != null).length,
    item(ref) {
      const kept = library.item(ref);
      return kept && { ...kept, goneAtMs: library.marksOf([ref])[0]?.goneAtMs ?? null };
    },
    find: (words, limit) =>
      library.findText(words, { limit }).flatMap((ref) => library.item(ref)?.value ?? []),
    pastSearches: (limit) => library.pastSearches({ limit }).map(withFileName),
    runsOf(searchNumber, limit) {
      checkRun(searchNumber);
      const numbers = library.runs.numbersOf(searchNumber).slice(0, limit);
      return numbers.flatMap((number) => library.pastSearch(number) ?? []).map(withFileName);
    },
    compare(olderNumber, newerNumber) {
      checkRun(olderNumber);
      checkRun(newerNumber);
      return library.runs.compare(olderNumber, newerNumber);
    },
    close,
  };
}
