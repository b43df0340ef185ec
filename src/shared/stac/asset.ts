import type { JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import type { StacItem } from './item.ts';

/** An Asset with what Swath reads of it; `raw` is the object as the server sent it. */
export interface Asset {
  /** Key in the Item's `assets`. Carries no meaning and may hold `.`, `/` and spaces. */
  key: string;
  /** As the server sent it: https, s3, relative. */
  href: string;
  title: string | null;
  mediaType: string | null;
  roles: readonly string[];
  /** `file:size` in bytes. */
  sizeBytes: number | null;
  /** `file:checksum`: a multihash in hex, or in the wild a bare MD5. */
  checksum: string | null;
  raw: JsonObject;
}

/** The assets of an Item in the server's order. Entries without a usable href are left out. */
export function assetsOf(item: StacItem): Asset[] {
  const assets: Asset[] = [];
  forEachAsset(item, (key, raw) => assets.push(readAsset(key, raw)));
  return assets;
}

/** What `assetsOf` has under a key. */
export function findAsset(item: StacItem, key: string): Asset | undefined {
  const raw = isJsonObject(item.assets) && Object.hasOwn(item.assets, key) ? item.assets[key] : null;
  return isJsonObject(raw) && typeof raw['href'] === 'string' ? readAsset(key, raw as RawAsset) : undefined;
}

/** An asset as the server sent it. */
export type RawAsset = JsonObject & { href: string };

/** Calls back with what `assetsOf` would read, unread: a page of results has thousands. */
export function forEachAsset(item: StacItem, visit: (key: string, raw: RawAsset) => void): void {
  const { assets } = item;
  if (!isJsonObject(assets)) return;
  for (const key of Object.keys(assets)) {
    const raw = assets[key];
    if (isJsonObject(raw) && typeof raw['href'] === 'string') visit(key, raw as RawAsset);
  }
}

/** Reads one asset. */
export function readAsset(key: string, raw: RawAsset): Asset {
  const size = raw['file:size'];
  return {
    key,
    href: raw.href,
    title: textOrNull(raw['title']),
    mediaType: textOrNull(raw['type']),
    roles: Array.isArray(raw['roles']) ? raw['roles'].filter((role) => typeof role === 'string') : [],
    sizeBytes: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null,
    checksum: textOrNull(raw['file:checksum']),
    raw,
  };
}

/** The download link that the service offers: `alternate.download.href`, or the spelling `download_url` of its prose. */
export function downloadHref(asset: Asset): string | null {
  const alternate = asset.raw['alternate'];
  if (!isJsonObject(alternate)) return null;
  for (const key of ['download', 'download_url']) {
    const entry = alternate[key];
    if (isJsonObject(entry) && typeof entry['href'] === 'string' && entry['href'] !== '')
      return entry['href'];
  }
  return null;
}

/** The name of an Asset's file as its href has it; its key where the href names none. */
export function fileNameInHref({ href, key }: Pick<Asset, 'href' | 'key'>): string {
  const [path = ''] = href.split(/[?#]/);
  const name = path.split('/').findLast((part) => part !== '') ?? key;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
