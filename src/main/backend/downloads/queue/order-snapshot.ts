import type { StacItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';

/** The Item as the queue keeps it: no signed link, and no proxy link either, which is nothing without a token. */
export function toSnapshot(item: StacItem): StacItem {
  const clean = withoutSignedLinks(item);
  if (!isJsonObject(clean['assets'])) return clean;
  const assets = Object.entries(clean['assets']).map(([key, asset]) => [key, withoutDownloadLink(asset)]);
  return { ...clean, assets: Object.fromEntries(assets) as unknown };
}

function withoutDownloadLink(asset: unknown): unknown {
  if (!isJsonObject(asset) || !isJsonObject(asset['alternate'])) return asset;
  const { alternate, ...rest } = asset;
  const kept = Object.entries(alternate).filter(([name]) => name !== 'download' && name !== 'download_url');
  return kept.length === 0 ? rest : { ...rest, alternate: Object.fromEntries(kept) };
}
