import proj4 from 'proj4';
import type { AreaReading, AreaReadings } from '#shared/geo/area-reading.ts';
import type { Corner } from '#shared/geo/open-ring.ts';
import { unreadable } from './aoi-error.ts';
import { pointsToReading } from './points-to-reading.ts';
import { utmSystem } from './utm-system.ts';

const zonePart = String.raw`(?:UTM)?\s*(?:ZONE)?\s*(\d{1,2})\s*(NORTH|SOUTH|[C-HJ-NP-X])`;
const metres = (letters: string): string =>
  String.raw`[${letters}]?\s*[:=]?\s*(\d{1,8}(?:\.\d+)?)\s*M?\s*[${letters}]?`;
const gap = String.raw`[\s,;:]+`;
const zoneFirst = new RegExp(`^${zonePart}${gap}${metres('E')}${gap}${metres('N')}$`, 'i');
const zoneLast = new RegExp(`^${metres('E')}${gap}${metres('N')}${gap}${zonePart}$`, 'i');

interface UtmPoint {
  zone: number;
  /** A latitude band, or N or S, which may mean the hemisphere. */
  letter: string;
  easting: number;
  northing: number;
}

/** Whether a text is one UTM position, or one on each line. */
export function isUtm(text: string): boolean {
  return splitLines(text).every((line) => parseLine(line) !== null);
}

/**
 * Reads UTM positions in WGS 84. `33S` may be the southern hemisphere or the latitude band S, which lies north: where
 * both fit, a person has to say.
 * @throws AppError `aoi.unreadable`
 */
export function readUtm(text: string): AreaReadings {
  const points = splitLines(text).flatMap((line) => parseLine(line) ?? []);
  const readings = [false, true].flatMap((isLetterHemisphere) => readAs(points, isLetterHemisphere));
  const [first, second] = readings;
  if (!first) throw noUtm(text);
  const isSame = !second || JSON.stringify(first.area) === JSON.stringify(second.area);
  return isSame ? { readings: [first], mustAsk: false } : { readings, mustAsk: true };
}

function readAs(points: readonly UtmPoint[], isLetterHemisphere: boolean): AreaReading[] {
  const corners: Corner[] = [];
  for (const point of points) {
    const corner = toDegrees(point, isLetterHemisphere);
    if (!corner) return [];
    corners.push(corner);
  }
  const [first] = points;
  if (!first) return [];
  const isSouth = isLetterHemisphere ? first.letter === 'S' : first.letter < 'N';
  return [pointsToReading(corners, `UTM zone ${String(first.zone)}${isSouth ? 'S' : 'N'}, `)];
}

/** Null where the letter, read this way, doesn't fit the position. */
function toDegrees(
  { zone, letter, easting, northing }: UtmPoint,
  isLetterHemisphere: boolean,
): Corner | null {
  if (isLetterHemisphere && letter !== 'N' && letter !== 'S') return null;
  if (!isInZone({ zone, easting, northing })) return null;
  const isSouth = isLetterHemisphere ? letter === 'S' : letter < 'N';
  const [longitude = NaN, latitude = NaN] = proj4(utmSystem(zone, isSouth)).inverse([easting, northing]);
  const isRight = Math.abs(latitude) <= 84.5 && (isLetterHemisphere || isInBand(letter, latitude));
  return isRight && Number.isFinite(longitude) ? [longitude, latitude] : null;
}

function isInZone({ zone, easting, northing }: Pick<UtmPoint, 'zone' | 'easting' | 'northing'>): boolean {
  return zone >= 1 && zone <= 60 && easting >= 100_000 && easting <= 900_000 && northing <= 10_000_000;
}

/** Bands are 8 degrees high from 80° S, the last one 12; people copy letters carelessly near their edges. */
function isInBand(letter: string, latitude: number): boolean {
  const south = -80 + 8 * 'CDEFGHJKLMNPQRSTUVWX'.indexOf(letter);
  return latitude >= south - 0.5 && latitude <= south + (letter === 'X' ? 12 : 8) + 0.5;
}

function parseLine(line: string): UtmPoint | null {
  const first = zoneFirst.exec(line);
  const [, zone = '', letter = '', easting = '', northing = ''] = first ?? [];
  if (first) return toPoint({ zone, letter, easting, northing });
  const last = zoneLast.exec(line);
  return last
    ? toPoint({ easting: last[1] ?? '', northing: last[2] ?? '', zone: last[3] ?? '', letter: last[4] ?? '' })
    : null;
}

function toPoint(parts: Record<'zone' | 'letter' | 'easting' | 'northing', string>): UtmPoint | null {
  const [easting, northing] = [Number(parts.easting), Number(parts.northing)];
  // Smaller numbers are degrees, minutes and seconds that happen to look alike.
  if (easting < 1000) return null;
  return { zone: Number(parts.zone), letter: parts.letter.charAt(0).toUpperCase(), easting, northing };
}

function splitLines(text: string): string[] {
  return text
    .split(/[\n|]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function noUtm(text: string): ReturnType<typeof unreadable> {
  return unreadable({
    place: `“${text.slice(0, 60)}”.`,
    why: 'It looks like UTM, but no place of that zone and band has these metres.',
    mend: 'UTM looks like 31N 448251 5411932: zone, easting, northing.',
  });
}
