import { SvelteSet } from 'svelte/reactivity';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { PictureCorners } from '#shared/stac/picture-corners.ts';
import { isSameItem } from '#shared/stac/item-key.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** An Item with everything the catalog says about it. */
export type OpenedItem = Awaited<ReturnType<SwathClient['item']['get']>>;

/** One asset of an opened Item. */
export type AssetView = OpenedItem['assets'][number];

/** The opened item, whole, and the assets chosen from it. */
export class ItemState {
  readonly #session: Session;
  #ref = $state.raw<ItemRef | null>(null);
  #item = $state.raw<OpenedItem | null>(null);
  #error = $state.raw<AppError | null>(null);
  #isLoading = $state(false);
  readonly #chosenKeys = new SvelteSet<string>();
  #abort: AbortController | null = null;

  /** The chosen assets, in the catalog's order. */
  readonly chosen = $derived(this.#item?.assets.filter(({ key }) => this.#chosenKeys.has(key)) ?? []);

  constructor(session: Session) {
    this.#session = session;
  }

  /** The loaded item; null while it is on its way. */
  get item(): OpenedItem | null {
    return this.#item;
  }

  get error(): AppError | null {
    return this.#error;
  }

  /** Whether the catalog is asked; what the library has may be shown meanwhile. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /**
   * Loads an item; an earlier one still on its way is given up. What the library has of it is shown until the catalog
   * answers, which may take it seconds: it signs a link for every asset.
   */
  async load(ref: ItemRef): Promise<void> {
    if (!isSameItem(ref, this.#ref)) this.#chosenKeys.clear();
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#ref = ref;
    this.#item = null;
    this.#error = null;
    this.#isLoading = true;
    void this.#showKept(ref, signal);
    try {
      const item = await this.#session.client.item.get(ref, { signal });
      if (!signal.aborted) this.#item = item;
    } catch (thrown) {
      if (!signal.aborted) this.#error = toAppError(thrown);
    } finally {
      if (!signal.aborted) this.#isLoading = false;
    }
  }

  /** Gives up what is on its way and forgets the item: another catalog is in use. */
  forget(): void {
    this.#abort?.abort();
    this.#ref = null;
    this.#item = null;
    this.#error = null;
    this.#isLoading = false;
    this.#chosenKeys.clear();
  }

  /** Where the picture of any item lies; null where nothing tells. */
  async cornersOf(ref: ItemRef): Promise<PictureCorners | null> {
    return (await this.#session.client.item.pictureCorners(ref)).corners;
  }

  async #showKept(ref: ItemRef, signal: AbortSignal): Promise<void> {
    try {
      const kept = await this.#session.client.item.kept(ref, { signal });
      if (!signal.aborted && !this.#item && !this.#error) this.#item = kept;
    } catch {
      // Without a copy the answer of the catalog is waited for, and its error is the one to show.
    }
  }

  isChosen(key: string): boolean {
    return this.#chosenKeys.has(key);
  }

  /** Chooses assets or takes them out of the choice. */
  choose(keys: readonly string[], isChosen: boolean): void {
    for (const key of keys) {
      if (isChosen) this.#chosenKeys.add(key);
      else this.#chosenKeys.delete(key);
    }
  }
}
