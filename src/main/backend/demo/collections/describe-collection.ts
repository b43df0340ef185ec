import type { StacCollection } from '#shared/stac/collection.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { AssetPlan } from './asset-plan.ts';

/** What differs between the records of collections. Null members are sent as null, as the service does. */
export interface CollectionText {
  id: string;
  title: string;
  description: string;
  license: string;
  keywords: readonly string[] | null;
  provider: { name: string; roles: readonly string[]; url?: string } | null;
  bbox?: readonly [number, number, number, number];
  start?: string;
  summaries: JsonObject | null;
  plans: readonly AssetPlan[];
  /** Some servers don't send `item_assets`. */
  hasItemAssets?: boolean;
}

/** A Collection record with the members, the order and the nulls of the real service (field notes §1.2). */
export function describeCollection(text: CollectionText): StacCollection {
  const { bbox = [-180, -90, 180, 90], start = '2024-01-01T00:00:00.000000Z' } = text;
  const itemAssets = Object.fromEntries(
    text.plans.map((plan) => [
      plan.key,
      {
        type: plan.mediaType,
        title: plan.title,
        roles: plan.roles,
        ...(isJsonObject(plan.members) ? plan.members : {}),
      },
    ]),
  );
  return {
    type: 'Collection',
    id: text.id,
    stac_extensions: [],
    stac_version: '1.0.0',
    title: text.title,
    description: text.description,
    keywords: text.keywords,
    license: text.license,
    providers: text.provider && [text.provider],
    summaries: text.summaries,
    extent: { spatial: { bbox: [bbox] }, temporal: { interval: [[start, null]] } },
    links: [],
    assets: null,
    item_assets: text.hasItemAssets === false ? null : itemAssets,
  };
}
