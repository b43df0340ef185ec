import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { AssetLinks, CatalogClient } from '../catalog/catalog-client.ts';
import { untilAborted } from '../http/until-aborted.ts';
import type { Clock } from '../ports.ts';

/** Which links an Item was asked for with. */
export type ItemLinks = Exclude<AssetLinks, 'none'>;

/** An Item with its links as of one answer. */
export interface LinkedItem {
  item: StacItem;
  fetchedAtMs: number;
  /** Assets whose links were handed out from this answer. */
  given: Set<string>;
}

/** What is wanted of a linked Item. */
export interface LinkedItemRequest {
  ref: ItemRef;
  links: ItemLinks;
  /** Whether a kept answer will do. */
  isUsable: (kept: LinkedItem) => boolean;
  signal: AbortSignal | undefined;
}

const maxKept = 200;

/** Items with links, kept for a short while and asked for once however many assets want theirs. */
export class LinkedItems {
  readonly #catalog: CatalogClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, LinkedItem>();
  readonly #onTheirWay = new Map<string, Promise<LinkedItem>>();

  constructor(catalog: CatalogClient, clock: Clock) {
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** @throws AppError of `CatalogClient.item`, `cancelled` */
  async get({ ref, links, isUsable, signal }: LinkedItemRequest): Promise<LinkedItem> {
    const key = JSON.stringify([ref.collectionId, ref.itemId, links]);
    const kept = this.#kept.get(key);
    if (kept && isUsable(kept)) return kept;
    const pending = this.#onTheirWay.get(key) ?? this.#fetch(key, ref, links);
    return untilAborted(pending, signal);
  }

  // Not bound to one caller's signal: the others would lose their answer.
  #fetch(key: string, ref: ItemRef, links: ItemLinks): Promise<LinkedItem> {
    const pending = this.#catalog
      .item(ref, { links })
      .then(({ item }) => {
        const linked: LinkedItem = { item, fetchedAtMs: this.#clock.now(), given: new Set() };
        this.#keep(key, linked);
        return linked;
      })
      .finally(() => this.#onTheirWay.delete(key));
    this.#onTheirWay.set(key, pending);
    return pending;
  }

  #keep(key: string, linked: LinkedItem): void {
    this.#kept.delete(key);
    this.#kept.set(key, linked);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
