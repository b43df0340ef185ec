import type { Asset } from './asset.ts';
import { propertiesOf, type StacItem } from './item.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** Where an Asset is stored and what reading it there means; null where nothing is said. */
export interface AssetStorage {
  /** `AWS`, `AZURE`, or the address of the store. */
  platform: string | null;
  region: string | null;
  /** Whether whoever reads pays for it. */
  isRequesterPays: boolean | null;
  /** How soon it can be read: `Standard`, `GLACIER`. */
  tier: string | null;
}

/**
 * What the storage extension says of an Asset: in version 1 flat fields, of the Asset or of all Assets of the Item; in
 * version 2 schemes that the Asset refers to, which may be several.
 */
export function storageOf(asset: Pick<Asset, 'raw'>, item: StacItem): AssetStorage[] {
  const properties = propertiesOf(item);
  const refs = asset.raw['storage:refs'] ?? properties['storage:refs'];
  const schemes = properties['storage:schemes'] ?? item['storage:schemes'];
  if (Array.isArray(refs) && isJsonObject(schemes)) {
    return refs.flatMap((ref) => {
      const scheme = typeof ref === 'string' && Object.hasOwn(schemes, ref) ? schemes[ref] : null;
      return isJsonObject(scheme) ? readScheme(scheme) : [];
    });
  }
  const flat = readFlat(asset.raw, properties);
  return Object.values(flat).some((value) => value !== null) ? [flat] : [];
}

function readScheme(scheme: JsonObject): AssetStorage[] {
  const platform = textOf(scheme['platform']);
  return [
    {
      // The address is a template of the scheme's own fields: "https://{bucket}.s3.{region}.amazonaws.com".
      platform:
        platform?.replaceAll(/\{([a-z_:]+)\}/gi, (whole, name: string) => textOf(scheme[name]) ?? whole) ??
        textOf(scheme['type']),
      region: textOf(scheme['region']),
      isRequesterPays: flagOf(scheme['requester_pays']),
      tier: textOf(scheme['tier']),
    },
  ];
}

function readFlat(asset: JsonObject, properties: JsonObject): AssetStorage {
  const value = (name: string) => asset[`storage:${name}`] ?? properties[`storage:${name}`];
  return {
    platform: textOf(value('platform')),
    region: textOf(value('region')),
    isRequesterPays: flagOf(value('requester_pays')),
    tier: textOf(value('tier')),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
