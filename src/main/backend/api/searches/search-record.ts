import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { KeptPart, Library, RunRef } from '../../library/library.ts';
import { markGone } from '../../library/mark-gone.ts';
import { hashContents } from '../../library/hash-content.ts';

/** A page of an answer, as it goes into the library. */
export interface PageToKeep {
  items: readonly IdentifiedItem[];
  leftOutCount: number;
  matched: number | null;
  fetchedAtMs: number;
  /** Whether Items of it could not be read. */
  hasGap: boolean;
  /** Whether it is the last one, and nothing is known to be missing. */
  isLast: boolean;
}

/** Keeps what a catalog answers to a question: its Items, and which these were. What can't be kept is told. */
export class SearchRecord {
  readonly #library: Library;
  readonly #asked: { query: SearchQuery; localFilter: LocalFilter | null };
  readonly #onNotKept: (thrown: unknown) => void;
  /** Null before the first page is in. */
  #run: RunRef | null = null;
  /** Whether the library lacks Items of it: they could not be read, or not be kept. */
  #hasGap = false;

  constructor(
    library: Library,
    asked: { query: SearchQuery; localFilter: LocalFilter | null },
    onNotKept: (thrown: unknown) => void,
  ) {
    this.#library = library;
    this.#asked = asked;
    this.#onNotKept = onNotKept;
  }

  /** Resolves when the page was written, or could not be. */
  async keep(page: PageToKeep): Promise<void> {
    const { items, fetchedAtMs } = page;
    this.#hasGap ||= page.hasGap;
    await this.#library.takeIn({
      items,
      fetchedAtMs,
      onKept: async (library) => this.#note(library, page, await hashContents(items)),
      onFailure: (thrown) => {
        this.#hasGap = true;
        this.#onNotKept(thrown);
      },
    });
  }

  async #note(library: Library, page: PageToKeep, contentHashes: number[]): Promise<void> {
    const { items, leftOutCount, matched, fetchedAtMs, isLast } = page;
    const toPart = (): KeptPart => ({
      items: items.map(({ ref }) => ref),
      contentHashes,
      leftOutCount,
      matched,
      isComplete: isLast && !this.#hasGap,
    });
    if (this.#run && !(await library.extendSearch(this.#run, toPart()))) {
      this.#run = null;
      this.#hasGap = true;
    }
    if (!this.#run) {
      const searchNumber = await library.saveSearch({ ...this.#asked, ...toPart() }, fetchedAtMs);
      this.#run = { searchNumber, query: this.#asked.query, fetchedAtMs };
    }
    if (toPart().isComplete) await this.#markGone(library, this.#run);
  }

  async #markGone(library: Library, { searchNumber, query, fetchedAtMs }: RunRef): Promise<void> {
    try {
      await markGone(library, { searchNumber, query, beganAtMs: fetchedAtMs });
    } catch (thrown) {
      this.#onNotKept(thrown);
    }
  }
}
