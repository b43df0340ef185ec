import proj4 from 'proj4';
import type { AreaReadings, AreaReading } from '#shared/geo/area-reading.ts';
import { formatPosition } from '#shared/geo/format-position.ts';
import { normaliseArea } from '#shared/geo/normalise-area.ts';
import type { Corner } from '#shared/geo/open-ring.ts';
import { unreadable } from './aoi-error.ts';
import { utmSystem } from './utm-system.ts';

const square = /^T?(\d{1,2})\s*([C-HJ-NP-X])\s*([A-HJ-NP-Z]\s*[A-HJ-NP-V])\s*(\d[\d\s]*)?$/i;

/** Whether a text is one MGRS square or a list of them. The T before a Sentinel-2 tile is let pass. */
export function isMgrs(text: string): boolean {
  return splitList(text).every((part) => square.test(part));
}

/**
 * Reads MGRS squares, each as large as its digits say: 100 km without any, 1 m with five and five.
 * @throws AppError `aoi.unreadable`
 */
export function readMgrs(text: string): AreaReadings {
  const squares = splitList(text).map(readSquare);
  const taken = normaliseArea(squares.map(({ ring }) => [ring]));
  const [first] = squares;
  if (!taken || !first) throw noSquare(text, 'It is no square of the grid.');
  const { label, sizeWords, ring } = first;
  const [west, south] = ring[0] ?? [0, 0];
  const words =
    squares.length === 1
      ? `MGRS ${label}, a square of ${sizeWords} from ${formatPosition(west, south)}`
      : `${String(squares.length)} MGRS squares from ${label}`;
  const geometry = taken.geometry as Extract<AreaReading['area'], { kind: 'shape' }>['geometry'];
  return {
    readings: [
      { words, area: { kind: 'shape', geometry }, name: squares.length === 1 ? label : null, notes: [] },
    ],
    mustAsk: false,
  };
}

interface Square {
  label: string;
  sizeWords: string;
  ring: Corner[];
}

function readSquare(part: string): Square {
  const [, zone = '', band = '', letters = '', rest = ''] = square.exec(part) ?? [];
  const digits = readDigits(rest, part);
  const label = `${zone}${band}${letters.replace(/\s/g, '')}${digits}`.toUpperCase();
  const sizeMetres = 10 ** (5 - digits.length / 2);
  const system = utmSystem(Number(zone), band.toUpperCase() < 'N');
  const [west, south] = inverseOf(label);
  const grid = proj4(system);
  // The library gives degrees; in metres the corner lies on the grid exactly.
  const [easting = 0, northing = 0] = grid.forward([west, south]).map((value) => Math.round(value));
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ].map(([right = 0, up = 0]): Corner => {
    const [x = 0, y = 0] = grid.inverse([easting + right * sizeMetres, northing + up * sizeMetres]);
    return [x, y];
  });
  return {
    label,
    sizeWords: sizeMetres >= 1000 ? `${String(sizeMetres / 1000)} km` : `${String(sizeMetres)} m`,
    ring,
  };
}

/** Easting and northing together, each with as many digits as the other. */
function readDigits(rest: string, part: string): string {
  const groups = rest.trim().split(/\s+/);
  const digits = groups.join('');
  const isEven = digits.length % 2 === 0 && (groups.length !== 2 || groups[0]?.length === groups[1]?.length);
  if (isEven && digits.length <= 10) return digits;
  throw noSquare(part, 'It needs as many digits for the easting as for the northing, five at most.');
}

function inverseOf(label: string): [number, number, number, number] {
  try {
    const box = proj4.mgrs.inverse(label);
    const zone = Number.parseInt(label, 10);
    if (zone >= 1 && zone <= 60 && box.every(Number.isFinite)) return box;
  } catch {
    // Said below: a square that doesn't exist in its zone.
  }
  throw noSquare(label, 'There is no such square.');
}

function splitList(text: string): string[] {
  return text
    .split(/[;,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function noSquare(part: string, why: string): ReturnType<typeof unreadable> {
  return unreadable({
    place: `“${part.slice(0, 40)}”.`,
    why,
    mend: 'MGRS looks like 31UDQ 48251 11932. Around the poles it is not read.',
  });
}
