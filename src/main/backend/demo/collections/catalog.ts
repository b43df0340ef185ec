import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { agCloudMask } from './ag-cloud-mask.ts';
import { forestMask } from './forest-mask.ts';
import { landsat } from './landsat.ts';
import { mosaics } from './mosaics.ts';
import { sentinel1 } from './sentinel-1.ts';
import { sentinel2 } from './sentinel-2.ts';
import { skysight } from './skysight.ts';
import { venus } from './venus.ts';
import type { AssetPlan } from './asset-plan.ts';
import type { Sensor } from './sensor.ts';

const sensors: readonly Sensor[] = [
  sentinel2,
  landsat,
  sentinel1,
  skysight,
  venus,
  mosaics,
  agCloudMask,
  forestMask,
];

/** Every collection of the demo catalog. */
export function demoCollections(): StacCollection[] {
  return sensors.map((sensor) => sensor.collection);
}

/** The queryables answer of one collection, in the shape of the real service (field notes §1.7); null when there is no such collection. */
export function queryablesOf(collectionId: string): JsonObject | null {
  const sensor = findSensor(collectionId);
  return (
    sensor && {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $id: 'https://swath-demo.invalid/queryables',
      type: 'object',
      title: 'Queryables for STAC API',
      description: 'Queryable names for the STAC API Item Search using Query Extension.',
      properties: { ...sensor.queryables },
    }
  );
}

/** What an asset of a collection is made of; null when the collection has no such asset. */
export function assetPlanOf(collectionId: string, assetKey: string): AssetPlan | null {
  return findSensor(collectionId)?.plans.find((plan) => plan.key === assetKey) ?? null;
}

function findSensor(collectionId: string): Sensor | null {
  return sensors.find((sensor) => sensor.collection.id === collectionId) ?? null;
}
