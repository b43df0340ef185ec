import { SvelteMap } from 'svelte/reactivity';
import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { maxAskedItems, type BroughtFile } from '#shared/transfer/transfer-history.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { ConnectionState } from './connection-state.svelte.ts';
import { GatheredRefs } from './gathered-refs.ts';
import { countFiles, latestTransfers, type ItemFiles } from './item-files.ts';
import type { Session } from './session.svelte.ts';
import type { TransfersState } from './transfers-state.svelte.ts';

const noTransfers: ReadonlyMap<string, Transfer> = new Map();

/** What the queue and its history know of the files of the catalog's Items. */
export class ItemFilesState {
  readonly #session: Session;
  readonly #transfers: TransfersState;
  readonly #connection: ConnectionState;
  /** The assets of each Item of which a file was brought, as far as it was asked. */
  readonly #remembered = new SvelteMap<string, readonly string[]>();
  readonly #gathered = new GatheredRefs();
  /** Other than before when something may have been brought, or another catalog is in use. */
  readonly #occasion: string = $derived.by(() => {
    const done = this.#transfers.queue?.counts.done ?? 0;
    return `${this.#connection.id} ${done} ${this.#transfers.forgottenCount}`;
  });

  readonly #listed = $derived.by(() => {
    const { all, orders } = this.#transfers;
    return latestTransfers(all, orders, this.#connection.id);
  });

  constructor(session: Session, parts: { transfers: TransfersState; connection: ConnectionState }) {
    this.#session = session;
    this.#transfers = parts.transfers;
    this.#connection = parts.connection;
    parts.connection.onSwitch(() => {
      this.#remembered.clear();
      this.#gathered.forget();
    });
  }

  /** What became of an Item's assets. What the history knows comes a moment after it is first asked. */
  of(ref: ItemRef): ItemFiles {
    return countFiles(this.#listed.get(toItemKey(ref)) ?? noTransfers, this.#rememberedOf(ref));
  }

  /** The latest transfer of an asset that is on the list and not cancelled; null where there is none. */
  transferOf(ref: ItemRef, assetKey: string): Transfer | null {
    const listed = this.#listed.get(toItemKey(ref))?.get(assetKey);
    return listed ? this.#transfers.find(listed.transferId) : null;
  }

  /** The files that were brought of an Item, also those that were taken off the list. */
  async brought(ref: ItemRef): Promise<BroughtFile[]> {
    const { collectionId, itemId } = ref;
    const connectionId = this.#connection.id;
    return (await this.#session.client.downloads.brought({ connectionId, ref: { collectionId, itemId } }))
      .files;
  }

  /** Other than before when `brought` may give something else. */
  get occasion(): string {
    return this.#occasion;
  }

  // Rows come and go while a list is scrolled: what is wanted in the same moment is asked for together.
  #rememberedOf(ref: ItemRef): readonly string[] {
    if (this.#gathered.want(ref, this.#occasion)) queueMicrotask(() => void this.#ask());
    return this.#remembered.get(toItemKey(ref)) ?? [];
  }

  async #ask(): Promise<void> {
    const wanted = this.#gathered.take();
    const connectionId = this.#connection.id;
    for (let from = 0; from < wanted.length; from += maxAskedItems) {
      const refs = wanted.slice(from, from + maxAskedItems);
      try {
        const { assetKeys } = await this.#session.client.downloads.broughtAssets({ connectionId, refs });
        if (connectionId !== this.#connection.id) return;
        refs.forEach((ref, index) => this.#remembered.set(toItemKey(ref), assetKeys[index] ?? []));
      } catch {
        // The connection to the program is lost; they are asked for again when something else is.
        this.#gathered.giveBack(refs);
      }
    }
  }
}
