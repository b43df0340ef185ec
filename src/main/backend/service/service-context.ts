import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { Library } from '../library/library.ts';
import type { AssetSource } from './asset-source.ts';
import type { LinkSigner } from './link-signer.ts';
import type { PageTokens } from './page-token.ts';

/** What the service reads of a library; it writes nothing. */
export type ServiceLibrary = Pick<
  Library,
  'engine' | 'item' | 'collections' | 'unlistedCollectionIds' | 'queryables'
>;

/** What every route of the service works with. */
export interface ServiceContext {
  library: ServiceLibrary;
  assets: AssetSource;
  /** `http://127.0.0.1:<port>/v1/stac`, without a slash at its end. */
  baseUrl: () => string;
  /** `http://127.0.0.1:<port>/v1/asset`. */
  assetUrl: () => string;
  /** Where signed links lead: another origin, or this one where the files are shared from disk. */
  storageOrigin: () => string;
  /** Validity of signed links, in seconds. */
  linkTtlSeconds: number;
  signer: LinkSigner;
  pageTokens: PageTokens;
  title: string;
  description: string;
  /**
   * What the service does beyond catalog-service.md, for programs that expect all of STAC API: `intersects` with GET,
   * `bbox` and `datetime` for the items of a collection, and STAC that passes validation.
   */
  standard: StandardAnswers | null;
}

/** How kept records become STAC that any program reads. */
export interface StandardAnswers {
  item(kept: IdentifiedItem): Promise<IdentifiedItem>;
  collection(kept: StacCollection): StacCollection;
}

/** An absolute address below the catalog's base address; each segment is escaped. */
export function catalogUrl(context: ServiceContext, ...segments: readonly string[]): string {
  return [context.baseUrl(), ...segments.map(encodeURIComponent)].join('/');
}
