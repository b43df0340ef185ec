import { downloadHref, type Asset } from './asset.ts';

/** Whether an Asset can be fetched; the others say why not. */
export type AssetAvailability = 'downloadable' | 'directory' | 'unsupported-scheme';

/** Judges by what the catalog says, without asking anybody. */
export function availabilityOf(asset: Asset): AssetAvailability {
  if (asset.mediaType === 'inode/directory' || asset.href.replace(/[?#].*$/, '').endsWith('/'))
    return 'directory';
  if (downloadHref(asset) !== null) return 'downloadable';
  // The service signs s3 hrefs on request (catalog-service.md §8, rule 3); a relative href is resolved by the client.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(asset.href)?.[1]?.toLowerCase() ?? 'https';
  return ['https', 'http', 's3'].includes(scheme) ? 'downloadable' : 'unsupported-scheme';
}
