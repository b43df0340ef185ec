import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { ItemMarks } from './gone-store.ts';
import type { LibraryImports } from './import-store.ts';
import type { LibraryUpkeep } from './upkeep/library-upkeep.ts';
import type { IntakePage } from './intake.ts';
import type { LibraryOverview } from './overview/read-overview.ts';
import type { RunStore } from './run-store.ts';
import type { AnswerSummary } from './search/answer-summary.ts';

/** Something kept, and when the catalog gave it (milliseconds since 1970 UTC). */
export interface Kept<Value> {
  value: Value;
  fetchedAtMs: number;
}

/** A position in an ordered answer: the last Item given. Stays valid when Items are added or removed. */
export interface PagePosition {
  /** Value of the sort property of that Item: microseconds, per cent. */
  sortValue: number;
  collectionId: string;
  itemId: string;
}

/** One page of an answer from the library. */
export interface LibraryPage {
  items: IdentifiedItem[];
  /** Where to go on, or null after the last page. */
  next: PagePosition | null;
}

/**
 * Asks the library with exactly the semantics of catalog-service.md §4.6. Its methods let others have their turn while
 * they look at many Items, and end with an AbortError when the signal aborts.
 */
export interface SearchEngine {
  /**
   * One page in the query's order (default: datetime descending, then id ascending). `fields` is not applied here.
   * @throws AppError `stac.query-rejected` for an operator or operand that the property's type doesn't take, or a
   *   sort field that isn't supported
   */
  search(
    query: SearchQuery,
    page: { limit: number; after?: PagePosition | null; signal?: AbortSignal | undefined },
  ): Promise<LibraryPage>;
  /** How many Items match, or null when counting would look at more than `maxCandidates` of them one by one. */
  count(
    query: SearchQuery,
    options: { maxCandidates: number; signal?: AbortSignal | undefined },
  ): Promise<number | null>;
  /** What an answer is made of: by collection, by month, and by the values of some properties. */
  summarise(
    query: SearchQuery,
    options: { properties: readonly string[]; signal?: AbortSignal | undefined },
  ): Promise<AnswerSummary>;
}

/** A part of what a search brought. */
export interface KeptPart {
  /** In the order that the catalog gave. */
  items: readonly ItemRef[];
  /** Of each of these, a number that its content has alone (48 bits); left out where nobody compares runs. */
  contentHashes?: readonly number[];
  /** How many of these the search's local filter left out. */
  leftOutCount: number;
  matched: number | null;
  isComplete: boolean;
}

/** A search that was made, to be found again. */
export interface KeptSearch extends KeptPart {
  query: SearchQuery;
  localFilter: LocalFilter | null;
}

/** The record of one search: its number alone may be given again. */
export interface RunRef {
  searchNumber: number;
  query: SearchQuery;
  /** Of its first page, in milliseconds since 1970 UTC. */
  fetchedAtMs: number;
}

/** A search that was made, in short. */
export interface PastSearch {
  searchNumber: number;
  query: SearchQuery;
  localFilter: LocalFilter | null;
  /** Items that were kept of it, less those that the local filter left out. */
  count: number;
  /** How many of its Items were evicted since. */
  evictedCount: number;
  matched: number | null;
  isComplete: boolean;
  fetchedAtMs: number;
}

/** A picture of an Item. */
export interface Thumbnail {
  mediaType: string;
  bytes: Buffer;
}

/** A page of Items that is shown before it is written. */
export interface TakenPage extends Omit<IntakePage, 'onKept'> {
  /**
   * Called once all Items are in, and waited for, with the library to write to what belongs to them: its file stays the
   * same until then. What it throws is a failure too.
   */
  onKept(library: Library): void | Promise<void>;
}

/**
 * The local SQLite store. One process, one writer. What reads is synchronous and short; what writes resolves once it is
 * committed, in the order it was asked for.
 */
export interface Library {
  readonly engine: SearchEngine;
  /**
   * Adds Items or replaces older ones, after all that was taken in before. Signed links are taken out before anything is
   * written. A partial Item takes no whole one's place, and adds to another partial one. `item` finds them at once.
   */
  saveItems(items: readonly IdentifiedItem[], fetchedAtMs: number): Promise<void>;
  /**
   * Keeps a page a little later, slice by slice and after the pages before it; resolves when that is done, or failed.
   * `item` finds its Items at once; the engine, the count and the past searches know them when they are written.
   */
  takeIn(page: TakenPage): Promise<void>;
  /** Resolves when all that was taken in until now is written. */
  settle(): Promise<void>;
  /**
   * Brings up to date what questions are answered fast by: columns, and the full-text index in few pieces. It is done in
   * pauses anyway; this is for a library that is filled once.
   */
  catchUp(): Promise<void>;
  /**
   * Does something to the library of which all is kept once it is done, and nothing where it throws or the program ends
   * before. What it wrote is not read before that, and what others write waits.
   */
  together<Result>(work: (library: Library) => Promise<Result>): Promise<Result>;
  item(ref: ItemRef): Kept<IdentifiedItem> | null;
  /** What is known of Items beside their content, in the same order; null for one that isn't here. */
  marksOf(refs: readonly ItemRef[]): (ItemMarks | null)[];
  /** Marks Items that the catalog had no more at that moment. One that was fetched since stays unmarked. */
  markGone(refs: readonly ItemRef[], atMs: number): Promise<void>;
  countItems(): number;
  /**
   * Items that have all words of a text in their id, their title or the words of their properties, or in what is said of
   * their collection; the last word may be begun only. Most recent first. Case, accents and signs make no difference;
   * any text is a question.
   */
  findText(text: string, options: { limit: number }): ItemRef[];
  /** What is in it, collection by collection and place by place. Read in a thread of its own: it goes through all Items. */
  overview(): Promise<LibraryOverview>;
  /** Replaces the list of collections. */
  saveCollections(collections: readonly StacCollection[], fetchedAtMs: number): Promise<void>;
  /** In the catalog's order. */
  collections(): Kept<StacCollection[]> | null;
  /** Ids of those that the catalog didn't list, or was not asked for, and Items are of. */
  unlistedCollectionIds(): string[];
  /** A queryables answer; the key is the ids asked for, sorted and joined, or the empty text. */
  saveQueryables(collectionIds: readonly string[], answer: JsonObject, fetchedAtMs: number): Promise<void>;
  queryables(collectionIds: readonly string[]): Kept<JsonObject> | null;
  /** Begins the record of a search; returns its number. Items that aren't in the library are passed over. */
  saveSearch(search: KeptSearch, fetchedAtMs: number): Promise<number>;
  /**
   * Adds a further page to that record; a total that isn't known leaves the earlier one. False where it isn't here any
   * more: it was forgotten, or another library took the place of this one. Its number may be another record's then.
   */
  extendSearch(run: RunRef, page: KeptPart): Promise<boolean>;
  /** Forgets a search with all its runs; the Items stay. Can be undone until the library closes. */
  forgetSearch(searchNumber: number): Promise<void>;
  /** Undoes `forgetSearch`; false when it is gone for good. */
  takeSearchBack(searchNumber: number): Promise<boolean>;
  /** Searches that were made, newest first; of each question the latest. */
  pastSearches(options: { limit: number }): PastSearch[];
  pastSearch(searchNumber: number): PastSearch | null;
  /** What single runs of searches brought. */
  readonly runs: RunStore;
  /** Keeps the picture of an Item that is in the library, or was taken in; of another one nothing. */
  saveThumbnail(ref: ItemRef, thumbnail: Thumbnail, fetchedAtMs: number): Promise<void>;
  thumbnail(ref: ItemRef): Kept<Thumbnail> | null;
  /** Items that came from files. */
  readonly imports: LibraryImports;
  /** Work on the file itself. */
  readonly upkeep: LibraryUpkeep;
  /** Ends its threads once all that was taken in is written. It can be read until the file is closed by what this gives. */
  endThreads(): Promise<() => void>;
  /** Closes it once all that was taken in is written. */
  close(): Promise<void>;
}
