import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { CatalogFact } from '#shared/search/catalog-facts.ts';
import { isCutByFields } from '#shared/search/is-cut-by-fields.ts';
import { passesLocalFilter, type LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { toItemRow, type ItemRow } from '#shared/stac/item-row.ts';
import type { ItemPage, ItemPages } from '../../catalog/catalog-client.ts';
import { learnFromAnswer } from '../../catalog/learn-from-answer.ts';
import type { OpenCatalog } from '../../connection/catalogs.ts';
import type { FactStore } from '../../notebook/fact-store.ts';
import type { SavedSearchStore } from '../../notebook/saved-search-store.ts';
import type { Clock, Logger } from '../../ports.ts';
import { logNotKept, toTimestamp, tryToKeep } from '../kept-answers.ts';
import { createColumnStore, type ColumnStore } from './column-store.ts';

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
  asOf: string;
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
  /** Lets go of the columns. */
  forgetColumns(): void;
}

const noPage: ItemPage = { items: [], skipped: [], matched: null };

/** Puts a question to a catalog. Nothing is asked before the first `next`. */
export async function openSearch(start: SearchStart, parts: SearchParts): Promise<OpenSearch> {
  const { catalog } = await start.source.connection.access();
  return new RunningSearch(start, parts, catalog.search(toSentQuery(start.query, start.localFilter)));
}

class RunningSearch implements OpenSearch {
  readonly searchId = randomUUID();
  readonly given: ItemRef[] = [];
  readonly #start: SearchStart;
  readonly #parts: SearchParts;
  readonly #pages: ItemPages;
  #columns: ColumnStore;
  #last: { startRow: number; answer: SearchAnswer } | null = null;
  /** Number of its record in the library; null before the first page. */
  #searchNumber: number | null = null;
  /** Whether the library lacks Items of it: they could not be read, or not be kept. */
  #hasGap = false;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** The last page on its way into the library. */
  #lastIntake: Promise<void> = Promise.resolve();

  constructor(start: SearchStart, parts: SearchParts, pages: ItemPages) {
    this.#start = start;
    this.#parts = parts;
    this.#pages = pages;
    this.#columns = createColumnStore({ maxBytes: parts.maxColumnBytes });
  }

  get columns(): ColumnStore {
    return this.#columns;
  }

  forgetColumns(): void {
    this.#columns = createColumnStore({ maxBytes: 0 });
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
    const { source, query, localFilter, look } = this.#start;
    // A page that was announced may turn out not to be there; then at least the record is known to be whole.
    const asking = source.connection.ask(() => this.#pages.next({ signal }));
    const page = (await learnFromAnswer(query, asking, (facts) => this.#learn(facts))) ?? noPage;
    const fetchedAtMs = this.#parts.clock.now();
    const items = page.items.map((one) => this.#markPartial(one));
    const passing = items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
    const leftOutCount = items.length - passing.length;
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
      hasMore: this.#pages.hasMore,
      isIncomplete: this.#pages.isIncomplete,
      skipped: page.skipped,
      asOf: toTimestamp(fetchedAtMs),
    };
    this.#last = { startRow, answer };
    // Pages that come faster than they can be written would pile up.
    await this.#lastIntake;
    this.#lastIntake = this.#keep({ page, items, leftOutCount }, fetchedAtMs);
    return answer;
  }

  #learn(facts: readonly CatalogFact[]): void {
    const { facts: known, clock, logger } = this.#parts;
    // What came is shown whatever the notebook can take.
    void tryToKeep(logger, () => known.learn(this.#start.source.id, facts, clock.now()));
  }

  #markPartial(one: IdentifiedItem): IdentifiedItem {
    const { fields } = this.#start.query;
    return fields && isCutByFields(one.item, fields) ? { ...one, isPartial: true } : one;
  }

  /** Keeps a page, after it was given to whoever asked for it. */
  #keep(
    { page, items, leftOutCount }: { page: ItemPage; items: IdentifiedItem[]; leftOutCount: number },
    fetchedAtMs: number,
  ): Promise<void> {
    const { query, localFilter, source } = this.#start;
    const { hasMore, isIncomplete } = this.#pages;
    this.#hasGap ||= page.skipped.length > 0;
    return source.library.takeIn({
      items,
      fetchedAtMs,
      onKept: async () => {
        const part = {
          items: items.map(({ ref }) => ref),
          leftOutCount,
          matched: page.matched,
          isComplete: !hasMore && !isIncomplete && !this.#hasGap,
        };
        if (this.#searchNumber !== null) await source.library.extendSearch(this.#searchNumber, part);
        else
          this.#searchNumber = await source.library.saveSearch({ query, localFilter, ...part }, fetchedAtMs);
      },
      onFailure: (thrown) => {
        this.#hasGap = true;
        logNotKept(this.#parts.logger, thrown);
      },
    });
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
