import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { toItemKey } from './item-key.ts';
import type { QuestionState } from './question-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type SearchPage = Awaited<ReturnType<SwathClient['search']['run']>>;

/** What a search has brought so far. */
export interface SearchResult {
  searchId: string;
  rows: readonly ItemRow[];
  /** The catalog's total, often an estimate; null when it doesn't say. */
  matched: number | null;
  hasMore: boolean;
  /** Whether items may be missing because the catalog's pages led in a circle. */
  isIncomplete: boolean;
  skippedReasons: readonly string[];
  asOf: string;
}

/** The answer to the last question asked. */
export class SearchState {
  readonly #session: Session;
  readonly #question: QuestionState;
  #result = $state.raw<SearchResult | null>(null);
  #error = $state.raw<AppError | null>(null);
  #moreError = $state.raw<AppError | null>(null);
  #phase = $state<'idle' | 'searching' | 'loading-more'>('idle');
  #abort: AbortController | null = null;

  constructor(session: Session, question: QuestionState) {
    this.#session = session;
    this.#question = question;
  }

  /** The last answer; null before the first. It stays while a newer search is on its way. */
  get result(): SearchResult | null {
    return this.#result;
  }

  get rows(): readonly ItemRow[] {
    return this.#result?.rows ?? noRows;
  }

  get error(): AppError | null {
    return this.#error;
  }

  /** Why the last `more` brought nothing. */
  get moreError(): AppError | null {
    return this.#moreError;
  }

  get phase(): 'idle' | 'searching' | 'loading-more' {
    return this.#phase;
  }

  /** Asks the question. A search or page still on its way is given up: its answer never shows. */
  async run(): Promise<void> {
    if (this.#question.problem !== null) return;
    const { query } = this.#question;
    const signal = this.#begin('searching');
    try {
      const page = await this.#session.client.search.run({ query }, { signal });
      if (signal.aborted) return;
      this.#result = toResult(page);
      this.#error = null;
    } catch (thrown) {
      if (signal.aborted) return;
      this.#result = null;
      this.#error = toAppError(thrown);
    }
    this.#end(signal);
  }

  /** Adds the next page to the answer. */
  async more(): Promise<void> {
    const before = this.#result;
    if (!before?.hasMore || this.#phase !== 'idle') return;
    const signal = this.#begin('loading-more');
    try {
      const page = await this.#session.client.search.more({ searchId: before.searchId }, { signal });
      if (signal.aborted) return;
      this.#result = appendPage(before, page);
    } catch (thrown) {
      if (signal.aborted) return;
      this.#moreError = toAppError(thrown);
    }
    this.#end(signal);
  }

  /** Gives up the search or page on its way and keeps what was there. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#phase = 'idle';
  }

  #begin(phase: 'searching' | 'loading-more'): AbortSignal {
    this.#abort?.abort();
    this.#abort = new AbortController();
    this.#phase = phase;
    this.#moreError = null;
    return this.#abort.signal;
  }

  #end(signal: AbortSignal): void {
    if (this.#abort?.signal !== signal) return;
    this.#abort = null;
    this.#phase = 'idle';
  }
}

const noRows: readonly ItemRow[] = [];

function toResult(page: SearchPage): SearchResult {
  return { ...page, skippedReasons: page.skipped.map(({ reason }) => reason) };
}

// A catalog that gains items between two pages may send one twice.
function appendPage(before: SearchResult, page: SearchPage): SearchResult {
  const known = new Set(before.rows.map(toItemKey));
  return {
    ...toResult(page),
    rows: [...before.rows, ...page.rows.filter((row) => !known.has(toItemKey(row)))],
    matched: page.matched ?? before.matched,
    skippedReasons: [...before.skippedReasons, ...page.skipped.map(({ reason }) => reason)],
  };
}
