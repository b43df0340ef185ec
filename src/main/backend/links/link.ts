import type { S3Access } from '#shared/connection/s3-access.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { LinkKind } from '#shared/transfer/link-kind.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';

/** Names an asset. The queue stores this, never a link. */
export interface AssetRef extends ItemRef {
  assetKey: string;
}

/** A URL that can be fetched now, without a token. */
export interface ResolvedLink {
  /** Never logged, stored or shown: it may carry its own permission. */
  url: string;
  /**
   * `signed`: from `alternate.download`; `proxy`: where the proxy endpoint redirected to; `direct`: a public https href;
   * `aws`: an `s3://` href signed with the user's own credentials.
   */
  kind: LinkKind;
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
  /** Ask for the Item anew: the file seems to be another one, or elsewhere. */
  hasChanged?: boolean;
  /** Whether the user's own AWS credentials may be used; `off` unless told. */
  s3Access?: S3Access;
  /** Where the storage says a bucket is, after it refused a link of kind `aws`. */
  bucketRegion?: string;
  /** By how much this computer's clock is ahead of the storage's, as its refusal told; negative when it is behind. */
  clockAheadMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Turns an asset into a link just before it is used. Requests for one Item are shared.
 * @throws AppError `link.none`, `link.refused`, `link.credentials`, `stac.*`, `auth.*`, `http.*`, `network.*`
 */
export type ResolveLink = (asset: AssetRef, options: ResolveOptions) => Promise<LinkedAsset>;
