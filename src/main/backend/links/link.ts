import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { ItemRef } from '#shared/stac/item.ts';

/** Names an asset. The queue stores this, never a link. */
export interface AssetRef extends ItemRef {
  assetKey: string;
}

/** A URL that can be fetched now, without a token. */
export interface ResolvedLink {
  /** Never logged, stored or shown: it may carry its own permission. */
  url: string;
  /** `signed`: from `alternate.download`; `proxy`: where the proxy endpoint redirected to; `direct`: a public https href. */
  kind: 'signed' | 'proxy' | 'direct';
  /** Milliseconds since 1970 by the server's clock, or null when it carries no readable expiry. */
  expiresAtMs: number | null;
}

/** What the catalog says about the asset's bytes now. */
export interface LinkedAsset {
  link: ResolvedLink;
  href: string;
  mediaType: string | null;
  sizeBytes: number | null;
  checksum: string | null;
}

/** Why a fresh link is wanted. */
export interface ResolveOptions {
  mode: LinkMode;
  /** Kinds that this transfer has found refused; `auto` passes them over. */
  refused?: ReadonlySet<ResolvedLink['kind']>;
  /** Mint anew although a cached link hasn't expired: the storage refused it. */
  isRenewal?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Turns an asset into a link just before it is used. Requests for one Item are shared.
 * @throws AppError `link.none`, `link.refused`, `stac.*`, `auth.*`, `network.*`
 */
export type ResolveLink = (asset: AssetRef, options: ResolveOptions) => Promise<LinkedAsset>;
