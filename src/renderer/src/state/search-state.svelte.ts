import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { emptyDraft, type SearchDraft } from './search-draft.ts';
import { findDraftProblem } from './find-draft-problem.ts';
import { toSearchQuery } from './to-search-query.ts';
import type { CatalogState } from './catalog-state.svelte.ts';
import { toItemKey } from './item-key.ts';
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

/** The question being put together, and the answer to the last one asked. */
export class SearchState {
  readonly #session: Session;
  readonly #catalog: CatalogState;
  #draft = $state.raw<SearchDraft>(emptyDraft);
  #view = $state.raw<Bbox | null>(null);
  #result = $state.raw<SearchResult | null>(null);
  #error = $state.raw<AppError | null>(null);
  #moreError = $state.raw<AppError | null>(null);
  #phase = $state<'idle' | 'searching' | 'loading-more'>('idle');
  #abort: AbortController | null = null;

  /** Whether cloud cover can be asked for: some chosen collection has it, or it isn't known that none has. */
  readonly hasCloudCover = $derived.by(() => {
    const { collectionIds } = this.#draft;
    return (
      collectionIds.length === 0 || collectionIds.some((id) => this.#catalog.hasCloudCover(id) !== false)
    );
  });
  /** Chosen collections of which no item comes back while a condition or the order names cloud cover. */
  readonly cloudlessIds = $derived(
    this.#draft.collectionIds.filter((id) => this.#catalog.hasCloudCover(id) === false),
  );
  /** Why the question can't be asked as it is; null when it can. */
  readonly problem = $derived(findDraftProblem(this.#draft));
  /** The request as it would go out now. */
  readonly query: SearchQuery = $derived(
    toSearchQuery(this.#draft, { view: this.#view, hasCloudCover: this.hasCloudCover }),
  );

  constructor(session: Session, catalog: CatalogState) {
    this.#session = session;
    this.#catalog = catalog;
  }

  get draft(): SearchDraft {
    return this.#draft;
  }

  get view(): Bbox | null {
    return this.#view;
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

  /** Changes parts of the question. */
  edit(change: Partial<SearchDraft>): void {
    this.#draft = { ...this.#draft, ...change };
    if (change.collectionIds) void this.#catalog.learnQueryables(change.collectionIds);
  }

  /** Takes note of what the map shows. */
  setView(view: Bbox): void {
    this.#view = view;
  }

  /** Asks the question. A search or page still on its way is given up: its answer never shows. */
  async run(): Promise<void> {
    if (this.problem !== null) return;
    const query = this.query;
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
