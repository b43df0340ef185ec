import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { RasterFrame } from '../files/raster-frame.ts';
import type { MgrsTile } from '../geo/mgrs.ts';
import type { Satellite } from '../geo/orbit.ts';
import type { SunPosition } from '../geo/sun.ts';
import type { Random } from '../random.ts';
import { band, metadata, thumbnail, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { opticalProperties } from './optical-properties.ts';
import { opticalQueryables, textSchema } from './queryable-schemas.ts';
import { publishingTimes, toCompactTime, toMicrosText } from './scene-time.ts';
import type { Sensor } from './sensor.ts';

const collectionId = 'sentinel-2-l2a-cog-ag-cloud-mask';
const sourceCollectionId = 'sentinel-2-l2a';

const plans: readonly AssetPlan[] = [
  band('agriculture-cloud-mask', 'ag-mask', {
    title: 'Agriculture cloud mask',
    file: 'AG_CLOUD_MASK.tif',
    roles: ['data', 'cloud', 'cloud-shadow'],
    members: {
      gsd: 20,
      'classification:classes': ['nodata', 'clear', 'water', 'shadow', 'cloud'].map((name, value) => ({
        value,
        name,
      })),
    },
  }),
  thumbnail(),
  metadata('metadata', 'metadata.json', 'Metadata'),
];

/** Cloud masks made for agriculture, one for many of the optical items; each names the other. Comes with sentinel2's scenes. */
export const agCloudMask: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'Agriculture Cloud Mask for Sentinel-2 L2A',
    description: collectionId,
    license: 'proprietary',
    keywords: null,
    provider: null,
    summaries: null,
    plans,
    hasItemAssets: false,
  }),
  queryables: {
    ...opticalQueryables,
    platform: textSchema('Platform', ['sentinel-2a', 'sentinel-2b', 'sentinel-2c']),
    'grid:code': textSchema('Grid cell'),
    'eda:derived_from_item_id': textSchema('Item that the mask was made from'),
    'eda:derived_from_collection_id': textSchema('Collection that the mask was made from'),
  },
  plans,
  take: () => [],
};

/** Id of the mask of an optical item. */
export function agCloudMaskId(opticalId: string, readyMs: number): string {
  return `${opticalId}_AG_CLOUD_MASK_${toCompactTime(readyMs).replace('T', '')}`;
}

/** The mask of an optical scene. */
export function makeMaskItem(
  scene: {
    id: string;
    corners: [lon: number, lat: number][];
    ground: RasterFrame;
    timeMs: number;
    readyMs: number;
    cloudCover: number | null;
  },
  origin: { satellite: Satellite; tile: MgrsTile; sun: SunPosition; random: Random },
): IdentifiedItem {
  const id = agCloudMaskId(scene.id, scene.readyMs);
  return makeItem({
    collectionId,
    id,
    corners: scene.corners,
    ground: { ...scene.ground, pixelSize: 20, columns: 5490, rows: 5490 },
    plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: ['eo/v1.1.0', 'view/v1.0.0', 'grid/v1.1.0'],
    properties: {
      platform: origin.satellite.platform,
      constellation: 'sentinel-2',
      instruments: ['msi'],
      gsd: 20,
      'grid:code': `MGRS-${origin.tile.name}`,
      'eda:product_type': 'AG_CLOUD_MASK',
      'eda:derived_from_item_id': scene.id,
      'eda:derived_from_collection_id': sourceCollectionId,
      ...publishingTimes(scene.readyMs, origin.random),
      datetime: toMicrosText(scene.timeMs),
      ...opticalProperties(origin.sun, scene.cloudCover, 0),
    },
  });
}
