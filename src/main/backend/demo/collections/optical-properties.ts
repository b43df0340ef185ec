import type { JsonObject } from '#shared/stac/json.ts';
import { meanCloudShare } from '../geo/climate.ts';
import { sunPositionAt, type SunPosition } from '../geo/sun.ts';
import type { Random } from '../random.ts';

/** Below this the ground is too dark to be photographed, in degrees above the horizon. */
const darkBelow = 4;

/** The sun over a scene; null when it is too low for a picture. */
export function daylightAt(timeMs: number, lon: number, lat: number): SunPosition | null {
  const sun = sunPositionAt(timeMs, lon, lat);
  return sun.elevation < darkBelow ? null : sun;
}

/** Cloud cover in per cent by climate and season: often nearly none or nearly all, as in nature. Null where unknown. */
export function drawCloudCover(
  random: Random,
  at: { timeMs: number; lon: number; lat: number },
): number | null {
  const mean = meanCloudShare(at.timeMs, at.lon, at.lat);
  const share = random.next() ** ((1 - mean) / mean);
  const isUnknown = random.next() < 0.03;
  return isUnknown ? null : roundTo(Math.min(100, Math.max(0, share * 104 - 2)), 6);
}

/** The `view` and `eo` properties. */
export function opticalProperties(sun: SunPosition, cloudCover: number | null, offNadir: number): JsonObject {
  return {
    'view:off_nadir': roundTo(offNadir, 4),
    'view:sun_azimuth': roundTo(sun.azimuth, 6),
    'view:sun_elevation': roundTo(sun.elevation, 6),
    'eo:cloud_cover': cloudCover,
  };
}

/** A number with so many decimals. */
export function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
