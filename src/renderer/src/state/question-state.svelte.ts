import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { CatalogState } from './catalog-state.svelte.ts';
import { findDraftProblem } from './find-draft-problem.ts';
import { emptyDraft, type SearchDraft } from './search-draft.ts';
import { toSearchQuery } from './to-search-query.ts';

/** The question that is being put together. */
export class QuestionState {
  readonly #catalog: CatalogState;
  #draft = $state.raw<SearchDraft>(emptyDraft);
  #view = $state.raw<Bbox | null>(null);

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

  constructor(catalog: CatalogState) {
    this.#catalog = catalog;
  }

  get draft(): SearchDraft {
    return this.#draft;
  }

  /** What the map shows; null before the map is there. */
  get view(): Bbox | null {
    return this.#view;
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
}
