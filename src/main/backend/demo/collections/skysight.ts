import type { IdentifiedItem } from '#shared/stac/item.ts';
import { hexDigits } from '../random.ts';
import { band, directory, metadata, thumbnail, visual, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { daylightAt, drawCloudCover, opticalProperties, roundTo } from './optical-properties.ts';
import { booleanSchema, numberSchema, opticalQueryables, textSchema } from './queryable-schemas.ts';
import { tiltedScene } from './scene-shape.ts';
import { publishingTimes, toCompactTime, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

const collectionId = 'skysight-50cm';
const dayMs = 86_400_000;
const requesterPays = 'skysight-archive';

const plans: readonly AssetPlan[] = [
  band('pansharpened', 'sky-sharp-50cm', {
    title: 'Pansharpened, 4 bands, 50 cm',
    file: 'PSH_4B.tif',
    members: {
      gsd: 0.5,
      'eo:bands': ['blue', 'green', 'red', 'nir'].map((name) => ({ name, common_name: name })),
    },
  }),
  band('multispectral', 'sky-ms-2m', {
    title: 'Multispectral, 4 bands, 2 m',
    file: 'MS_4B.tif',
    members: {
      gsd: 2,
      'eo:bands': ['blue', 'green', 'red', 'nir'].map((name) => ({ name, common_name: name })),
    },
  }),
  visual('visual', 'RGB.tif'),
  thumbnail('thumbnail', 'browse.png'),
  metadata('Product metadata', 'product.xml', 'Product metadata'),
  directory('data', 'raw/', 'Raw strips'),
];

/** An invented commercial constellation: very high resolution, agile, in requester-pays buckets with `s3://` hrefs only. */
export const skysight: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'SkySight 50 cm',
    description: 'Very high resolution scenes on order, 50 cm pansharpened. Requester pays.',
    license: 'proprietary',
    keywords: ['very high resolution', 'commercial', 'pansharpened'],
    provider: { name: 'SkySight Demo', roles: ['producer', 'licensor'] },
    summaries: { platform: ['skysight-1', 'skysight-2'], constellation: ['skysight'], gsd: [0.5, 2] },
    plans,
  }),
  queryables: {
    ...opticalQueryables,
    platform: textSchema('Platform', ['skysight-1', 'skysight-2']),
    'view:azimuth': numberSchema('View azimuth (°)', { minimum: 0, maximum: 360 }),
    'view:incidence_angle': numberSchema('Incidence angle (°)', { minimum: 0, maximum: 90 }),
    'eda:product_type': textSchema('Product type', ['ORTHO']),
    'eda:geometric_accuracy_rmse': numberSchema('Geometric accuracy (m)', { minimum: 0 }),
    'eda:is_stereo': booleanSchema('Stereo pair'),
  },
  plans,
  take,
};

function take({ lon, lat, timeMs: wantedMs, random }: Wish): IdentifiedItem[] {
  // Agile satellites come by every day, at half past ten by the sun.
  const day = Math.floor(wantedMs / dayMs) * dayMs;
  const timeMs = day + (10.5 - lon / 15 + random.between(-0.4, 0.4)) * 3_600_000;
  if (timeMs < catalogSpan.fromMs || timeMs >= catalogSpan.toMs) return [];
  const sun = daylightAt(timeMs, lon, lat);
  if (sun === null) return [];
  const unit = 1 + random.int(2);
  const id = `SKY${unit}_50CM_${toCompactTime(timeMs)}_${hexDigits(random, 8)}`;
  // Nobody orders a cloudy picture, but some turn out so.
  const cloudCover = drawCloudCover(random, { timeMs, lon, lat });
  const offNadir = random.between(1, 29);
  const item = makeItem({
    collectionId,
    id,
    ...tiltedScene(
      { lon, lat, heading: 180 + random.between(4, 14) },
      { acrossM: 13_200, alongM: 18_000, pixelSize: 2, columns: 8000, rows: 10000 },
    ),
    plans,
    storage: `s3://swath-demo/${collectionId}/${id}/`,
    extensions: ['eo/v1.1.0', 'view/v1.0.0', 'storage/v2.0.0'],
    assetMembers: { 'storage:refs': [requesterPays] },
    properties: {
      platform: `skysight-${unit}`,
      constellation: 'skysight',
      instruments: ['pan', 'ms'],
      gsd: 0.5,
      'view:azimuth': roundTo(random.between(0, 360), 3),
      'view:incidence_angle': roundTo(offNadir * 1.09, 3),
      'eda:product_type': 'ORTHO',
      'eda:geometric_accuracy_rmse': roundTo(random.between(1.2, 4.5), 2),
      'eda:is_stereo': random.next() < 0.08,
      'storage:schemes': {
        [requesterPays]: {
          type: 'aws-s3',
          platform: 'https://{bucket}.s3.{region}.amazonaws.com',
          bucket: 'swath-demo',
          region: 'eu-central-1',
          requester_pays: true,
        },
      },
      ...publishingTimes(timeMs + 4 * 3_600_000, random),
      datetime: toMicrosText(timeMs),
      ...opticalProperties(sun, cloudCover === null ? null : roundTo(cloudCover * 0.5, 1), offNadir),
    },
  });
  return [item];
}
