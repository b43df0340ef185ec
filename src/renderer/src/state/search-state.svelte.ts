import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { QuestionState } from './question-state.svelte.ts';
import { ReceivedRows, type ReceivedBatch } from './received-rows.ts';
import type { SearchDraft } from './search-draft.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** Who is to answer. `auto`: the catalog, or the library while that can't be reached. */
export type AnswerFrom = 'auto' | 'catalog' | 'library';

type SearchPage = Awaited<ReturnType<SwathClient['search']['run']>>;

/** What a search has brought so far. A new object with every page; its `rows` are one array that grows. */
export interface SearchResult {
  searchId: string;
  rows: readonly ItemRow[];
  /** The catalog's total, often an estimate; null when it doesn't say. */
  matched: number | null;
  /** Whether there is more than the rows: with the catalog, or here beyond the maximum. */
  hasMore: boolean;
  /** Whether items may be missing because the catalog's pages came to no end. */
  isIncomplete: boolean;
  skippedReasons: readonly string[];
  /** Items that were left out here, by conditions that the service can't be asked. */
  leftOutCount: number;
  /** When the saved search that this is was looked at before; null where it is not one, or never was. */
  newSince: string | null;
  /** Who answered last: an answer of the catalog may be gone on with from the library. */
  origin: SearchPage['origin'];
  /** The file that it came in; null for an answer to a question. */
  fileName: string | null;
  /** When the catalog answered, or gave the newest of the rows; of a past search, when it was asked. RFC 3339. */
  asOf: string;
  /** When the catalog gave the oldest of the rows, RFC 3339. */
  oldestAsOf: string;
  /** As of when the library holds all there is, by collection; null where the catalog answered. */
  coverage: SearchPage['coverage'];
}

/** How far a past search came that was not fetched to its end. */
export interface CutAnswer {
  count: number;
  /** The catalog's total of then, often an estimate; null when it didn't say. */
  matched: number | null;
}

/** A past search of which items were evicted since. */
export interface EvictedAnswer {
  /** All its items; null where a local filter makes that another number than that of what was kept. */
  count: number | null;
  evictedCount: number;
}

/** What is known of a past search that is shown. */
interface PastAnswer {
  maxItems: number;
  cut?: CutAnswer | null;
  evicted?: EvictedAnswer | null;
}

/** The question as it was when it was asked. */
export interface AskedQuestion {
  query: SearchQuery;
  draft: SearchDraft;
  /** The saved search that it is a look at. */
  savedSearchId: number | null;
}

/** `streaming`: page after page is on its way; `paused`: it waits for `goOn`. */
export type SearchPhase = 'idle' | 'searching' | 'streaming' | 'paused';

/** Rows that were just added to the answer; `isNew` when they begin one. */
export interface RowsEvent extends ReceivedBatch {
  isNew: boolean;
}

/** The answer to the last question asked. It comes page by page, up to the question's maximum. */
export class SearchState {
  readonly #session: Session;
  readonly #question: QuestionState;
  readonly #listeners: ((event: RowsEvent) => void)[] = [];
  #asked = $state.raw<AskedQuestion | null>(null);
  #result = $state.raw<SearchResult | null>(null);
  #error = $state.raw<AppError | null>(null);
  #moreError = $state.raw<AppError | null>(null);
  #phase = $state<SearchPhase>('idle');
  #maxItems = $state(0);
  #cut = $state.raw<CutAnswer | null>(null);
  #evicted = $state.raw<EvictedAnswer | null>(null);
  /** Gives up the first page on its way. */
  #asking: AbortController | null = null;
  /** Gives up what still comes of the answer that is shown. */
  #answering = new AbortController();
  /** Gives up the page on its way. */
  #paging: AbortController | null = null;
  /** The page on its way, for which a stream that goes on waits instead of asking again. */
  #pageOnItsWay: Promise<void> | null = null;
  #streamNumber = 0;
  #received = new ReceivedRows();
  #catalogHasMore = false;
  #isFromLibrary = false;

  constructor(session: Session, question: QuestionState) {
    this.#session = session;
    this.#question = question;
  }

  /** The last answer; null before the first. It stays while a newer search is on its way. */
  get result(): SearchResult | null {
    return this.#result;
  }

  /** The question that `result` answers. */
  get asked(): AskedQuestion | null {
    return this.#asked;
  }

  get rows(): readonly ItemRow[] {
    return this.#result?.rows ?? noRows;
  }

  get error(): AppError | null {
    return this.#error;
  }

  /** Why the last page didn't come. */
  get moreError(): AppError | null {
    return this.#moreError;
  }

  get phase(): SearchPhase {
    return this.#phase;
  }

  /** Of a past search that is shown and was not fetched to its end; null otherwise. */
  get cut(): CutAnswer | null {
    return this.#cut;
  }

  /** Of a past search that is shown and lost items since; null otherwise. */
  get evicted(): EvictedAnswer | null {
    return this.#evicted;
  }

  /** Rows after which the answer waits for `goOn`. */
  get maxItems(): number {
    return this.#maxItems;
  }

  /** How many rows the program has given, those that came twice included. */
  get givenCount(): number {
    return this.#received.givenCount;
  }

  /** Calls back with all rows that come. */
  onRows(listener: (event: RowsEvent) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Asks the question; resolves with the first page, and the others follow. An older search never shows again.
   * False when no answer came: it was given up or overtaken, or failed.
   */
  async run(savedSearchId: number | null = null, from: AnswerFrom = 'auto'): Promise<boolean> {
    if (this.#question.problem !== null) return false;
    const { query, draft, localFilter } = this.#question;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#streamNumber += 1;
    this.#phase = 'searching';
    this.#moreError = null;
    let page: SearchPage | null = null;
    let error: AppError | null = null;
    try {
      page = await this.#session.client.search.run(
        { query, localFilter, savedSearchId, from },
        { signal: asking.signal },
      );
    } catch (thrown) {
      error = toAppError(thrown);
    }
    if (asking.signal.aborted) return false;
    this.#begin({ query, draft, savedSearchId });
    this.#error = error;
    if (page) this.#take(page);
    else this.#tell({ isNew: true, rows: [], givenIndexes: [], isNewSince: [] });
    void this.#stream();
    return page !== null;
  }

  /**
   * Shows what is in the library of a past search, in the place of an answer to the question; not where something newer
   * was asked meanwhile.
   */
  async openPast(searchNumber: number, options: PastAnswer): Promise<void> {
    this.#asking?.abort();
    if (this.#phase === 'searching') this.#phase = 'idle';
    const { signal } = (this.#asking = new AbortController());
    try {
      const page = await this.#session.client.search.openPast({ searchNumber }, { signal });
      if (!signal.aborted) await this.show(page, options);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }

  /** Takes the first page of an answer that somebody else asked for, with what follows it. */
  async show(page: SearchPage, { maxItems, cut = null, evicted = null }: PastAnswer): Promise<void> {
    this.#asking?.abort();
    this.#streamNumber += 1;
    const { query, draft } = this.#question;
    this.#begin({ query, draft, savedSearchId: null });
    this.#maxItems = maxItems;
    this.#cut = cut;
    this.#evicted = evicted;
    this.#error = null;
    this.#take(page);
    await this.#stream();
  }

  /** Has the library answer what the catalog hasn't answered, after a page that failed. */
  async goOnFromLibrary(): Promise<void> {
    this.#isFromLibrary = true;
    this.#moreError = null;
    await this.#stream();
  }

  /** Lets the page on its way come in, and no other until `goOn`. */
  pause(): void {
    if (this.#phase === 'streaming') this.#phase = 'paused';
  }

  /** Gives up the page on its way; `goOn` asks for it again. What is here stays. */
  stop(): void {
    if (this.#phase === 'searching') this.#asking?.abort();
    else this.#paging?.abort();
    this.#phase = 'idle';
  }

  /** Gives up what is on its way and forgets the answer: another catalog is in use. */
  forget(): void {
    this.#asking?.abort();
    this.#streamNumber += 1;
    this.#phase = 'idle';
    this.#clear();
    this.#asked = null;
    this.#error = null;
    this.#tell({ isNew: true, rows: [], givenIndexes: [], isNewSince: [] });
  }

  /** Goes on after a pause, a stop, a failed page or the maximum, which it raises. */
  async goOn(): Promise<void> {
    if (!this.#result?.hasMore || this.#phase === 'searching' || this.#phase === 'streaming') return;
    if (this.#received.rows.length >= this.#maxItems) {
      this.#maxItems += this.#question.draft.maxItems;
      this.#release();
    }
    this.#moreError = null;
    await this.#stream();
  }

  async #stream(): Promise<void> {
    this.#phase = 'streaming';
    const number = ++this.#streamNumber;
    while (number === this.#streamNumber && this.#shouldFetch) {
      this.#pageOnItsWay ??= this.#fetchPage();
      await this.#pageOnItsWay;
    }
    if (number === this.#streamNumber && !(this.#isPaused && this.#isRoomLeft)) this.#phase = 'idle';
  }

  get #isPaused(): boolean {
    return this.#phase === 'paused';
  }

  get #shouldFetch(): boolean {
    return this.#phase === 'streaming' && this.#isRoomLeft && this.#moreError === null;
  }

  get #isRoomLeft(): boolean {
    return this.#catalogHasMore && this.#received.rows.length < this.#maxItems;
  }

  async #fetchPage(): Promise<void> {
    const searchId = this.#result?.searchId ?? '';
    const paging = new AbortController();
    this.#paging = paging;
    const signal = AbortSignal.any([this.#answering.signal, paging.signal]);
    try {
      // A page that was given up on its way comes again: the program knows by the rows that did come.
      const page = await this.#session.client.search.more(
        { searchId, afterRows: this.#received.givenCount, fromLibrary: this.#isFromLibrary },
        { signal },
      );
      if (!signal.aborted) this.#take(page);
    } catch (thrown) {
      if (!signal.aborted) this.#moreError = toAppError(thrown);
    }
    if (this.#paging === paging) this.#pageOnItsWay = null;
  }

  #begin(asked: AskedQuestion): void {
    this.#clear();
    this.#asked = asked;
    this.#maxItems = asked.draft.maxItems;
  }

  #clear(): void {
    this.#answering.abort();
    this.#answering = new AbortController();
    this.#paging = null;
    this.#pageOnItsWay = null;
    this.#result = null;
    this.#moreError = null;
    this.#received = new ReceivedRows();
    this.#catalogHasMore = false;
    this.#isFromLibrary = false;
    this.#cut = null;
    this.#evicted = null;
  }

  #take(page: SearchPage): void {
    const isNew = this.#result === null;
    this.#catalogHasMore = page.hasMore;
    this.#received.take(page);
    const before = this.#result;
    this.#result = {
      searchId: page.searchId,
      rows: this.#received.rows,
      matched: page.matched ?? before?.matched ?? null,
      hasMore: page.hasMore,
      isIncomplete: page.isIncomplete,
      skippedReasons: [...(before?.skippedReasons ?? []), ...page.skipped.map(({ reason }) => reason)],
      leftOutCount: (before?.leftOutCount ?? 0) + page.leftOutCount,
      newSince: page.newSince,
      origin: page.origin,
      fileName: page.fileName,
      asOf: page.asOf,
      oldestAsOf: before && before.oldestAsOf < page.oldestAsOf ? before.oldestAsOf : page.oldestAsOf,
      coverage: page.coverage,
    };
    this.#release(isNew);
  }

  /** Adds what is held to the answer, as far as the maximum allows. */
  #release(isNew = false): void {
    const batch = this.#received.release(this.#maxItems);
    if (this.#result) {
      this.#result = { ...this.#result, hasMore: this.#catalogHasMore || this.#received.hasHeld };
    }
    this.#tell({ isNew, ...batch });
  }

  #tell(event: RowsEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const noRows: readonly ItemRow[] = [];
