import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { findCoverage } from '#shared/search/coverage/find-coverage.ts';
import { passesLocalFilter, type LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { toItemRow, type ItemRow } from '#shared/stac/item-row.ts';
import type { OpenCatalog } from '../../connection/catalogs.ts';
import type { FactStore } from '../../notebook/fact-store.ts';
import type { SavedSearchStore } from '../../notebook/saved-search-store.ts';
import type { Clock, Logger } from '../../ports.ts';
import { logNotKept, toTimestamp, tryToKeep } from '../kept-answers.ts';
import type { AnswerOrigin, AnswerPage, AnswerSource } from './answer-source.ts';
import { openCatalogSource } from './catalog-source.ts';
import { createColumnStore, type ColumnStore } from './column-store.ts';
import { openLibrarySource, openRecordSource, openRefsSource } from './library-source.ts';
import { SearchRecord } from './search-record.ts';

/** Items judged in one task, so that the event loop is free again within a frame. */
const itemsPerLook = 1000;

/** What a search is made with. */
export interface SearchStart {
  /** The catalog that it is put to; another may be in use later. */
  source: OpenCatalog;
  query: SearchQuery;
  localFilter: LocalFilter | null;
  /** The saved search that this is a look at, and when the last one was. */
  look: { savedSearchId: number; sinceMs: number | null } | null;
  /** Who answers; `record`: what a past search brought, as it did; `refs`: these Items of the library. */
  answerer:
    | { kind: 'catalog' | 'library' }
    | { kind: 'record'; searchNumber: number }
    | { kind: 'refs'; refs: readonly ItemRef[]; asOfMs: number };
}

/** What a search needs around it. */
export interface SearchParts {
  savedSearches: SavedSearchStore;
  facts: FactStore;
  clock: Clock;
  logger: Logger;
  /** About how much memory its columns may take. */
  maxColumnBytes: number;
}

/** One answer of a search, as the contract has it. */
export interface SearchAnswer {
  searchId: string;
  rows: ItemRow[];
  leftOutCount: number;
  newIndexes: number[];
  newSince: string | null;
  matched: number | null;
  hasMore: boolean;
  isIncomplete: boolean;
  skipped: { reason: string }[];
  origin: AnswerOrigin;
  fileName: string | null;
  asOf: string;
  oldestAsOf: string;
  coverage: { collectionId: string | null; asOf: string | null; outlinesAsOf: string | null }[] | null;
}

/** A search whose pages are asked for one by one. */
export interface OpenSearch {
  readonly searchId: string;
  /** The items of all rows given so far, in their order. */
  readonly given: readonly ItemRef[];
  readonly columns: ColumnStore;
  /**
   * The next page; the last one again for a caller who hasn't got its rows. Pages are asked for one after the other,
   * whoever asks. `afterRows` is the number of rows that the caller has; null asks for the next page whatever that is.
   */
  next(options: { afterRows: number | null; signal: AbortSignal }): Promise<SearchAnswer>;
  /** Has the library answer what the catalog hasn't answered yet. */
  goOnFromLibrary(): void;
  /** Lets go of the columns. */
  forgetColumns(): void;
}

/** Puts a question to whoever is to answer it. Nothing is asked before the first `next`. */
export async function openSearch(start: SearchStart, parts: SearchParts): Promise<OpenSearch> {
  return new RunningSearch(start, parts, await openSource(start, parts));
}

function openSource(start: SearchStart, parts: SearchParts): AnswerSource | Promise<AnswerSource> {
  const { source, answerer } = start;
  if (answerer.kind === 'library') return openLibrarySource(source.library, start);
  if (answerer.kind === 'record') return openRecordSource(source.library, answerer.searchNumber);
  if (answerer.kind === 'refs') return openRefsSource(source.library, answerer.refs);
  const { facts: known, clock, logger } = parts;
  return openCatalogSource(start, {
    connection: source.connection,
    clock,
    // What came is shown whatever the notebook can take.
    learn: (facts) => void tryToKeep(logger, () => known.learn(source.id, facts, clock.now())),
  });
}

class RunningSearch implements OpenSearch {
  readonly searchId = randomUUID();
  readonly given: ItemRef[] = [];
  readonly #start: SearchStart;
  readonly #parts: SearchParts;
  readonly #record: SearchRecord;
  #source: AnswerSource;
  #columns: ColumnStore;
  #last: { startRow: number; answer: SearchAnswer } | null = null;
  #oldestMs: number | null = null;
  #newestMs: number | null = null;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** The last page on its way into the library. */
  #lastIntake: Promise<void> = Promise.resolve();

  constructor(start: SearchStart, parts: SearchParts, source: AnswerSource) {
    this.#start = start;
    this.#parts = parts;
    this.#source = source;
    const { query, localFilter } = start;
    this.#record = new SearchRecord(start.source.library, { query, localFilter }, (thrown) =>
      logNotKept(parts.logger, thrown),
    );
    this.#columns = createColumnStore({ maxBytes: parts.maxColumnBytes });
  }

  get columns(): ColumnStore {
    return this.#columns;
  }

  forgetColumns(): void {
    this.#columns = createColumnStore({ maxBytes: 0 });
  }

  goOnFromLibrary(): void {
    if (this.#source.origin !== 'catalog') return;
    const { source, query } = this.#start;
    this.#source = openLibrarySource(source.library, { query, given: this.given });
  }

  next({ afterRows, signal }: { afterRows: number | null; signal: AbortSignal }): Promise<SearchAnswer> {
    const turn = this.#lastTurn.then(() => {
      signal.throwIfAborted();
      const isMissed =
        afterRows !== null && afterRows < this.given.length && afterRows === this.#last?.startRow;
      return isMissed && this.#last ? this.#last.answer : this.#fetch(signal);
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #fetch(signal: AbortSignal): Promise<SearchAnswer> {
    const { localFilter, look } = this.#start;
    const source = this.#source;
    const page = await source.next(signal);
    const passing = page.items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
    const leftOutCount = page.items.length - passing.length;
    const newIndexes = await this.#findNew(passing);
    await inSlices(passing, itemsPerLook, (slice) => this.#columns.add(slice.map(({ item }) => item)));
    const startRow = this.given.length;
    for (const { ref } of passing) this.given.push(ref);
    const answer: SearchAnswer = {
      searchId: this.searchId,
      rows: passing.map(toItemRow),
      leftOutCount,
      newIndexes,
      newSince: look?.sinceMs == null ? null : toTimestamp(look.sinceMs),
      matched: page.matched,
      hasMore: source.hasMore,
      isIncomplete: source.isIncomplete,
      skipped: page.skipped,
      origin: source.origin,
      fileName: this.#findFileName(),
      ...this.#dateAnswer(page),
      coverage: this.#findCoverage(startRow),
    };
    this.#last = { startRow, answer };
    if (source.origin === 'catalog') await this.#keep(page, leftOutCount);
    return answer;
  }

  /** Keeps a page after it was given to whoever asked for it; pages that come faster than they are written wait. */
  async #keep({ items, matched, skipped, newestMs }: AnswerPage, leftOutCount: number): Promise<void> {
    const { hasMore, isIncomplete } = this.#source;
    await this.#lastIntake;
    this.#lastIntake = this.#record.keep({
      items,
      leftOutCount,
      matched,
      fetchedAtMs: newestMs ?? this.#parts.clock.now(),
      hasGap: skipped.length > 0,
      isLast: !hasMore && !isIncomplete,
    });
  }

  #dateAnswer({ oldestMs, newestMs }: AnswerPage): { asOf: string; oldestAsOf: string } {
    this.#oldestMs = minOf(this.#oldestMs, oldestMs);
    this.#newestMs = newestMs === null ? this.#newestMs : Math.max(newestMs, this.#newestMs ?? newestMs);
    const givenMs = this.#recordDate();
    const asOfMs = givenMs ?? this.#newestMs ?? this.#parts.clock.now();
    return { asOf: toTimestamp(asOfMs), oldestAsOf: toTimestamp(givenMs ?? this.#oldestMs ?? asOfMs) };
  }

  #findFileName(): string | null {
    const { answerer, source } = this.#start;
    if (answerer.kind !== 'record') return null;
    return source.library.imports.ofSearch(answerer.searchNumber)?.fileName ?? null;
  }

  #recordDate(): number | null {
    const { answerer, source } = this.#start;
    if (answerer.kind === 'refs') return answerer.asOfMs;
    if (answerer.kind !== 'record') return null;
    return source.library.pastSearch(answerer.searchNumber)?.fetchedAtMs ?? null;
  }

  // What is complete is told with the first page that the library gives.
  #findCoverage(startRow: number): SearchAnswer['coverage'] {
    if (this.#source.origin !== 'library') return null;
    if (startRow > 0 && this.#last?.answer.coverage) return this.#last.answer.coverage;
    const parts = findCoverage(this.#start.query, this.#start.source.library.runs.completeRuns());
    return parts.map(({ collectionId, asOfMs, outlinesAsOfMs }) => ({
      collectionId,
      asOf: asOfMs === null ? null : toTimestamp(asOfMs),
      outlinesAsOf: outlinesAsOfMs === null ? null : toTimestamp(outlinesAsOfMs),
    }));
  }

  async #findNew(passing: readonly IdentifiedItem[]): Promise<number[]> {
    const { look } = this.#start;
    const newIndexes: number[] = [];
    if (!look) return newIndexes;
    // A page that came is shown whatever the notebook can tell of it.
    await tryToKeep(this.#parts.logger, () =>
      inSlices(passing, itemsPerLook, (slice, start) => {
        const refs = slice.map(({ ref }) => ref);
        for (const index of this.#parts.savedSearches.findUnseen(look.savedSearchId, refs))
          newIndexes.push(start + index);
      }),
    );
    return newIndexes;
  }
}

async function inSlices<Value>(
  values: readonly Value[],
  size: number,
  work: (slice: readonly Value[], start: number) => void,
): Promise<void> {
  for (let start = 0; start < values.length; start += size) {
    if (start > 0) await yieldToOthers();
    work(values.slice(start, start + size), start);
  }
}

function minOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
