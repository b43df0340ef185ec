import type { IdentifiedItem } from '#shared/stac/item.ts';
import { passNear, trackOf, trackPosition, tracksOver, type Orbit, type Satellite } from '../geo/orbit.ts';
import { band, metadata, spectral, thumbnail, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { daylightAt, drawCloudCover, opticalProperties, roundTo } from './optical-properties.ts';
import { numberSchema, opticalQueryables, percentSchema, textSchema } from './queryable-schemas.ts';
import { tiltedScene } from './scene-shape.ts';
import { publishingTimes, toCompactDate, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

const collectionId = 'landsat-c2l2-sr';
const rowsPerOrbit = 248;
const equatorRow = 60;
const anchorPath = 47;

/** The second Worldwide Reference System: path 1 crosses the equator at 64.6° W, paths count to the west. */
const orbit: Orbit = {
  orbitsPerCycle: 233,
  cycleDays: 16,
  inclinationDegrees: 98.2,
  swathKm: 185,
  anchor: {
    orbit: 1,
    lon: -64.6 - ((anchorPath - 1) * 360) / 233,
    lat: 0,
    isDescending: true,
    // Landsat 8 took path 47, row 27 at 19:02:11 on that day; the equator follows 33 rows later.
    timeMs: Date.UTC(2020, 11, 4, 19, 2, 11) + 33 * 23_884,
  },
};
const satellites: readonly Satellite[] = [
  { code: 'LC08', platform: 'landsat-8', lagDays: 0, ...catalogSpan },
  { code: 'LC09', platform: 'landsat-9', lagDays: 8, ...catalogSpan },
];

const reflectance = ['data', 'reflectance'];
const plans: readonly AssetPlan[] = [
  ...(
    [
      ['coastal', 'B1', 0.44, 'Coastal/aerosol'],
      ['blue', 'B2', 0.48, 'Blue'],
      ['green', 'B3', 0.56, 'Green'],
      ['red', 'B4', 0.65, 'Red'],
      ['nir08', 'B5', 0.86, 'Near infrared 0.8'],
      ['swir16', 'B6', 1.6, 'Short-wave infrared 1.6'],
      ['swir22', 'B7', 2.2, 'Short-wave infrared 2.2'],
    ] as const
  ).map(([key, name, micrometres, title]) =>
    band(key, 'landsat-30m', {
      title: `${title} band (${name})`,
      file: `SR_${name}.TIF`,
      roles: reflectance,
      members: spectral(name, key, { micrometres, gsd: 30 }),
    }),
  ),
  band('qa_pixel', 'landsat-qa', {
    title: 'Pixel quality assessment band',
    file: 'QA_PIXEL.TIF',
    roles: ['cloud', 'cloud-shadow', 'snow-ice'],
  }),
  thumbnail(),
  thumbnail('reduced_resolution_browse', 'thumb_large.png', ['overview']),
  metadata('ANG.txt', 'ANG.txt', 'Angle coefficients'),
  metadata('MTL.xml', 'MTL.xml', 'Product metadata (xml)'),
  metadata('MTL.json', 'MTL.json', 'Product metadata (json)'),
];

/** Landsat 8 and 9 surface reflectance: optical scenes of 185 km, tilted, framed by black. */
export const landsat: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'Landsat Collection 2 Level-2 Surface Reflectance',
    description:
      'Surface reflectance of Landsat 8 and 9 at 30 m, every 8 days, in scenes of 185 km by path and row.',
    license: 'proprietary',
    keywords: ['landsat', 'usgs', 'nasa', 'reflectance'],
    provider: { name: 'USGS', roles: ['producer', 'licensor'], url: 'https://www.usgs.gov/landsat-missions' },
    summaries: { platform: ['landsat-8', 'landsat-9'], instruments: ['oli', 'tirs'], gsd: [30] },
    plans,
  }),
  queryables: {
    ...opticalQueryables,
    platform: textSchema('Platform', ['landsat-8', 'landsat-9']),
    'landsat:wrs_path': textSchema('WRS path'),
    'landsat:wrs_row': textSchema('WRS row'),
    'landsat:scene_id': textSchema('Scene'),
    'landsat:collection_category': textSchema('Category', ['T1', 'T2']),
    'landsat:cloud_cover_land': percentSchema('Cloud cover over land (%)'),
    'view:azimuth': numberSchema('View azimuth (°)', { minimum: 0, maximum: 360 }),
  },
  plans,
  take,
};

function take({ lon, lat, timeMs: wantedMs, random }: Wish): IdentifiedItem[] {
  const [nearest] = tracksOver(orbit, { lon, lat, isDescending: true });
  if (nearest === undefined) return [];
  const rowAngle = (2 * Math.PI) / rowsPerOrbit;
  const row = equatorRow + Math.round((nearest.argument - Math.PI) / rowAngle);
  const argument = Math.PI + (row - equatorRow) * rowAngle;
  const track = trackOf(orbit, { stepsWest: nearest.stepsWest, argument, offsetKm: 0 });
  const [midLon, midLat] = trackPosition(orbit, track.stepsWest, argument);
  const pass = passNear(orbit, track, { satellites, timeMs: wantedMs });
  const sun = pass && daylightAt(pass.timeMs, midLon, midLat);
  if (!pass || !sun) return [];
  const { satellite, timeMs } = pass;
  const path = String(((anchorPath - 1 + track.stepsWest) % 233) + 1).padStart(3, '0');
  const rowName = String(row).padStart(3, '0');
  const readyMs = timeMs + (2 + random.int(12)) * 86_400_000;
  const category = random.next() < 0.9 ? 'T1' : 'T2';
  const id = `${satellite.code}_L2SP_${path}${rowName}_${toCompactDate(timeMs)}_${toCompactDate(readyMs)}_02_${category}`;
  const cloudCover = drawCloudCover(random, { timeMs, lon: midLon, lat: midLat });
  const dayOfYear = Math.floor((timeMs - Date.UTC(new Date(timeMs).getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  const year = new Date(timeMs).getUTCFullYear();
  const sceneId = `${satellite.code.replace('0', '')}${path}${rowName}${year}${String(dayOfYear).padStart(3, '0')}LGN00`;
  const item = makeItem({
    collectionId,
    id,
    ...tiltedScene(
      { lon: midLon, lat: midLat, heading: track.heading },
      { acrossM: 185_000, alongM: 180_000, pixelSize: 30, columns: 8200, rows: 8200 },
    ),
    plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: ['eo/v1.1.0', 'view/v1.0.0', 'landsat/v1.1.1', 'raster/v1.1.0', 'storage/v1.0.0'],
    assetMembers: {
      'storage:platform': 'AWS',
      'storage:region': 'us-west-2',
      'storage:requester_pays': true,
    },
    properties: {
      platform: satellite.platform,
      constellation: null,
      instruments: ['oli', 'tirs'],
      gsd: 30,
      'landsat:wrs_type': '2',
      'landsat:wrs_path': path,
      'landsat:wrs_row': rowName,
      'landsat:scene_id': sceneId,
      'landsat:correction': 'L2SP',
      'landsat:collection_number': '02',
      'landsat:collection_category': category,
      'landsat:cloud_cover_land':
        cloudCover === null ? null : roundTo(Math.min(100, cloudCover * random.between(0.9, 1.1)), 2),
      'view:azimuth': 0,
      ...publishingTimes(readyMs, random),
      datetime: toMicrosText(timeMs),
      ...opticalProperties(sun, cloudCover === null ? null : roundTo(cloudCover, 2), 0),
    },
  });
  return [item];
}
