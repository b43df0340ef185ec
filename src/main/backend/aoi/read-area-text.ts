import type { AreaReadings } from '#shared/geo/area-reading.ts';
import { tooLarge, unreadable } from './aoi-error.ts';
import { aoiLimits } from './limits.ts';
import { readCoordinates } from './read-coordinates.ts';
import { readGeoJson } from './read-geojson.ts';
import { isMgrs, readMgrs } from './read-mgrs.ts';
import { isUtm, readUtm } from './read-utm.ts';
import { isWkt, readWkt } from './read-wkt.ts';
import { readXml } from './read-xml.ts';
import { toReadings } from './to-readings.ts';

/**
 * Reads an area that was typed or pasted: a box, coordinates in degrees, MGRS, UTM, GeoJSON, WKT or KML.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readAreaText(given: string): AreaReadings {
  if (given.length > aoiLimits.textLength) {
    throw tooLarge({
      why: 'The text is longer than 5 million letters.',
      mend: 'Save it as a file and choose that.',
    });
  }
  const text = given.replace(/^\uFEFF/, '').trim();
  if (text === '') throw unreadable({ why: 'There is no text.', mend: 'Type or paste an area.' });
  if (text.startsWith('{')) return toReadings(readGeoJson(text), { isFile: false });
  if (text.startsWith('<')) return toReadings(readXml(text), { isFile: true });
  if (isWkt(text)) return toReadings(readWkt(text), { isFile: false });
  if (text.length > 100_000)
    throw tooLarge({ why: 'The list is longer than 100,000 letters.', mend: 'Paste it as GeoJSON.' });
  if (isMgrs(text)) return readMgrs(text);
  if (isUtm(text)) return readUtm(text);
  return readCoordinates(text);
}
