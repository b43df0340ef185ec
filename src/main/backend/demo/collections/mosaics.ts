import type { IdentifiedItem } from '#shared/stac/item.ts';
import { hashText } from '../random.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { band, metadata, thumbnail, visual, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { roundTo } from './optical-properties.ts';
import {
  commonQueryables,
  numberSchema,
  percentSchema,
  textSchema,
  timeSchema,
} from './queryable-schemas.ts';
import { outlineOf } from './scene-shape.ts';
import { publishingTimes, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

const collectionId = 'ai-ready-mosaics';

/** Sizes of assets in this collection are in degrees, as those of the real one. */
const inDegrees: JsonObject = { gsd: 0.0001, 'proj:code': 'EPSG:4326' };
const plans: readonly AssetPlan[] = [
  ...(['blue', 'green', 'red', 'nir', 'swir16', 'swir22'] as const).map((key) =>
    band(key, 'mosaic-10m', {
      title: `Monthly ${key}`,
      members: { ...inDegrees, 'eo:bands': [{ name: key, common_name: key }] },
    }),
  ),
  visual('visual', 'visual.tif'),
  thumbnail(),
  metadata('metadata', 'metadata.json', 'Metadata'),
];

/** Monthly cloud-free mosaics in cells of one degree; `datetime` is the start of the month. */
export const mosaics: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'AI-Ready Monthly Mosaics',
    description:
      'Cloud-free mosaics of each month at 10 m, one degree by one degree, harmonized for analysis.',
    license: 'proprietary',
    keywords: ['mosaic', 'monthly', 'analysis ready'],
    provider: null,
    summaries: null,
    plans,
  }),
  queryables: {
    ...commonQueryables,
    start_datetime: timeSchema('Start'),
    end_datetime: timeSchema('End'),
    'eo:cloud_cover': percentSchema('Cloud cover (%)'),
    'eda:pixel_composite_method': textSchema('Composite method', ['MEDIAN']),
    'eda:source_count': numberSchema('Scenes used', { minimum: 1 }),
  },
  plans,
  take,
};

function take({ lon, lat, timeMs, random }: Wish): IdentifiedItem[] {
  const [west, south] = [Math.floor(lon), Math.floor(lat)];
  // The cap around the pole is one cell: there are no longitudes to speak of.
  const isPolar = lat > 83;
  const wanted = new Date(timeMs);
  const startMs = Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth(), 1);
  const endMs = Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth() + 1, 1) - 0.001;
  if (startMs < catalogSpan.fromMs || endMs >= catalogSpan.toMs) return [];
  const month = toMicrosText(startMs).slice(0, 7).replace('-', '');
  const cell = isPolar
    ? 'NPOLE'
    : `${south < 0 ? 'S' : 'N'}${pad(Math.abs(south), 2)}${west < 0 ? 'W' : 'E'}${pad(Math.abs(west), 3)}`;
  const id = `ai-ready-mosaic_${cell}_${month}`;
  const ground = isPolar
    ? { epsg: 4326, left: -180, top: 90, pixelSize: 360 / 10_000, columns: 10_000, rows: 195 }
    : { epsg: 4326, left: west, top: south + 1, pixelSize: 0.0001, columns: 10_000, rows: 10_000 };
  const item = makeItem({
    collectionId,
    id,
    corners: outlineOf(ground),
    ground,
    plans: isPolar ? plans.filter((plan) => plan.content.kind !== 'plate') : plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: ['eo/v1.1.0'],
    properties: {
      platform: null,
      constellation: 'sentinel-2',
      instruments: ['msi'],
      gsd: 10,
      'eda:product_type': 'MOSAIC',
      'eda:pixel_composite_method': 'MEDIAN',
      'eda:source_count': 3 + (hashText(id) % 14),
      ...publishingTimes(endMs + 5 * 86_400_000, random),
      start_datetime: toMicrosText(startMs),
      end_datetime: toMicrosText(endMs),
      datetime: toMicrosText(startMs),
      'eo:cloud_cover': roundTo(random.next() ** 6 * 12, 3),
    },
  });
  return [item];
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
