import type { IdentifiedItem } from '#shared/stac/item.ts';
import { band, metadata, thumbnail, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { commonQueryables, timeSchema } from './queryable-schemas.ts';
import { outlineOf } from './scene-shape.ts';
import { publishingTimes, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

/** Colons as real catalogs have them: to be encoded in paths, never to be split on. */
const collectionId = 'swath-demo:carbon-analytics:forestmask:3x3:v2.1';
const cellDegrees = 3;

const plans: readonly AssetPlan[] = [
  band('forest mask', 'forest-30m', {
    title: 'Forest mask',
    file: 'forestmask.tif',
    members: { gsd: 0.0002694, 'proj:code': 'EPSG:4326' },
  }),
  thumbnail(),
  metadata('Metadata in JSON format', 'metadata.json', 'Metadata'),
];

/** Yearly forest masks in cells of three degrees. */
export const forestMask: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'Forest Mask 3×3°, version 2.1',
    description: collectionId,
    license: 'CC-BY-4.0',
    keywords: ['forest', 'carbon'],
    provider: null,
    summaries: null,
    plans,
  }),
  queryables: { ...commonQueryables, start_datetime: timeSchema('Start'), end_datetime: timeSchema('End') },
  plans,
  take,
};

function take({ lon, lat, timeMs, random }: Wish): IdentifiedItem[] {
  const west = Math.floor(lon / cellDegrees) * cellDegrees;
  const south = Math.floor(lat / cellDegrees) * cellDegrees;
  const year = new Date(timeMs).getUTCFullYear();
  const endMs = Date.UTC(year + 1, 0, 1) - 0.001;
  if (endMs >= catalogSpan.toMs || south + cellDegrees > 84) return [];
  const cell = `${south < 0 ? 'S' : 'N'}${String(Math.abs(south)).padStart(2, '0')}${west < 0 ? 'W' : 'E'}${String(Math.abs(west)).padStart(3, '0')}`;
  const id = `forestmask_3x3_${cell}_${year}`;
  const ground = {
    epsg: 4326,
    left: west,
    top: south + cellDegrees,
    pixelSize: cellDegrees / 11136,
    columns: 11136,
    rows: 11136,
  };
  const item = makeItem({
    collectionId,
    id,
    corners: outlineOf(ground),
    ground,
    plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: [],
    properties: {
      platform: null,
      gsd: 30,
      ...publishingTimes(endMs + 40 * 86_400_000, random),
      start_datetime: toMicrosText(Date.UTC(year, 0, 1)),
      end_datetime: toMicrosText(endMs),
      datetime: toMicrosText(Date.UTC(year, 0, 1)),
    },
  });
  return [item];
}
