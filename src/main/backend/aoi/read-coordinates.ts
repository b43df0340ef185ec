import type { AreaReading, AreaReadings } from '#shared/geo/area-reading.ts';
import { formatBox } from '#shared/geo/format-position.ts';
import { roundDegrees, type Corner } from '#shared/geo/open-ring.ts';
import { toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { unreadable } from './aoi-error.ts';
import { hasMarks, parseAngles, plainSigns, type Angle } from './parse-angles.ts';
import { pointsToReading } from './points-to-reading.ts';

const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?`;
// Two numbers between commas or on a line, or joined by a comma between spaces, or in brackets: a list of points.
const spacedPair = String.raw`${number}\s+${number}`;
const joinedPair = String.raw`${number},\s?${number}`;
const pairList = new RegExp(
  String.raw`^\s*(?:${spacedPair}(?:\s*[,;\n|]\s*${spacedPair})+|${number},${number}(?:\s+${number},${number})+|${joinedPair}(?:\s*[;\n|]\s*${joinedPair})+|\[\[.*)\s*$`,
  's',
);
// With heights, as KML writes them: longitude first.
const tripleList = new RegExp(
  String.raw`^\s*${number},${number},${number}(?:\s+${number},${number},${number})+\s*$`,
);

type Pair = readonly [first: number, second: number];

/**
 * Reads a box of 4 or 6 numbers, or one or more points in degrees with or without minutes, seconds and hemispheres.
 * @throws AppError `aoi.unreadable`
 */
export function readCoordinates(text: string): AreaReadings {
  if (!/\d/.test(text)) throw wrongCount(0);
  const plain = plainSigns(text);
  if (hasMarks(plain)) return readMarked(parseAngles(plain));
  const spaced = markSpaced(plain);
  if (spaced) return readMarked(parseAngles(spaced));
  const triples = tripleList.test(plain);
  const numbers = readNumbers(plain).filter((_, index) => !triples || index % 3 !== 2);
  const isList = triples || pairList.test(plain);
  const box = !isList && (numbers.length === 4 || numbers.length === 6) ? readBox(numbers) : null;
  if (box) return box;
  if (numbers.length < 2 || numbers.length % 2 === 1) throw wrongCount(numbers.length);
  return readPairs(toPairs(numbers), { isLongitudeFirst: triples || plain.includes('[[') });
}

/** `51 30 26, -0 7 39` and `51 30.5, -0 7.6`: two groups of numbers that can't be anything but minutes and seconds. */
function markSpaced(plain: string): string | null {
  const groups = plain.trim().split(/\s*[,;\n]\s*/);
  const angle = /^([+-]?\d{1,3})\s+([0-5]?\d)(?:\s+([0-5]?\d(?:\.\d+)?)|(\.\d+))$/;
  const marked = groups.map((group) => {
    const [, degrees, minutes = '', seconds, fraction = ''] = angle.exec(group) ?? [];
    return degrees === undefined
      ? null
      : `${degrees}°${minutes}${fraction}'${seconds === undefined ? '' : `${seconds}"`}`;
  });
  return groups.length === 2 && !marked.includes(null) ? marked.join(', ') : null;
}

function readMarked(angles: readonly Angle[]): AreaReadings {
  if (angles.length < 2 || angles.length % 2 === 1) throw wrongCount(angles.length);
  if (angles.every(({ axis }) => axis === null)) {
    return readPairs(toPairs(angles.map(({ degrees }) => degrees)), { isLongitudeFirst: false });
  }
  const points: Corner[] = [];
  for (let index = 0; index < angles.length; index += 2) {
    const [a, b] = [angles[index], angles[index + 1]];
    if (a && b) points.push(toCorner(a, b));
  }
  return { readings: [pointsToReading(points)], mustAsk: false };
}

function toCorner(a: Angle, b: Angle): Corner {
  if (a.axis === b.axis && a.axis !== null) {
    throw unreadable({
      why: a.axis === 'lat' ? 'Both are latitudes.' : 'Both are longitudes.',
      mend: 'A place needs one of each: N or S, and E or W.',
    });
  }
  const isLatitudeFirst = a.axis === 'lat' || b.axis === 'lon';
  const [latitude, longitude] = isLatitudeFirst ? [a.degrees, b.degrees] : [b.degrees, a.degrees];
  if (!isPossible(longitude, latitude)) throw offGlobe(longitude, latitude);
  return [longitude, latitude];
}

/** Points of which nothing says what comes first: where both orders are possible, a person has to say. */
function readPairs(
  pairs: readonly Pair[],
  { isLongitudeFirst }: { isLongitudeFirst: boolean },
): AreaReadings {
  const latitudeFirst = pairs.every(([latitude, longitude]) => isPossible(longitude, latitude));
  const longitudeFirst = pairs.every(([longitude, latitude]) => isPossible(longitude, latitude));
  const orders = [
    ...(latitudeFirst ? [pairs.map(([latitude, longitude]): Corner => [longitude, latitude])] : []),
    ...(longitudeFirst ? [pairs.map(([longitude, latitude]): Corner => [longitude, latitude])] : []),
  ];
  if (isLongitudeFirst) orders.reverse();
  if (orders.length === 0) throw offGlobe(pairs[0]?.[0] ?? NaN, pairs[0]?.[1] ?? NaN);
  const readings = orders.map((points) => pointsToReading(points));
  return { readings, mustAsk: readings.length > 1 && !isLongitudeFirst && !areSame(readings) };
}

/** West, south, east, north, as the catalog takes them; the other order is offered where it is possible. */
function readBox(numbers: readonly number[]): AreaReadings | null {
  const box = toBbox(numbers);
  const heights = heightsOf(numbers);
  if (!box || (heights && heights[0] > heights[1])) return null;
  const [west, south, east, north] = box;
  const orders: Bbox[] = [
    [west, south, east, north],
    [south, west, north, east],
  ];
  // Across the antimeridian is meant only by who keeps to the order.
  const readings = orders
    .filter((box, index) => isBox(box) && (index === 0 || box[0] < box[2]))
    .map((box) => toBoxReading(box, heights));
  if (readings.length === 0) {
    throw unreadable({
      why: 'Four numbers are a box, but these are none: west, south, east, north, and south below north.',
      mend: 'Two corners can be typed on a line each.',
    });
  }
  return { readings, mustAsk: false };
}

function heightsOf(numbers: readonly number[]): readonly [number, number] | null {
  const [, , lowest = NaN, , , highest = NaN] = numbers;
  return numbers.length === 6 ? [lowest, highest] : null;
}

function toBoxReading(box: Bbox, heights: readonly [number, number] | null): AreaReading {
  const [west, south, east, north] = [
    roundDegrees(box[0]),
    roundDegrees(box[1]),
    roundDegrees(box[2]),
    roundDegrees(box[3]),
  ];
  return {
    words: `Box ${formatBox([west, south, east, north])}${heights ? `, heights ${heights.join(' to ')} m` : ''}`,
    area: {
      kind: 'box',
      bbox: heights ? [west, south, heights[0], east, north, heights[1]] : [west, south, east, north],
    },
    name: null,
    notes: west > east ? ['It crosses the antimeridian and goes to the catalog as two parts.'] : [],
  };
}

function isBox([west, south, east, north]: Bbox): boolean {
  return isPossible(west, south) && isPossible(east, north) && south < north && west !== east;
}

function readNumbers(plain: string): number[] {
  const unknown = /[^\d\s.,;:+\-()[\]|/E]/.exec(plain);
  if (unknown) {
    throw unreadable({
      place: `“${plain.slice(0, 60)}”.`,
      why: `“${unknown[0]}” is not understood here.`,
      mend: 'Type a box (west, south, east, north), coordinates, MGRS or UTM, or paste GeoJSON or WKT.',
    });
  }
  return [...plain.matchAll(new RegExp(number, 'g'))].map(([found]) => Number(found));
}

function toPairs(numbers: readonly number[]): Pair[] {
  return Array.from({ length: numbers.length / 2 }, (_, index): Pair => [
    numbers[index * 2] ?? NaN,
    numbers[index * 2 + 1] ?? NaN,
  ]);
}

function isPossible(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

function areSame([first, second]: readonly AreaReading[]): boolean {
  return JSON.stringify(first?.area) === JSON.stringify(second?.area);
}

function wrongCount(count: number): ReturnType<typeof unreadable> {
  return unreadable({
    why:
      count === 0
        ? 'There are no coordinates in it.'
        : `${String(count)} ${count === 1 ? 'number is' : 'numbers are'} no place: a point has two, a box four.`,
    mend: 'Type a box (west, south, east, north), coordinates such as 51.5 N 0.12 W, MGRS or UTM, or paste GeoJSON or WKT.',
  });
}

function offGlobe(a: number, b: number): ReturnType<typeof unreadable> {
  return unreadable({
    why: `${String(a)} and ${String(b)} are no place on the globe.`,
    mend: 'Latitudes go from -90 to 90, longitudes from -180 to 180.',
  });
}
