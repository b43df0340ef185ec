import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { AssetRef } from '../links/link.ts';
import type { AssetFile } from './asset-source.ts';
import type { ServiceContext } from './service-context.ts';

/** Download links that an answer carries in `alternate.download.href`. */
export type OfferedLinks = 'none' | 'signed' | 'proxy';

/** Reads the two headers of catalog-service.md §4.8. The proxy turns signing off (field notes §1.11). */
export function readOfferedLinks(headers: IncomingHttpHeaders, byDefault: OfferedLinks): OfferedLinks {
  if (isTrue(headers['x-proxy-asset-urls'])) return 'proxy';
  const signed = headers['x-signed-asset-urls'];
  if (signed === undefined) return byDefault;
  return isTrue(signed) ? 'signed' : 'none';
}

/** The Item's assets with download links; assets in other people's storage get none. The Item is left alone. */
export async function offerLinks(
  context: ServiceContext,
  { ref, item }: IdentifiedItem,
  options: { links: OfferedLinks; areFileFactsWanted: boolean },
): Promise<unknown> {
  const assets = item['assets'];
  if (!isJsonObject(assets) || (options.links === 'none' && !options.areFileFactsWanted)) return assets;
  const entries = Object.entries(assets).map(async ([assetKey, asset]) => {
    if (!isJsonObject(asset)) return [assetKey, asset] as const;
    const assetRef = { ...ref, assetKey };
    const facts = await findFacts(context, assetRef, { asset, areWanted: options.areFileFactsWanted });
    if (!facts) return [assetKey, asset] as const;
    return [
      assetKey,
      { ...asset, ...facts, ...alternateFor(context, assetRef, { asset, links: options.links }) },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** A link to the object store that carries its own permission, or null for an asset that no URL can name. */
export function signedLink(
  context: ServiceContext,
  asset: AssetRef,
  { href, ttlSeconds }: { href: string; ttlSeconds: number },
): string | null {
  const path = context.signer.sign(asset, href, ttlSeconds);
  return path === null ? null : `${context.storageOrigin()}${path}`;
}

// The link beside the alternates that are stored.
function alternateFor(
  context: ServiceContext,
  ref: AssetRef,
  { asset, links }: { asset: JsonObject; links: OfferedLinks },
): { alternate?: JsonObject } {
  const href = asset['href'];
  if (typeof href !== 'string' || links === 'none') return {};
  const link =
    links === 'proxy'
      ? proxyLink(context, ref, href)
      : signedLink(context, ref, { href, ttlSeconds: context.linkTtlSeconds });
  if (link === null) return {};
  const stored = isJsonObject(asset['alternate']) ? asset['alternate'] : {};
  return { alternate: { ...stored, download: { href: link } } };
}

function proxyLink(context: ServiceContext, ref: AssetRef, href: string): string | null {
  const values = [href, ref.itemId, ref.collectionId, ref.assetKey];
  if (!values.every((value) => value.isWellFormed())) return null;
  const [assetPath = '', itemId = '', collectionId = '', assetKey = ''] = values.map(encodeURIComponent);
  return `${context.assetUrl()}?asset_path=${assetPath}&item_id=${itemId}&collection_id=${collectionId}&asset=${assetKey}`;
}

// Null for an asset in other people's storage. A link needs no bytes, which may have to be made first.
async function findFacts(
  { assets }: ServiceContext,
  ref: AssetRef,
  { asset, areWanted }: { asset: JsonObject; areWanted: boolean },
): Promise<JsonObject | null> {
  if (!areWanted && assets.has) return assets.has(ref) ? {} : null;
  const file = await assets.open(ref);
  return file && (areWanted ? fileFacts(asset, file) : {});
}

function fileFacts(asset: JsonObject, file: AssetFile): JsonObject {
  return {
    ...((asset['file:size'] ?? null) === null ? { 'file:size': file.sizeBytes } : {}),
    ...((asset['file:checksum'] ?? null) === null && file.checksum !== null
      ? { 'file:checksum': file.checksum }
      : {}),
  };
}

function isTrue(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && header.trim().toLowerCase() === 'true';
}
