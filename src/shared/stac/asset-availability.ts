import { downloadHref, type Asset } from './asset.ts';

/** Whether an Asset can be fetched; the others say why not. */
export type AssetAvailability = 'downloadable' | 'directory' | 'unsupported-scheme';

/** Judges by what the catalog says, without asking anybody. */
export function availabilityOf(asset: Asset): AssetAvailability {
  if (isDirectory(asset)) return 'directory';
  if (downloadHref(asset) !== null) return 'downloadable';
  // The service signs s3 hrefs on request (catalog-service.md §8, rule 3); a relative href is resolved by the client.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(asset.href)?.[1]?.toLowerCase() ?? 'https';
  return ['https', 'http', 's3'].includes(scheme) ? 'downloadable' : 'unsupported-scheme';
}

/** Whether an Asset is a folder of files, which no single request brings (field notes §1.13). */
export function isDirectory({ mediaType, href }: Pick<Asset, 'mediaType' | 'href'>): boolean {
  return mediaType === 'inode/directory' || href.replace(/[?#].*$/, '').endsWith('/');
}
