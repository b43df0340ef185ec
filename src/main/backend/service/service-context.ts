import type { Library } from '../library/library.ts';
import type { AssetSource } from './asset-source.ts';
import type { LinkSigner } from './link-signer.ts';
import type { PageTokens } from './page-token.ts';

/** What every route of the service works with. */
export interface ServiceContext {
  library: Library;
  assets: AssetSource;
  /** `http://127.0.0.1:<port>/v1/stac`, without a slash at its end. */
  baseUrl: () => string;
  /** `http://127.0.0.1:<port>/v1/asset`. */
  assetUrl: () => string;
  /** Another origin: `http://127.0.0.1:<another port>`. */
  storageOrigin: string;
  /** Validity of signed links, in seconds. */
  linkTtlSeconds: number;
  signer: LinkSigner;
  pageTokens: PageTokens;
  title: string;
  description: string;
}

/** An absolute address below the catalog's base address; each segment is escaped. */
export function catalogUrl(context: ServiceContext, ...segments: readonly string[]): string {
  return [context.baseUrl(), ...segments.map(encodeURIComponent)].join('/');
}
