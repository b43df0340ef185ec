import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { Random } from '../random.ts';
import type { AssetPlan } from './asset-plan.ts';

/** First and last moment of the catalog, milliseconds since 1970 UTC; `toMs` is excluded. */
export const catalogSpan = { fromMs: Date.UTC(2024, 0, 1), toMs: Date.UTC(2026, 10, 1) } as const;

/** Where and about when a scene is wanted; a sensor takes the nearest one that its orbit allows. */
export interface Wish {
  lon: number;
  lat: number;
  timeMs: number;
  random: Random;
  /** How many items may still be made. */
  room: number;
}

/** A collection: its record, what can be asked of it, its files, and how its items come about. */
export interface Sensor {
  collection: StacCollection;
  /** JSON Schema by property. */
  queryables: Readonly<Record<string, JsonObject>>;
  plans: readonly AssetPlan[];
  /** The items of one scene (an optical scene may bring its mask); none where the sensor sees nothing then or there. */
  take(wish: Wish): readonly IdentifiedItem[];
}
