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
  if (!isJsonObject(item.assets)) return [];
  const assets: Asset[] = [];
  for (const [key, raw] of Object.entries(item.assets)) {
    if (isJsonObject(raw) && typeof raw['href'] === 'string') assets.push(toAsset(key, raw['href'], raw));
  }
  return assets;
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

function toAsset(key: string, href: string, raw: JsonObject): Asset {
  const size = raw['file:size'];
  return {
    key,
    href,
    title: textOrNull(raw['title']),
    mediaType: textOrNull(raw['type']),
    roles: Array.isArray(raw['roles']) ? raw['roles'].filter((role) => typeof role === 'string') : [],
    sizeBytes: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null,
    checksum: textOrNull(raw['file:checksum']),
    raw,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
