import type { IdentifiedItem } from '#shared/stac/item.ts';
import { passNear, trackOf, trackPosition, tracksOver, type Orbit, type Satellite } from '../geo/orbit.ts';
import { hexDigits } from '../random.ts';
import { band, metadata, thumbnail, type AssetPlan } from './asset-plan.ts';
import { describeCollection } from './describe-collection.ts';
import { makeItem } from './make-item.ts';
import { commonQueryables, numberSchema, textSchema } from './queryable-schemas.ts';
import { tiltedScene } from './scene-shape.ts';
import { publishingTimes, toCompactTime, toMicrosText } from './scene-time.ts';
import { catalogSpan, type Sensor, type Wish } from './sensor.ts';

const collectionId = 'sentinel-1-rtc';
const slicesPerOrbit = 236;
const sliceMs = 25_000;

/** 175 orbits in 12 days, over land at about six in the morning and in the evening. */
const orbit: Orbit = {
  orbitsPerCycle: 175,
  cycleDays: 12,
  inclinationDegrees: 98.18,
  swathKm: 250,
  anchor: { orbit: 139, lon: 4.6, lat: 47, isDescending: true, timeMs: Date.UTC(2026, 6, 7, 5, 52, 10, 412) },
};
const satellites: readonly Satellite[] = [
  { code: 'S1A', platform: 'sentinel-1a', lagDays: 0, ...catalogSpan },
  { code: 'S1C', platform: 'sentinel-1c', lagDays: 6, fromMs: Date.UTC(2025, 3, 1), toMs: catalogSpan.toMs },
];

const polarized = (
  polarization: string,
): { 'raster:bands': unknown; 'sar:polarizations': string[]; gsd: number } => ({
  gsd: 20,
  'sar:polarizations': [polarization],
  'raster:bands': [{ nodata: -32768, data_type: 'float32', spatial_resolution: 20 }],
});
const plans: readonly AssetPlan[] = [
  band('vv', 's1-20m', {
    title: 'VV: vertical transmit, vertical receive',
    file: 'measurement/iw-vv.rtc.tiff',
    members: polarized('VV'),
  }),
  band('vh', 's1-20m', {
    title: 'VH: vertical transmit, horizontal receive',
    file: 'measurement/iw-vh.rtc.tiff',
    members: polarized('VH'),
  }),
  thumbnail('rendered_preview', 'preview.png', ['overview', 'thumbnail']),
  metadata('annotation/iw-vv.xml', 'annotation/iw-vv.xml', 'Annotation VV'),
  metadata('manifest.safe', 'manifest.xml', 'Manifest'),
];

/** Sentinel-1 radar, terrain corrected: no clouds, no sun, tilted scenes from two directions. */
export const sentinel1: Sensor = {
  collection: describeCollection({
    id: collectionId,
    title: 'Sentinel-1 Radiometrically Terrain Corrected',
    description: 'Backscatter (gamma nought) of Sentinel-1 A and C, day and night and through clouds.',
    license: 'CC-BY-4.0',
    keywords: ['sentinel', 'copernicus', 'esa', 'sar', 'radar', 'backscatter'],
    provider: { name: 'ESA', roles: ['producer'], url: 'https://earth.esa.int/web/guest/home' },
    summaries: {
      platform: ['sentinel-1a', 'sentinel-1c'],
      constellation: ['sentinel-1'],
      'sar:instrument_mode': ['IW'],
      'sar:frequency_band': ['C'],
    },
    plans,
  }),
  queryables: {
    ...commonQueryables,
    platform: textSchema('Platform', ['sentinel-1a', 'sentinel-1c']),
    'sar:instrument_mode': textSchema('Instrument mode', ['IW']),
    'sar:frequency_band': textSchema('Frequency band', ['C']),
    'sar:product_type': textSchema('Product type', ['GRD']),
    'sat:orbit_state': textSchema('Orbit state', ['ascending', 'descending']),
    'sat:relative_orbit': numberSchema('Relative orbit', { minimum: 1, maximum: 175 }),
    'sat:absolute_orbit': numberSchema('Absolute orbit', { minimum: 1 }),
  },
  plans,
  take,
};

function take({ lon, lat, timeMs: wantedMs, random }: Wish): IdentifiedItem[] {
  const tracks = tracksOver(orbit, { lon, lat, isDescending: random.next() < 0.5 });
  const nearest = tracks[random.int(Math.min(2, tracks.length))];
  if (nearest === undefined) return [];
  const sliceAngle = (2 * Math.PI) / slicesPerOrbit;
  const argument = Math.round(nearest.argument / sliceAngle) * sliceAngle;
  const track = trackOf(orbit, { stepsWest: nearest.stepsWest, argument, offsetKm: 0 });
  const [midLon, midLat] = trackPosition(orbit, track.stepsWest, argument);
  const pass = passNear(orbit, track, { satellites, timeMs: wantedMs });
  if (!pass) return [];
  const { satellite, timeMs } = pass;
  const [startMs, endMs] = [timeMs - sliceMs / 2, timeMs + sliceMs / 2];
  const absoluteOrbit = 51_900 + Math.floor(((timeMs - Date.UTC(2024, 0, 1)) / 86_400_000) * (175 / 12));
  const span = `${toCompactTime(startMs)}_${toCompactTime(endMs)}`;
  const orbitName = String(absoluteOrbit).padStart(6, '0');
  const id = `${satellite.code}_IW_GRDH_1SDV_${span}_${orbitName}_${hexDigits(random, 6)}_rtc`;
  const item = makeItem({
    collectionId,
    id,
    ...tiltedScene(
      { lon: midLon, lat: midLat, heading: track.heading },
      { acrossM: 250_000, alongM: 170_000, pixelSize: 20, columns: 15360, rows: 13312 },
    ),
    plans,
    storage: `https://swath-demo.invalid/${collectionId}/${id}/`,
    extensions: ['sar/v1.0.0', 'sat/v1.0.0', 'processing/v1.1.0', 'raster/v1.1.0'],
    properties: {
      platform: satellite.platform,
      constellation: 'sentinel-1',
      instruments: ['c-sar'],
      gsd: 20,
      'sar:instrument_mode': 'IW',
      'sar:frequency_band': 'C',
      'sar:center_frequency': 5.405,
      'sar:polarizations': ['VV', 'VH'],
      'sar:product_type': 'GRD',
      'sar:resolution_range': 20,
      'sar:resolution_azimuth': 22,
      'sar:observation_direction': 'right',
      'sat:orbit_state': track.isDescending ? 'descending' : 'ascending',
      'sat:relative_orbit': track.orbit,
      'sat:absolute_orbit': absoluteOrbit,
      'processing:level': 'L1',
      start_datetime: toMicrosText(startMs),
      end_datetime: toMicrosText(endMs),
      ...publishingTimes(timeMs + 6 * 3_600_000, random),
      datetime: toMicrosText(timeMs),
    },
  });
  return [item];
}
