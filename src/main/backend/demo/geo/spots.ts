import { mixBits } from '../random.ts';
import { isLandAt } from './land.ts';

/** A piece of land, about 175 km across, where scenes are taken. */
export interface Spot {
  lon: number;
  lat: number;
  /** Size of its cell in degrees. */
  lonSpan: number;
  latSpan: number;
  /** Shifts the dates of this spot against those of its neighbours, 0 to 1. */
  phase: number;
}

/** The land that is covered without gaps: boxes around Europe, North America, Brazil, India, Australia. */
const regions: readonly (readonly [west: number, south: number, east: number, north: number])[] = [
  [-25, 34, 45, 72],
  [-169, 14, -52, 76],
  [-74.5, -34, -34, 6],
  [67.5, 6, 98, 36],
  [112, -44, 154.5, -10],
];

const spotDegrees = 1.6;
const samplesAcross = 6;

let spots: readonly Spot[] | null = null;

/** Every land cell of the covered regions. */
export function landSpots(): readonly Spot[] {
  spots ??= regions.flatMap(spotsOfRegion);
  return spots;
}

/** A land place in a cell; another for each `salt`. */
export function placeInSpot(spot: Spot, salt: number): [lon: number, lat: number] {
  for (let attempt = 0; attempt < 24; attempt += 1) {
    const bits = mixBits(salt, attempt);
    const lon = spot.lon + ((bits & 0xffff) / 65536 - 0.5) * spot.lonSpan;
    const lat = spot.lat + ((bits >>> 16) / 65536 - 0.5) * spot.latSpan;
    if (isLandAt(lon, lat)) return [lon, lat];
  }
  return landSampleOf(spot) ?? [spot.lon, spot.lat];
}

function spotsOfRegion([west, south, east, north]: readonly [number, number, number, number]): Spot[] {
  const found: Spot[] = [];
  const rows = Math.ceil((north - south) / spotDegrees);
  const latSpan = (north - south) / rows;
  for (let row = 0; row < rows; row += 1) {
    const lat = south + (row + 0.5) * latSpan;
    const columns = Math.ceil(((east - west) * Math.cos((lat * Math.PI) / 180)) / spotDegrees);
    const lonSpan = (east - west) / columns;
    for (let column = 0; column < columns; column += 1) {
      const phase = (row * 0.7548776662 + column * 0.569840291) % 1;
      const spot = { lon: west + (column + 0.5) * lonSpan, lat, lonSpan, latSpan, phase };
      if (landSampleOf(spot) !== null) found.push(spot);
    }
  }
  return found;
}

function landSampleOf(spot: Spot): [lon: number, lat: number] | null {
  for (let i = 0; i < samplesAcross * samplesAcross; i += 1) {
    const lon = spot.lon + (((i % samplesAcross) + 0.5) / samplesAcross - 0.5) * spot.lonSpan;
    const lat = spot.lat + ((Math.floor(i / samplesAcross) + 0.5) / samplesAcross - 0.5) * spot.latSpan;
    if (isLandAt(lon, lat)) return [lon, lat];
  }
  return null;
}
