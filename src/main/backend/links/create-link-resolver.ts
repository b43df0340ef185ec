import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { findAsset, type Asset } from '#shared/stac/asset.ts';
import { isDirectory } from '#shared/stac/asset-availability.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Clock } from '../ports.ts';
import { createLinkCalls, type LinkCalls } from './link-calls.ts';
import { readLinkExpiry } from './link-expiry.ts';
import { linkTargetsOf, siblingAssetUrl, type CatalogPlace, type LinkTarget } from './link-targets.ts';
import type { AssetRef, LinkedAsset, ResolvedLink, ResolveLink, ResolveOptions } from './link.ts';
import { LinkedItems, type ItemLinks, type LinkedItem, type LinkingCatalog } from './linked-items.ts';
import { ProxyLinks } from './proxy-links.ts';
import { readBucketPlace } from './s3/bucket-place.ts';
import type { S3Signer } from './s3/s3-signer.ts';
import { waysFor, type Way } from './link-ways.ts';

/** A link with less left is minted anew before it is used (downloads.md c.2). */
const minLeftMs = 5 * 60_000;
/** Links that live for less than that are still not asked for more often than this. */
const minApartMs = 10_000;
/** How long a link without a readable expiry lives (catalog-service.md §6). */
const usualLifeMs = 12 * 3_600_000;

/** Turns assets into links with the help of one catalog. */
export function createLinkResolver(options: {
  catalog: LinkingCatalog;
  http: HttpClient;
  clock: Clock;
  /** Those of the catalog's server, where others have to know of them too. */
  calls?: LinkCalls;
  /** Address of the asset proxy endpoint, where it isn't the sibling of the catalog's address. */
  assetUrl?: string;
  /** Signs with the user's own AWS credentials; without one `s3://` files need a link of the catalog's. */
  s3?: S3Signer;
}): ResolveLink {
  const { catalog, http, clock, s3, calls = createLinkCalls({ clock }) } = options;
  const place: CatalogPlace = {
    baseUrl: catalog.baseUrl,
    assetUrl: options.assetUrl ?? siblingAssetUrl(catalog.baseUrl),
  };
  const items = new LinkedItems({ catalog, calls, clock });
  const proxies = new ProxyLinks({ http, place, calls, clock });
  /** What the storage last said of this computer's clock, so that only the first file has to be refused. */
  let clockAheadMs = 0;

  return async (ref, resolve) => {
    let lastError: AppError | null = null;
    for (const way of waysFor(resolve)) {
      if (resolve.refused?.has(way.kind)) continue;
      try {
        const found = await tryWay(way, ref, resolve);
        if (found !== null) return found;
      } catch (error) {
        // Each is one way of several; what it says matters only when no other is left.
        if (!isAppError(error) || !mayGoOnAfter(error, way)) throw error;
        lastError ??= error;
      }
    }
    throw lastError ?? (await noLink(ref, resolve));
  };

  async function tryWay(way: Way, ref: AssetRef, resolve: ResolveOptions): Promise<LinkedAsset | null> {
    const linked = await liveItem(way, ref, resolve);
    const asset = assetIn(linked, ref);
    const url = way.kind === 'aws' ? await signedByUser(linked, asset, resolve) : findUrl(linked, asset, way);
    if (url === null) return null;
    linked.given.add(ref.assetKey);
    const final = way.kind === 'proxy' ? await followProxy(url, resolve) : url;
    const link: ResolvedLink = { url: final, kind: way.kind, expiresAtMs: readLinkExpiry(final) };
    const { href, mediaType, sizeBytes, checksum } = asset;
    return { link, href, mediaType, sizeBytes, checksum };
  }

  // A catalog may hand out what has ended already; it is asked once more (downloads.md B5).
  async function liveItem(way: Way, ref: AssetRef, resolve: ResolveOptions): Promise<LinkedItem> {
    const linked = await linkedItem(way, ref, resolve);
    if (way.kind !== 'signed' || !hasEnded(linked, ref.assetKey)) return linked;
    linked.given.add(ref.assetKey);
    const again = await linkedItem(way, ref, { ...resolve, isRenewal: true });
    if (!hasEnded(again, ref.assetKey)) return again;
    throw new AppError('link.refused', 'The catalog hands out links that have ended', {
      details: { reason: 'The catalog hands out links that have ended.', refusal: 'expired' },
    });
  }

  function linkedItem(way: Way, ref: AssetRef, resolve: ResolveOptions): Promise<LinkedItem> {
    const { isRenewal, hasChanged, signal } = resolve;
    // A proxy link doesn't end; what it leads to is asked for anew instead.
    const isRenewed = hasChanged === true || (isRenewal === true && way.kind === 'signed');
    const isUsable = (kept: LinkedItem) => {
      const ageMs = clock.now() - kept.fetchedAtMs;
      if (ageMs < 0) return false;
      // Refused links came from this answer, unless another transfer has renewed it meanwhile.
      if (isRenewed && kept.given.has(ref.assetKey)) return kept.isRenewed && ageMs < minApartMs;
      return ageMs < minApartMs || leftMs(kept, ref.assetKey) >= minLeftMs;
    };
    return items.get({ ref, links: way.links, isUsable, isRenewal: isRenewed, signal });
  }

  function leftMs(linked: LinkedItem, assetKey: string): number {
    const asset = findAsset(linked.item, assetKey);
    if (asset === undefined) return 0;
    const nowMs = clock.now();
    const byServerMs = endOf(linked, asset) - (nowMs + (catalog.serverAheadMs ?? 0));
    return Math.min(byServerMs, linked.fetchedAtMs + usualLifeMs - nowMs);
  }

  function endOf(linked: LinkedItem, asset: Asset): number {
    return Math.min(...targetsIn(linked, asset).flatMap(({ url }) => readLinkExpiry(url) ?? []));
  }

  // Where the server's clock and ours don't agree, either may be wrong: the storage is asked.
  function hasEnded(linked: LinkedItem, assetKey: string): boolean {
    const asset = findAsset(linked.item, assetKey);
    if (catalog.serverAheadMs === null || asset === undefined) return false;
    return leftMs(linked, assetKey) <= 0 && endOf(linked, asset) <= clock.now();
  }

  function findUrl(linked: LinkedItem, asset: Asset, way: Way): string | null {
    const isWanted = (one: LinkTarget) => one.kind === way.kind && (!way.isDownload || one.isDownload);
    return targetsIn(linked, asset).find(isWanted)?.url ?? null;
  }

  function followProxy(proxyUrl: string, { isRenewal = false, signal }: ResolveOptions): Promise<string> {
    return proxies.get({ proxyUrl, isRenewal, serverAheadMs: catalog.serverAheadMs ?? 0, signal });
  }

  async function signedByUser(
    { item }: LinkedItem,
    asset: Asset,
    { s3Access = 'off', bucketRegion, isRenewal = false, signal, ...refusal }: ResolveOptions,
  ): Promise<string | null> {
    const object = isDirectory(asset) ? null : readBucketPlace(asset, item);
    if (s3 === undefined || object === null || s3Access === 'off') return null;
    // One that says nothing of the clock has no quarrel with it: it may have been put right.
    if (isRenewal) clockAheadMs = refusal.clockAheadMs ?? 0;
    const region = bucketRegion ?? object.region;
    return s3.sign({ ...object, region, access: s3Access, nowMs: clock.now() - clockAheadMs, signal });
  }

  function targetsIn(linked: LinkedItem, asset: Asset): LinkTarget[] {
    return isDirectory(asset) ? [] : linkTargetsOf(asset, linked.item, place);
  }

  async function noLink(ref: AssetRef, resolve: ResolveOptions): Promise<AppError> {
    const { mode, signal } = resolve;
    const links: ItemLinks = mode === 'proxy' ? 'proxy' : 'signed';
    const asset = assetIn(await linkedItem({ links, kind: 'direct' }, ref, { mode, signal }), ref);
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

function mayGoOnAfter(error: AppError, { kind }: Way): boolean {
  if (error.code === 'cancelled') return false;
  return kind === 'proxy' || kind === 'aws' || error.code === 'link.refused';
}

function assetIn({ item }: LinkedItem, ref: AssetRef): Asset {
  const asset = findAsset(item, ref.assetKey);
  if (asset) return asset;
  const { collectionId, itemId, assetKey } = ref;
  throw new AppError('stac.asset-not-found', `Item ${itemId} has no asset ${assetKey}`, {
    details: { collectionId, itemId, assetKey },
  });
}

function none(why: string, details: Record<string, string>): AppError {
  return new AppError('link.none', `There is no link to the file: ${why}`, { details });
}
