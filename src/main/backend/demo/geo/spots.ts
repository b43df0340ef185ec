import type { Random } from '../random.ts';
import { isLandAt } from './land.ts';

/** A piece of land, some 200 km across, that is visited again and again. */
export interface Spot {
  /** Its middle, or the land nearest to it. */
  lon: number;
  lat: number;
  lonSpan: number;
  latSpan: number;
  /** Shifts its regular visits against those of its neighbours, 0 to 1. */
  phase: number;
}

/** Where and when in a span of time a scene is wanted. */
export interface Visit {
  lon: number;
  lat: number;
  /** 0: the beginning of the span, 1: its end. */
  timeShare: number;
}

/** The land that is covered without gaps: Europe, North America, Brazil, India, Australia. */
const regions: readonly (readonly [west: number, south: number, east: number, north: number])[] = [
  [-11, 34.5, 30, 72],
  [30, 44, 42, 70],
  [-25, 63, -13, 67],
  [-169, 52, -141, 72],
  [-141, 41, -52, 73],
  [-125.5, 24, -65, 41],
  [-118, 14, -83, 24],
  [-74.5, -12, -34, 6],
  [-66, -18, -37, -12],
  [-59, -34, -38, -18],
  [67.5, 20, 97.5, 30],
  [72, 6, 88, 20],
  [72, 30, 81, 36.5],
  [112.5, -39.5, 154, -10],
  [143.5, -44, 149, -39.5],
];

/** Less than the two degrees of a box that is to hold at least one middle. */
const spotDegrees = 1.8;
const samplesAcross = 7;

/** Regular visits to a spot: over 34 months one in less than six, so that no half year goes without. In an order that spreads early. */
const visitOrder = [0, 3, 5, 1, 4, 2] as const;

let spots: readonly Spot[] | null = null;

/** Every spot of the covered regions, in a fixed order. */
export function landSpots(): readonly Spot[] {
  spots ??= regions.flatMap(spotsOfRegion);
  return spots;
}

/** How many visits to a spot are regular. */
export const regularVisits = visitOrder.length;

/** The regular visit of a number below `regularVisits`: to the middle of the spot. `shift` (0 to 1) moves all dates. */
export function visitRegularly(spot: Spot, visit: number, shift: number): Visit {
  const { lon, lat, phase } = spot;
  return { lon, lat, timeShare: ((visitOrder[visit] ?? 0) + ((phase + shift) % 1)) / regularVisits };
}

/** A visit to any place of the spot at any time; null where that would be out at sea. */
export function visitByChance({ lon, lat, lonSpan, latSpan }: Spot, random: Random): Visit | null {
  const place = {
    lon: lon + random.between(-0.5, 0.5) * lonSpan,
    lat: lat + random.between(-0.5, 0.5) * latSpan,
  };
  return isLandAt(place.lon, place.lat) ? { ...place, timeShare: random.next() } : null;
}

function spotsOfRegion([west, south, east, north]: readonly [number, number, number, number]): Spot[] {
  const found: Spot[] = [];
  const rows = Math.ceil((north - south) / spotDegrees);
  const latSpan = (north - south) / rows;
  for (let row = 0; row < rows; row += 1) {
    const middleLat = south + (row + 0.5) * latSpan;
    // Boxes of two degrees get narrower towards the pole, scenes don't.
    const lonDegrees = spotDegrees / Math.cos((middleLat * Math.PI) / 180) ** 0.6;
    const columns = Math.ceil((east - west) / lonDegrees);
    const lonSpan = (east - west) / columns;
    for (let column = 0; column < columns; column += 1) {
      const phase = (row * 0.7548776662 + column * 0.569840291) % 1;
      const cell = { lon: west + (column + 0.5) * lonSpan, lat: middleLat, lonSpan, latSpan, phase };
      const land = nearestLand(cell);
      if (land) found.push({ ...cell, ...land });
    }
  }
  return found;
}

/** The land sample nearest to the middle of a cell; null when there is none. */
function nearestLand(cell: Spot): { lon: number; lat: number } | null {
  let nearest: { lon: number; lat: number } | null = null;
  let shortest = Infinity;
  for (let i = 0; i < samplesAcross * samplesAcross; i += 1) {
    const across = ((i % samplesAcross) + 0.5) / samplesAcross - 0.5;
    const up = (Math.floor(i / samplesAcross) + 0.5) / samplesAcross - 0.5;
    const [lon, lat] = [cell.lon + across * cell.lonSpan, cell.lat + up * cell.latSpan];
    if (across * across + up * up < shortest && isLandAt(lon, lat)) {
      nearest = { lon, lat };
      shortest = across * across + up * up;
    }
  }
  return nearest;
}
