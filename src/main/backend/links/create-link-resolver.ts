import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { assetsOf, type Asset } from '#shared/stac/asset.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Clock } from '../ports.ts';
import { readLinkExpiry } from './link-expiry.ts';
import {
  isDirectory,
  linkTargetsOf,
  siblingAssetUrl,
  type CatalogPlace,
  type LinkTarget,
} from './link-targets.ts';
import type { AssetRef, LinkedAsset, ResolvedLink, ResolveLink, ResolveOptions } from './link.ts';
import { LinkedItems, type ItemLinks, type LinkedItem } from './linked-items.ts';
import { mintProxyLink } from './mint-proxy-link.ts';

/** A link with less left is minted anew before it is used (downloads.md c.2). */
const minLeftMs = 5 * 60_000;
/** Links that live for less than that are still not asked for more often than this. */
const minApartMs = 10_000;
/** A link without a readable expiry may have one all the same. */
const maxAgeMs = 10 * 60_000;

/** Turns assets into links with the help of one catalog. */
export function createLinkResolver(options: {
  catalog: CatalogClient;
  http: HttpClient;
  clock: Clock;
  /** Address of the asset proxy endpoint, where it isn't the sibling of the catalog's address. */
  assetUrl?: string;
}): ResolveLink {
  const { catalog, http, clock } = options;
  const items = new LinkedItems(catalog, clock);
  const place: CatalogPlace = {
    baseUrl: catalog.baseUrl,
    assetUrl: options.assetUrl ?? siblingAssetUrl(catalog.baseUrl),
  };

  return async (ref, resolve) => {
    const ways = waysFor(resolve);
    let lastError: AppError | null = null;
    for (const way of ways) {
      try {
        const found = await tryWay(way, ref, resolve);
        if (found !== null) return found;
      } catch (error) {
        // The proxy is one way of several; what it says matters only when no other is left.
        if (way.links !== 'proxy' || !isAppError(error) || error.code === 'cancelled') throw error;
        lastError = error;
      }
    }
    throw lastError ?? (await noLink(ref, resolve));
  };

  async function tryWay(way: Way, ref: AssetRef, resolve: ResolveOptions): Promise<LinkedAsset | null> {
    if (resolve.refused?.has(way.kind)) return null;
    const linked = await linkedItem(way.links, ref, resolve);
    const asset = assetIn(linked, ref);
    const target = targetsIn(linked, asset).find(
      (one) => one.kind === way.kind && (!way.isDownload || one.isDownload),
    );
    if (target === undefined) return null;
    linked.given.add(ref.assetKey);
    const url =
      target.kind === 'proxy'
        ? await mintProxyLink({
            proxyUrl: target.url,
            http,
            place,
            nowMs: clock.now(),
            signal: resolve.signal,
          })
        : target.url;
    const link: ResolvedLink = { url, kind: way.kind, expiresAtMs: readLinkExpiry(url) };
    const { href, mediaType, sizeBytes, checksum } = asset;
    return { link, href, mediaType, sizeBytes, checksum };
  }

  function linkedItem(
    links: ItemLinks,
    ref: AssetRef,
    { isRenewal, signal }: ResolveOptions,
  ): Promise<LinkedItem> {
    const isUsable = (kept: LinkedItem) => {
      // Refused links came from this answer, unless another transfer has renewed it meanwhile.
      if (isRenewal && kept.given.has(ref.assetKey)) return false;
      return isFresh(kept, ref.assetKey);
    };
    return items.get({ ref, links, isUsable, signal });
  }

  function isFresh(kept: LinkedItem, assetKey: string): boolean {
    const ageMs = clock.now() - kept.fetchedAtMs;
    if (ageMs < 0 || ageMs > maxAgeMs) return false;
    const asset = assetsOf(kept.item).find(({ key }) => key === assetKey);
    if (asset === undefined) return ageMs < minApartMs;
    const ends = targetsIn(kept, asset).map(({ url }) => readLinkExpiry(url));
    const endMs = Math.min(...ends.filter((end) => end !== null), Infinity);
    const leftMs = endMs - (clock.now() + (catalog.serverAheadMs ?? 0));
    return leftMs >= minLeftMs || (leftMs > 0 && ageMs < minApartMs);
  }

  function targetsIn(linked: LinkedItem, asset: Asset): LinkTarget[] {
    return isDirectory(asset) ? [] : linkTargetsOf(asset, linked.item, place);
  }

  async function noLink(ref: AssetRef, resolve: ResolveOptions): Promise<AppError> {
    const [way] = waysFor(resolve);
    const asset = assetIn(
      await linkedItem(way?.links ?? 'signed', ref, { ...resolve, isRenewal: false }),
      ref,
    );
    if (isDirectory(asset)) return none('it is a folder', { reason: 'directory' });
    if ((resolve.refused?.size ?? 0) > 0) {
      return new AppError('link.refused', 'Every link to the file was refused', {
        details: { reason: 'every way was refused' },
      });
    }
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(asset.href)?.[1]?.toLowerCase() ?? 'relative';
    return none(`the catalog offers no way to fetch ${scheme} files`, { reason: 'no https link', scheme });
  }
}

/** One way to the bytes: which links to ask the Item for, and what kind of target to take from the answer. */
interface Way {
  links: ItemLinks;
  kind: ResolvedLink['kind'];
  /** Only a target that the service names as the download link. */
  isDownload?: boolean;
}

// A download link without a signature is a public file: going to the proxy for it would only cost time.
const signedWays: Way[] = [
  { links: 'signed', kind: 'signed' },
  { links: 'signed', kind: 'direct', isDownload: true },
];
const proxyWay: Way = { links: 'proxy', kind: 'proxy' };

function waysFor({ mode }: ResolveOptions): Way[] {
  switch (mode) {
    case 'signed':
      return [...signedWays, { links: 'signed', kind: 'direct' }];
    case 'proxy':
      return [proxyWay, { links: 'proxy', kind: 'direct' }];
    case 'auto':
      return [...signedWays, proxyWay, { links: 'signed', kind: 'direct' }];
  }
}

function assetIn({ item }: LinkedItem, ref: AssetRef): Asset {
  const asset = assetsOf(item).find(({ key }) => key === ref.assetKey);
  if (asset) return asset;
  const { collectionId, itemId, assetKey } = ref;
  throw new AppError('stac.asset-not-found', `Item ${itemId} has no asset ${assetKey}`, {
    details: { collectionId, itemId, assetKey },
  });
}

function none(why: string, details: Record<string, string>): AppError {
  return new AppError('link.none', `There is no link to the file: ${why}`, { details });
}
