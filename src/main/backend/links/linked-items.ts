import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { AssetLinks, CatalogClient } from '../catalog/catalog-client.ts';
import { untilAborted } from '../http/until-aborted.ts';
import type { Clock } from '../ports.ts';
import type { LinkCalls } from './link-calls.ts';

/** What links want of a catalog. */
export type LinkingCatalog = Pick<CatalogClient, 'baseUrl' | 'serverAheadMs' | 'item'>;

/** Which links an Item was asked for with. */
export type ItemLinks = Exclude<AssetLinks, 'none'>;

/** An Item with its links as of one answer. */
export interface LinkedItem {
  item: StacItem;
  fetchedAtMs: number;
  /** Whether it was asked for in place of an earlier answer whose links were no good. */
  isRenewed: boolean;
  /** Assets whose links were handed out from this answer. */
  given: Set<string>;
}

/** What is wanted of a linked Item. */
export interface LinkedItemRequest {
  ref: ItemRef;
  links: ItemLinks;
  /** Whether a kept answer will do. */
  isUsable: (kept: LinkedItem) => boolean;
  /** Whether the links of an earlier answer were no good. */
  isRenewal: boolean;
  signal: AbortSignal | undefined;
}

const maxKept = 200;

/** Items with links, kept for as long as the links last, and asked for once however many assets want theirs. */
export class LinkedItems {
  readonly #catalog: LinkingCatalog;
  readonly #calls: LinkCalls;
  readonly #clock: Clock;
  readonly #kept = new Map<string, LinkedItem>();
  readonly #onTheirWay = new Map<string, Promise<LinkedItem>>();

  constructor(parts: { catalog: LinkingCatalog; calls: LinkCalls; clock: Clock }) {
    this.#catalog = parts.catalog;
    this.#calls = parts.calls;
    this.#clock = parts.clock;
  }

  /** @throws AppError of `CatalogClient.item` and `LinkCalls.run`, `cancelled` */
  async get({ ref, links, isUsable, isRenewal, signal }: LinkedItemRequest): Promise<LinkedItem> {
    const key = JSON.stringify([ref.collectionId, ref.itemId, links]);
    const kept = this.#kept.get(key);
    if (kept && isUsable(kept)) return kept;
    const pending = this.#onTheirWay.get(key) ?? this.#fetch(key, { ref, links, isRenewal });
    return untilAborted(pending, signal);
  }

  // Not bound to one caller's signal: the others would lose their answer.
  #fetch(
    key: string,
    { ref, links, isRenewal }: Pick<LinkedItemRequest, 'ref' | 'links' | 'isRenewal'>,
  ): Promise<LinkedItem> {
    const pending = this.#calls
      .run(() => this.#catalog.item(ref, { links }))
      .then(({ item }) => {
        const linked: LinkedItem = {
          item,
          fetchedAtMs: this.#clock.now(),
          isRenewed: isRenewal,
          given: new Set(),
        };
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
