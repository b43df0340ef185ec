import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { PageRequest } from './next-request.ts';

/** Which download links to ask for: none, signed (`X-Signed-Asset-Urls`) or proxy (`X-Proxy-Asset-Urls`). Never both. */
export type AssetLinks = 'none' | 'signed' | 'proxy';

/** Options of every request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** One page of Items. */
export interface ItemPage {
  items: IdentifiedItem[];
  /** Members of `features` that could not be taken; the page is not lost for them. */
  skipped: { reason: string }[];
  /** `numberMatched` or `context.matched`; a hint, often an estimate, often absent. */
  matched: number | null;
}

/** Pages of one search or item list, each asked for when it is wanted. */
export interface ItemPages {
  /**
   * The next page, or null after the last. Follows `next` links exactly as given (catalog-service.md §4.3, field
   * notes §2.1), past some empty pages too; ends at a link that repeats an earlier request, and at a page of repeats.
   * Items already given are left out. A `next` link that can't be followed is thrown in place of the page it should lead to.
   */
  next(options?: RequestOptions): Promise<ItemPage | null>;
  /** Whether another page is offered. */
  readonly hasMore: boolean;
  /** How to go on later, in another run of the program; null when no other page is offered, or none can be followed. */
  readonly position: PageRequest | null;
  /** Whether paging led in a circle, or from one empty page to the next, and was ended: Items may be missing. */
  readonly isIncomplete: boolean;
}

/** A client of one STAC API. All methods throw AppErrors with `network.*`, `http.*`, `auth.*` or `stac.*` codes. */
export interface CatalogClient {
  readonly baseUrl: string;
  /** Milliseconds by which the server's clock (`Date`) was ahead of ours at its last answer; null before one said. */
  readonly serverAheadMs: number | null;
  /** The landing page; `stac.not-an-api` when it is none. */
  landingPage(options?: RequestOptions): Promise<JsonObject>;
  /** All collections; pages of the list are followed. */
  collections(options?: RequestOptions): Promise<StacCollection[]>;
  collection(collectionId: string, options?: RequestOptions): Promise<StacCollection>;
  /** The answer as it came; see `readQueryables`. No ids: the properties of all collections. */
  queryables(collectionIds: readonly string[], options?: RequestOptions): Promise<JsonObject>;
  /** Items of a collection, newest first. */
  items(collectionId: string, options?: { limit?: number; links?: AssetLinks }): ItemPages;
  /** `resumeFrom` is the `position` after the last page that is there. */
  search(
    query: SearchQuery,
    options?: { method?: 'get' | 'post'; links?: AssetLinks; resumeFrom?: PageRequest },
  ): ItemPages;
  /** One Item. `signed` is what the service gives by default. */
  item(ref: ItemRef, options?: RequestOptions & { links?: AssetLinks }): Promise<IdentifiedItem>;
}
