import type { IdentifiedItem } from '#shared/stac/item.ts';
import { mgrsTileAt, tileSizeM } from '../geo/mgrs.ts';
import { passNear, periodMs, tracksOver, type Orbit, type Satellite, type Track } from '../geo/orbit.ts';
import { epsgOfZone, fromUtm } from '../geo/utm.ts';
import { band, metadata, spectral, thumbnail, visual, type AssetPlan } from './asset-plan.ts';
import { agCloudMaskId, makeMaskItem } from './ag-cloud-mask.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { daylightAt, drawCloudCover, opticalProperties, roundTo } from './optical-properties.ts';
import {
  booleanSchema,
  numberSchema,
  opticalQueryables,
  percentSchema,
  textSchema,
} from './queryable-schemas.ts';
import { outlineOf } from './scene-shape.ts';
import { publishingTimes, toCompactTime, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

/** 143 orbits in 10 days; pinned to a pass of S2A over the plains in orbit 12. */
const orbit: Orbit = {
  orbitsPerCycle: 143,
  cycleDays: 10,
  inclinationDegrees: 98.62,
  swathKm: 290,
  anchor: {
    orbit: 12,
    lon: -98.04,
    lat: 41,
    isDescending: true,
    timeMs: Date.UTC(2023, 6, 1, 17, 32, 30, 589),
  },
};
const replacedMs = Date.UTC(2025, 0, 21);
const satellites: readonly Satellite[] = [
  { code: 'S2B', platform: 'sentinel-2b', lagDays: 5, ...catalogSpan },
  { code: 'S2A', platform: 'sentinel-2a', lagDays: 0, fromMs: catalogSpan.fromMs, toMs: replacedMs },
  { code: 'S2C', platform: 'sentinel-2c', lagDays: 0, fromMs: replacedMs, toMs: catalogSpan.toMs },
];
const altitudeKm = 786;

const plans: readonly AssetPlan[] = [
  band('B02', 's2-10m', {
    title: 'Blue (band 2), 10 m',
    members: spectral('B02', 'blue', { micrometres: 0.49, gsd: 10 }),
  }),
  band('B03', 's2-10m', {
    title: 'Green (band 3), 10 m',
    members: spectral('B03', 'green', { micrometres: 0.56, gsd: 10 }),
  }),
  band('B04', 's2-10m', {
    title: 'Red (band 4), 10 m',
    members: spectral('B04', 'red', { micrometres: 0.665, gsd: 10 }),
  }),
  band('B08', 's2-10m', {
    title: 'NIR (band 8), 10 m',
    members: spectral('B08', 'nir', { micrometres: 0.842, gsd: 10 }),
  }),
  band('B11', 's2-20m', {
    title: 'SWIR 1 (band 11), 20 m',
    members: spectral('B11', 'swir16', { micrometres: 1.61, gsd: 20 }),
  }),
  band('B12', 's2-20m', {
    title: 'SWIR 2 (band 12), 20 m',
    members: spectral('B12', 'swir22', { micrometres: 2.19, gsd: 20 }),
  }),
  band('SCL', 's2-scl', {
    title: 'Scene classification',
    roles: ['data', 'cloud', 'snow-ice'],
    members: { gsd: 20 },
  }),
  visual(),
  thumbnail(),
  thumbnail('preview/B01.png', 'preview/B01.png', ['overview']),
  band('preview/B01.tif', 's2-60m', {
    title: 'Coastal (band 1), 60 m',
    file: 'preview/B01.tif',
    members: spectral('B01', 'coastal', { micrometres: 0.443, gsd: 60 }),
  }),
  metadata('granule_metadata', 'MTD_TL.xml', 'Granule metadata'),
  metadata('tileinfo_metadata', 'tileInfo.json', 'Tile info'),
];

/** Sentinel-2 level 2A: optical, in tiles of the military grid, with the agriculture cloud mask of many of its items. */
export const sentinel2: Sensor = {
  collection: describeCollection({
    id: 'sentinel-2-l2a',
    title: 'Sentinel-2 Level-2A',
    description:
      'Surface reflectance of Sentinel-2 A, B and C in tiles of 110 km, 10 to 60 m, every 5 days or less.',
    license: 'proprietary',
    keywords: ['sentinel', 'copernicus', 'esa', 'msi', 'reflectance'],
    provider: { name: 'ESA', roles: ['producer'], url: 'https://earth.esa.int/web/guest/home' },
    bbox: [-180, -80, 180, 84],
    summaries: {
      platform: satellites.map((satellite) => satellite.platform),
      constellation: ['sentinel-2'],
      instruments: ['msi'],
      gsd: [10, 20, 60],
    },
    plans,
  }),
  queryables: {
    ...opticalQueryables,
    platform: textSchema('Platform', ['sentinel-2a', 'sentinel-2b', 'sentinel-2c']),
    's2:mgrs_tile': textSchema('Tile'),
    'grid:code': textSchema('Grid cell'),
    's2:nodata_pixel_percentage': percentSchema('No data (%)'),
    's2:vegetation_percentage': percentSchema('Vegetation (%)'),
    's2:water_percentage': percentSchema('Water (%)'),
    'sat:relative_orbit': numberSchema('Relative orbit', { minimum: 1, maximum: 143 }),
    'sat:orbit_state': textSchema('Orbit state', ['descending']),
    'processing:level': textSchema('Processing level', ['L2A']),
    'eda:ag_cloud_mask_available': booleanSchema('Agriculture cloud mask'),
    'eda:ag_cloud_mask_item_id': textSchema('Item of the agriculture cloud mask'),
    'eda:ag_cloud_mask_collection_id': textSchema('Collection of the agriculture cloud mask'),
  },
  plans,
  take,
};

function take({ lon, lat, timeMs: wantedMs, random, room }: Wish): IdentifiedItem[] {
  const tile = mgrsTileAt(lon, lat);
  if (tile === null) return [];
  const [left, top] = tile.upperLeftM;
  const [midLon, midLat] = fromUtm(tile.zone, left + tileSizeM / 2, top - tileSizeM / 2);
  const tracks = tracksOver(orbit, { lon: midLon, lat: midLat, isDescending: true });
  const track = tracks[random.int(Math.min(2, tracks.length))];
  const pass = track && passNear(orbit, track, { satellites, timeMs: wantedMs });
  if (!pass) return [];
  const { satellite, timeMs } = pass;
  const sun = daylightAt(timeMs, midLon, midLat);
  if (sun === null) return [];
  const startMs = datatakeStart(track, midLat, timeMs);
  const readyMs = Math.floor((timeMs + random.between(1.8, 7) * 3_600_000) / 1000) * 1000;
  const orbitName = `R${String(track.orbit).padStart(3, '0')}`;
  const id = `${satellite.code}_MSIL2A_${toCompactTime(startMs)}_${orbitName}_T${tile.name}_${toCompactTime(readyMs)}`;
  const cloudCover = drawCloudCover(random, { timeMs, lon: midLon, lat: midLat });
  const hasMask =
    random.next() < (timeMs > Date.UTC(2025, 6, 1) ? 0.38 : 0.2) && cloudCover !== null && room > 1;
  const maskReadyMs = readyMs + random.between(2, 30) * 3_600_000;
  const ground = { epsg: epsgOfZone(tile.zone), left, top, pixelSize: 10, columns: 10980, rows: 10980 };
  const scene = { id, corners: outlineOf(ground), ground, timeMs, readyMs: maskReadyMs, cloudCover };
  const vegetation = cloudCover === null ? null : roundTo((100 - cloudCover) * random.between(0.2, 0.8), 6);
  const optical = makeItem({
    ...scene,
    collectionId: 'sentinel-2-l2a',
    plans,
    storage: `https://swath-demo.invalid/sentinel-2-l2a/${id}/`,
    extensions: [
      'eo/v1.1.0',
      'view/v1.0.0',
      'grid/v1.1.0',
      'sat/v1.0.0',
      'processing/v1.1.0',
      'raster/v1.1.0',
      'storage/v1.0.0',
    ],
    assetMembers: {
      'storage:platform': 'AWS',
      'storage:region': 'us-west-2',
      'storage:requester_pays': false,
    },
    properties: {
      platform: satellite.platform,
      constellation: 'sentinel-2',
      instruments: ['msi'],
      gsd: 10,
      's2:mgrs_tile': tile.name,
      'grid:code': `MGRS-${tile.name}`,
      's2:product_type': 'S2MSI2A',
      's2:processing_baseline': '05.11',
      's2:generation_time': toMicrosText(readyMs),
      's2:nodata_pixel_percentage': 0,
      's2:vegetation_percentage': vegetation,
      's2:water_percentage': roundTo(random.next() ** 4 * 30, 6),
      'sat:orbit_state': 'descending',
      'sat:relative_orbit': track.orbit,
      'processing:level': 'L2A',
      ...publishingTimes(readyMs, random),
      datetime: toMicrosText(timeMs),
      ...opticalProperties(
        sun,
        cloudCover,
        (Math.atan(Math.abs(track.offsetKm) / altitudeKm) * 180) / Math.PI,
      ),
      'eda:ag_cloud_mask_available': hasMask,
      ...(hasMask
        ? {
            'eda:ag_cloud_mask_item_id': agCloudMaskId(id, maskReadyMs),
            'eda:ag_cloud_mask_collection_id': 'sentinel-2-l2a-cog-ag-cloud-mask',
          }
        : {}),
    },
  });
  return hasMask ? [optical, makeMaskItem(scene, { satellite, tile, sun, random })] : [optical];
}

/** When the recording began that the tile was cut from: beyond the pole for the north, a few minutes before elsewhere. */
function datatakeStart(track: Track, lat: number, timeMs: number): number {
  if (lat < 20) return timeMs - 30_000 - (((90 - lat) % 15) / 360) * periodMs(orbit);
  const northernStart = Math.PI * 0.5 + 0.06;
  return timeMs - ((track.argument - northernStart) / (2 * Math.PI) + 0.09) * periodMs(orbit);
}
