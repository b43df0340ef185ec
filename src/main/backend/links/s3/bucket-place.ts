import type { Asset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';

/** Where an object is in S3, as far as the catalog says. */
export interface BucketPlace {
  bucket: string;
  /** Not encoded. */
  key: string;
  region: string | null;
  /** Whether whoever fetches it pays for it. */
  isRequesterPays: boolean;
}

/** Where an asset's `s3://` href leads; null when it has none, or names no object. */
export function readBucketPlace(asset: Asset, item: StacItem): BucketPlace | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^?#]+)$/.exec(asset.href);
  const [, bucket, key] = match ?? [];
  if (bucket === undefined || key === undefined || key.endsWith('/')) return null;
  const sources = [asset.raw, ...storageSchemes(asset, item), propertiesOf(item)];
  return { bucket, key, region: findRegion(sources), isRequesterPays: sources.some(paysRequester) };
}

// Storage extension 2: schemes by name in the Item's properties, named by the asset. Its members have no prefix.
function storageSchemes(asset: Asset, item: StacItem): JsonObject[] {
  const schemes = propertiesOf(item)['storage:schemes'];
  const refs = asset.raw['storage:refs'];
  if (!isJsonObject(schemes) || !Array.isArray(refs)) return [];
  return refs.flatMap((ref: unknown) => {
    const scheme = typeof ref === 'string' && Object.hasOwn(schemes, ref) ? schemes[ref] : null;
    return isJsonObject(scheme) ? [scheme] : [];
  });
}

function propertiesOf(item: StacItem): JsonObject {
  return isJsonObject(item['properties']) ? item['properties'] : {};
}

function findRegion(sources: readonly JsonObject[]): string | null {
  for (const source of sources) {
    const region = source['storage:region'] ?? source['region'];
    if (typeof region === 'string' && /^[a-z]{2}(-[a-z]+)+-\d$/.test(region)) return region;
  }
  return null;
}

function paysRequester(source: JsonObject): boolean {
  return source['storage:requester_pays'] === true || source['requester_pays'] === true;
}
