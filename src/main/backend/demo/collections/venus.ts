import type { IdentifiedItem } from '#shared/stac/item.ts';
import { band, metadata, spectral, thumbnail, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { daylightAt, drawCloudCover, opticalProperties, roundTo } from './optical-properties.ts';
import { opticalQueryables, textSchema } from './queryable-schemas.ts';
import { tiltedScene } from './scene-shape.ts';
import { publishingTimes, toCompactTime, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

const collectionId = 'venus-l2a';
const revisitMs = 2 * 86_400_000;

interface Site {
  name: string;
  lon: number;
  lat: number;
}

/** This satellite looked at chosen sites only, every second day. */
const sites: readonly [Site, ...Site[]] = [
  { name: 'FR-LAM', lon: 0.88, lat: 43.5 },
  { name: 'ES-LLEID', lon: 0.6, lat: 41.65 },
  { name: 'IT-PO', lon: 10.6, lat: 45.1 },
  { name: 'DE-DEMM', lon: 13.2, lat: 53.9 },
  { name: 'UA-KHER', lon: 33.4, lat: 46.6 },
  { name: 'US-IOWA', lon: -93.7, lat: 42.0 },
  { name: 'US-FRES', lon: -119.9, lat: 36.6 },
  { name: 'CA-REGIN', lon: -104.6, lat: 50.4 },
  { name: 'BR-MATO', lon: -55.5, lat: -12.6 },
  { name: 'IN-LUDH', lon: 75.8, lat: 30.9 },
  { name: 'AU-NARRA', lon: 146.5, lat: -34.7 },
];

const reflectances = [
  ['1', 'coastal', 0.42],
  ['3', 'blue', 0.49],
  ['4', 'green', 0.555],
  ['7', 'red', 0.667],
  ['9', 'rededge', 0.742],
  ['11', 'nir', 0.865],
] as const;
const plans: readonly AssetPlan[] = [
  ...reflectances.map(([number, name, micrometres]) =>
    band(`image_file_SRE_B${number}`, 'venus-5m', {
      title: `Surface reflectance B${number} (${name})`,
      file: `SRE_B${number}.tif`,
      members: spectral(`B${number}`, name, { micrometres, gsd: 5 }),
    }),
  ),
  thumbnail('thumbnail', 'QKL_ALL.png'),
  metadata('stac_json', 'stac.json', 'Metadata'),
];

/** VENµS level 2A: small sites, dense in time. Its rasters carry a size and no checksum. */
export const venus: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'VENµS Level-2A',
    description: 'Surface reflectance at 5 m of chosen sites, every second day.',
    license: 'CC-BY-NC-4.0',
    keywords: null,
    provider: { name: 'CNES', roles: ['producer'], url: 'https://www.theia-land.fr' },
    summaries: { platform: ['venus'], gsd: [5] },
    plans,
  }),
  queryables: {
    ...opticalQueryables,
    platform: textSchema('Platform', ['venus']),
    'venus:site': textSchema(
      'Site',
      sites.map((site) => site.name),
    ),
  },
  plans,
  take,
};

function take({ timeMs: wantedMs, random }: Wish): IdentifiedItem[] {
  const site = random.pick(sites);
  const overpass = (10.6 - site.lon / 15) * 3_600_000;
  const visits = Math.floor((wantedMs - catalogSpan.fromMs - overpass) / revisitMs);
  const timeMs = catalogSpan.fromMs + visits * revisitMs + overpass + random.next() * 60_000;
  if (timeMs < catalogSpan.fromMs || timeMs >= catalogSpan.toMs) return [];
  const sun = daylightAt(timeMs, site.lon, site.lat);
  if (sun === null) return [];
  const cloudCover = drawCloudCover(random, { timeMs, lon: site.lon, lat: site.lat });
  const id = `VENUS-XS_${toCompactTime(timeMs).replace('T', '-')}-000_L2A_${site.name}_C_V3-1`;
  const item = makeItem({
    collectionId,
    id,
    ...tiltedScene(
      { lon: site.lon, lat: site.lat, heading: 192 },
      { acrossM: 22_500, alongM: 22_500, pixelSize: 5, columns: 5632, rows: 5632 },
    ),
    plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: ['eo/v1.1.0', 'view/v1.0.0', 'raster/v1.1.0'],
    properties: {
      platform: 'venus',
      constellation: null,
      instruments: ['vssc'],
      gsd: 5,
      'venus:site': site.name,
      'processing:level': 'L2A',
      ...publishingTimes(timeMs + 30 * 3_600_000, random),
      datetime: toMicrosText(timeMs),
      ...opticalProperties(
        sun,
        cloudCover === null ? null : Math.round(cloudCover),
        roundTo(random.between(5, 30), 2),
      ),
    },
  });
  return [item];
}
