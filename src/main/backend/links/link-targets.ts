import { isLoopback } from '#shared/connection/is-loopback.ts';
import { downloadHref, type Asset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { findLink } from '#shared/stac/link.ts';
import { isSignedUrl } from '#shared/stac/signed-url.ts';
import { resolveHref } from '../http/redirect.ts';

/** Where the catalog is, which decides what its links may be. */
export interface CatalogPlace {
  baseUrl: string;
  /** Address of the asset proxy endpoint; null where the catalog's address doesn't tell. */
  assetUrl: string | null;
}

/** What one href of an asset is good for. */
export type TargetKind = 'signed' | 'proxy' | 'direct';

/** An absolute URL of an asset's bytes, or of the proxy that leads there. */
export interface LinkTarget {
  url: string;
  kind: TargetKind;
  /** Whether the service names it as the download link. */
  isDownload: boolean;
}

/** `{asset_url}`: the sibling of the catalog address with `asset` in place of `stac` (catalog-service.md §4.7). */
export function siblingAssetUrl(baseUrl: string): string | null {
  return baseUrl.endsWith('/stac') ? baseUrl.replace(/stac$/, 'asset') : null;
}

/** The usable targets of an asset: its download link first, then its href, then other alternates. */
export function linkTargetsOf(asset: Asset, item: StacItem, place: CatalogPlace): LinkTarget[] {
  const download = downloadHref(asset);
  const hrefs = [...new Set([download, asset.href, ...alternateHrefs(asset)])].filter(
    // An empty one would be the Item's own address.
    (href): href is string => href !== null && href.trim() !== '',
  );
  return hrefs.flatMap((href) => {
    const url = resolveHref(href, itemAddress(item, place));
    if (url === null || !isFetchable(url, place)) return [];
    return [{ url, kind: classify(url, place), isDownload: href === download }];
  });
}

/** Whether a URL may be fetched: https, or http beside a catalog that itself is http on this computer. */
export function isFetchable(url: string, place: CatalogPlace): boolean {
  const { protocol } = new URL(url);
  if (protocol === 'https:') return true;
  const base = new URL(place.baseUrl);
  return protocol === 'http:' && base.protocol === 'http:' && isLoopback(base.hostname);
}

/** Whether a URL is the catalog's asset proxy, which wants the token and answers with a redirect. */
export function isProxyLink(url: string, place: CatalogPlace): boolean {
  const { origin, pathname, searchParams } = new URL(url);
  if (place.assetUrl !== null) {
    const endpoint = new URL(place.assetUrl);
    if (endpoint.origin === origin && endpoint.pathname === pathname) return true;
  }
  return searchParams.has('asset_path') && origin === new URL(place.baseUrl).origin;
}

function classify(url: string, place: CatalogPlace): TargetKind {
  if (isProxyLink(url, place)) return 'proxy';
  return isSignedUrl(url) ? 'signed' : 'direct';
}

function alternateHrefs(asset: Asset): string[] {
  const alternate = asset.raw['alternate'];
  if (!isJsonObject(alternate)) return [];
  return Object.values(alternate).flatMap((entry) =>
    isJsonObject(entry) && typeof entry['href'] === 'string' ? [entry['href']] : [],
  );
}

// Relative hrefs are relative to the Item's own address (STAC 1.0, "Relative vs Absolute links"), which without a
// `self` link is where it was asked for.
function itemAddress(item: StacItem, place: CatalogPlace): string {
  const { id, collection } = item;
  const inCollection = typeof collection === 'string' ? `collections/${encodeURIComponent(collection)}/` : '';
  const asked = `${place.baseUrl}/${inCollection}items/${encodeURIComponent(id)}`;
  const self = findLink(item['links'], 'self')?.href;
  return (self === undefined ? null : resolveHref(self, asked)) ?? asked;
}
