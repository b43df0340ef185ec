import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Session, SwathClient } from './session.svelte.ts';
import { indexById } from './index-by-id.ts';
import type { ConnectionState } from './connection-state.svelte.ts';

type CollectionsAnswer = Awaited<ReturnType<SwathClient['catalog']['collections']>>;

/** One collection of the catalog in use. */
export type CollectionEntry = CollectionsAnswer['collections'][number];

const cloudCover = 'eo:cloud_cover';
/** Colours in the style sheet; places in the list share them after that. */
const colourCount = 8;

/** The collections of the catalog in use and what can be asked of each. */
export class CatalogState {
  readonly #session: Session;
  /** Whether items of a collection have cloud cover, once that is known. */
  readonly #cloudCover = new SvelteMap<string, boolean>();
  readonly #asked = new SvelteSet<string>();
  #collections = $state.raw<readonly CollectionEntry[]>([]);
  #asOf = $state.raw<string | null>(null);
  #error = $state.raw<AppError | null>(null);
  #isLoading = $state(false);
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
  }

  get collections(): readonly CollectionEntry[] {
    return this.#collections;
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

  /** Fetches the list again. */
  async load(): Promise<void> {
    this.#isLoading = true;
    try {
      const { collections, asOf } = await this.#session.client.catalog.collections({});
      this.#collections = collections;
      this.#asOf = asOf;
      this.#error = null;
    } catch (thrown) {
      this.#error = toAppError(thrown);
    } finally {
      this.#isLoading = false;
    }
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

  /** Learns what can be asked of these collections, each once. */
  async learnQueryables(collectionIds: readonly string[]): Promise<void> {
    const unknown = collectionIds.filter((id) => !this.#asked.has(id));
    await Promise.all(unknown.map((id) => this.#learn(id)));
  }

  /** Whether items of a collection have cloud cover; null while that is not known. */
  hasCloudCover(collectionId: string): boolean | null {
    return this.#cloudCover.get(collectionId) ?? null;
  }

  async #learn(collectionId: string): Promise<void> {
    this.#asked.add(collectionId);
    try {
      const { queryables } = await this.#session.client.catalog.queryables({ collectionIds: [collectionId] });
      this.#cloudCover.set(
        collectionId,
        queryables.some(({ name }) => name === cloudCover),
      );
    } catch {
      // Not knowing hides a hint and nothing else; the next choice of the collection asks again.
      this.#asked.delete(collectionId);
    }
  }
}
