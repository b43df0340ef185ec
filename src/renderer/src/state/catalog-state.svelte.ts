import { SvelteMap } from 'svelte/reactivity';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { CatalogFact } from '#shared/search/catalog-facts.ts';
import type { Queryable } from '#shared/stac/queryables.ts';
import type { Session, SwathClient } from './session.svelte.ts';
import { indexById } from './index-by-id.ts';
import type { ConnectionState } from './connection-state.svelte.ts';

type CollectionsAnswer = Awaited<ReturnType<SwathClient['catalog']['collections']>>;

/** One collection of the catalog in use. */
export type CollectionEntry = CollectionsAnswer['collections'][number];

/** Colours in the style sheet; places in the list share them after that. */
const colourCount = 8;

/** The collections of the catalog in use, what can be asked of each, and what was learnt about the catalog. */
export class CatalogState {
  readonly #session: Session;
  /** By the ids that were asked for together; none is all collections. */
  readonly #queryables = new SvelteMap<string, readonly Queryable[]>();
  readonly #failed = new SvelteMap<string, AppError>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows what is on its way
  readonly #asking = new Map<string, Promise<void>>();
  #wantedIds: readonly string[] | null = null;
  #catalogId = $state<string | null>(null);
  #facts = $state.raw<readonly CatalogFact[]>([]);
  #collections = $state.raw<readonly CollectionEntry[]>([]);
  #asOf = $state.raw<string | null>(null);
  #error = $state.raw<AppError | null>(null);
  #isLoading = $state(false);
  #loadNumber = 0;
  readonly #places = $derived(indexById(this.#collections));

  /** The colour of a collection on map, list and chips, as CSS. A new function when the list is another. */
  readonly colourOf = $derived.by(() => {
    const places = this.#places;
    return (collectionId: string): string => {
      const place = places.get(collectionId) ?? places.size;
      return `var(--collection-${(place % colourCount) + 1})`;
    };
  });

  constructor(session: Session, connection: ConnectionState) {
    this.#session = session;
    connection.onOnline(() => void this.load());
    session.onOpen((client) => {
      client.catalog.facts({}, { onEvent: (event) => this.#takeFacts(event) });
    });
  }

  get collections(): readonly CollectionEntry[] {
    return this.#collections;
  }

  /** What the catalog's answers taught about what it takes. */
  get facts(): readonly CatalogFact[] {
    return this.#facts;
  }

  /** When the list was fetched; null before. */
  get asOf(): string | null {
    return this.#asOf;
  }

  get error(): AppError | null {
    return this.#error;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Fetches the list again, and what could not be learnt before. */
  async load(): Promise<void> {
    const loadNumber = ++this.#loadNumber;
    this.#isLoading = true;
    try {
      const { collections, asOf } = await this.#session.client.catalog.collections({});
      if (loadNumber !== this.#loadNumber) return;
      this.#collections = collections;
      this.#asOf = asOf;
      this.#error = null;
    } catch (thrown) {
      if (loadNumber === this.#loadNumber) this.#error = toAppError(thrown);
    } finally {
      if (loadNumber === this.#loadNumber) this.#isLoading = false;
    }
    if (this.#wantedIds) await this.learnQueryables(this.#wantedIds);
  }

  /** Forgets everything, and asks the catalog that is in use now. */
  forget(): void {
    this.#collections = [];
    this.#asOf = null;
    this.#error = null;
    this.#wantedIds = null;
    this.#forgetQueryables();
    void this.load();
  }

  /** The collection of an id, or null when the catalog didn't list it. */
  find(collectionId: string): CollectionEntry | null {
    const place = this.#places.get(collectionId);
    return place === undefined ? null : (this.#collections[place] ?? null);
  }

  /** The title of a collection, or its id. */
  titleOf(collectionId: string): string {
    return this.find(collectionId)?.title ?? collectionId;
  }

  /** Learns what can be asked of these collections, of each and of all together, each once. */
  async learnQueryables(collectionIds: readonly string[]): Promise<void> {
    this.#wantedIds = collectionIds;
    const questions = [collectionIds, ...collectionIds.map((id) => [id])];
    await Promise.all(questions.map((ids) => this.#learn(ids)));
  }

  /** What can be asked of these collections together; of all, where none is named. Null while that is not known. */
  queryablesOf(collectionIds: readonly string[]): readonly Queryable[] | null {
    return this.#queryables.get(toKey(collectionIds)) ?? null;
  }

  /** Why it isn't known what can be asked of these collections together. */
  queryablesErrorOf(collectionIds: readonly string[]): AppError | null {
    return this.#failed.get(toKey(collectionIds)) ?? null;
  }

  /** Whether a collection is known not to have a property. */
  lacks(collectionId: string, property: string): boolean {
    const queryables = this.queryablesOf([collectionId]);
    // A collection that lists nothing tells nothing.
    return queryables !== null && queryables.length > 0 && queryables.every(({ name }) => name !== property);
  }

  #learn(collectionIds: readonly string[]): Promise<void> {
    const key = toKey(collectionIds);
    if (this.#queryables.has(key)) return Promise.resolve();
    const asking = this.#asking.get(key) ?? this.#ask(key, collectionIds);
    this.#asking.set(key, asking);
    return asking;
  }

  async #ask(key: string, collectionIds: readonly string[]): Promise<void> {
    const catalogId = this.#catalogId;
    try {
      const input = { collectionIds: [...collectionIds] };
      const { queryables } = await this.#session.client.catalog.queryables(input);
      if (catalogId !== this.#catalogId) return;
      this.#queryables.set(key, queryables);
      this.#failed.delete(key);
    } catch (thrown) {
      if (catalogId === this.#catalogId) this.#failed.set(key, toAppError(thrown));
    } finally {
      this.#asking.delete(key);
    }
  }

  #takeFacts({ catalogId, facts }: { catalogId: string; facts: readonly CatalogFact[] }): void {
    const isOther = this.#catalogId !== null && catalogId !== this.#catalogId;
    this.#catalogId = catalogId;
    this.#facts = facts;
    if (!isOther) return;
    this.#forgetQueryables();
    void this.load();
  }

  #forgetQueryables(): void {
    this.#queryables.clear();
    this.#failed.clear();
    this.#asking.clear();
  }
}

// Ids can't hold a line break in a URL.
function toKey(collectionIds: readonly string[]): string {
  return collectionIds.join('\n');
}
