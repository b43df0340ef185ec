import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { AssetLinks, CatalogClient } from '../catalog/catalog-client.ts';
import type { Clock } from '../ports.ts';
import { KeptAnswers } from './kept-answers.ts';
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

/** Items with links, kept for as long as the links last, and asked for once however many assets want theirs. */
export class LinkedItems {
  readonly #catalog: LinkingCatalog;
  readonly #calls: LinkCalls;
  readonly #clock: Clock;
  readonly #answers = new KeptAnswers<LinkedItem>();

  constructor(parts: { catalog: LinkingCatalog; calls: LinkCalls; clock: Clock }) {
    this.#catalog = parts.catalog;
    this.#calls = parts.calls;
    this.#clock = parts.clock;
  }

  /** @throws AppError of `CatalogClient.item` and `LinkCalls.run`, `cancelled` */
  get({ ref, links, isUsable, isRenewal, signal }: LinkedItemRequest): Promise<LinkedItem> {
    const ask = async (): Promise<LinkedItem> => {
      const { item } = await this.#calls.run(() => this.#catalog.item(ref, { links }));
      return { item, fetchedAtMs: this.#clock.now(), isRenewed: isRenewal, given: new Set() };
    };
    const key = JSON.stringify([ref.collectionId, ref.itemId, links]);
    return this.#answers.get(key, { isUsable, ask, signal });
  }
}
