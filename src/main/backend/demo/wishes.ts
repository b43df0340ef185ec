import { landsat } from './collections/landsat.ts';
import { forestMask } from './collections/forest-mask.ts';
import { mosaics } from './collections/mosaics.ts';
import { sentinel1 } from './collections/sentinel-1.ts';
import { sentinel2 } from './collections/sentinel-2.ts';
import { skysight } from './collections/skysight.ts';
import { venus } from './collections/venus.ts';
import { catalogSpan, type Sensor, type Wish } from './collections/sensor.ts';
import {
  landSpots,
  regularVisits,
  visitByChance,
  visitRegularly,
  type Spot,
  type Visit,
} from './geo/spots.ts';
import { createRandom, type Random } from './random.ts';

/** What is wanted of which sensor. */
export type SensorWish = Omit<Wish, 'room'> & { sensor: Sensor };

type Shares = readonly (readonly [sensor: Sensor, share: number])[];

/** Those whose scenes are large: they cover the land. */
const covering: Shares = [
  [sentinel2, 0.64],
  [landsat, 0.17],
  [sentinel1, 0.19],
];
const scattered: Shares = [
  [skysight, 0.3],
  [mosaics, 0.5],
  [forestMask, 0.2],
];
const atFocus: Shares = [
  [sentinel2, 0.5],
  [landsat, 0.12],
  [sentinel1, 0.14],
  [skysight, 0.1],
  [venus, 0.1],
  [mosaics, 0.04],
];

/** Farmland that is looked at again and again, so that a search there has a season to show. */
const focusPlaces: readonly [Place, ...Place[]] = [
  [4.9, 47.6],
  [2.0, 48.3],
  [0.3, 46.7],
  [3.1, 50.1],
  [10.3, 45.1],
  [11.8, 51.6],
  [-5.2, 37.6],
  [30.6, 48.8],
  [-93.5, 42.1],
  [-98.6, 38.2],
  [-105.4, 51.2],
  [-119.8, 36.5],
  [-55.4, -12.8],
  [-50.6, -23.3],
  [75.7, 30.7],
  [80.4, 16.2],
  [146.0, -34.9],
  [117.6, -31.6],
];
const focusShare = 0.2;
const scatteredShare = 0.08;
const focusDegrees = 0.8;
const spotStride = 1201;

/** Places that maps get wrong: Fiji and Chukotka lie on the antimeridian, the mosaic holds the pole. */
const oddPlaces: readonly (readonly [lon: number, lat: number, sensor: Sensor])[] = [
  [179.4, -16.6, sentinel2],
  [-179.9, -16.9, sentinel2],
  [179.6, -16.5, landsat],
  [-179.2, 66.4, sentinel2],
  [179.3, 67.5, landsat],
  [179.8, 66.2, sentinel1],
  [178.9, -17.9, sentinel1],
  [0, 87, mosaics],
];

type Place = readonly [lon: number, lat: number];

const spanMs = catalogSpan.toMs - catalogSpan.fromMs;

/** An endless list of wishes that covers all land evenly in space and time from its beginning on. */
export function* wishes(seed: number): Generator<SensorWish> {
  for (const [index, [lon, lat, sensor]] of oddPlaces.entries()) {
    const random = createRandom(seed, 1, index);
    yield { sensor, lon, lat, timeMs: Date.UTC(2026, 5 + (index % 3), 10 + index), random };
  }
  let covered = 0;
  for (let index = 0; ; index += 1) {
    const random = createRandom(seed, 2, index);
    const kind = random.next();
    if (kind < focusShare) {
      yield focusWish(random);
      continue;
    }
    const isScattered = kind < focusShare + scatteredShare;
    const wish = isScattered ? scatteredWish(random) : coveringWish(seed, covered, random);
    if (!isScattered) covered += 1;
    if (wish) yield wish;
  }
}

function focusWish(random: Random): SensorWish {
  const [lon, lat] = random.pick(focusPlaces);
  return {
    sensor: pickSensor(atFocus, random),
    lon: lon + random.between(-focusDegrees, focusDegrees) * 1.3,
    lat: lat + random.between(-focusDegrees, focusDegrees),
    // Three of four in the last ten months.
    timeMs: catalogSpan.toMs - spanMs * random.next() ** 5,
    random,
  };
}

function scatteredWish(random: Random): SensorWish | null {
  const visit = visitByChance(spotAt(random.int(landSpots().length)), random);
  return (
    visit &&
    toWish({ ...visit, timeShare: denserLater(visit.timeShare) }, pickSensor(scattered, random), random)
  );
}

/** Round after round over all spots: first the regular visits, then, in larger catalogs, others without end. */
function coveringWish(seed: number, index: number, random: Random): SensorWish | null {
  const spots = landSpots();
  // A prime stride takes neighbours far apart, so that a small catalog isn't all in one corner.
  const spot = spotAt((index * spotStride) % spots.length);
  const round = Math.floor(index / spots.length);
  if (round < regularVisits)
    return toWish(visitRegularly(spot, round, (seed * 0.618034) % 1), pickSensor(covering, random), random);
  const visit = visitByChance(spot, random);
  return (
    visit &&
    toWish({ ...visit, timeShare: denserLater(visit.timeShare) }, pickSensor(covering, random), random)
  );
}

function toWish({ lon, lat, timeShare }: Visit, sensor: Sensor, random: Random): SensorWish {
  return { sensor, lon, lat, timeMs: catalogSpan.fromMs + timeShare * spanMs, random };
}

function spotAt(index: number): Spot {
  const spot = landSpots()[index];
  if (spot === undefined) throw new RangeError('no such spot');
  return spot;
}

/** Bends an even share so that the last months hold far more than the first. */
function denserLater(share: number): number {
  return Math.sqrt(share);
}

function pickSensor(shares: Shares, random: Random): Sensor {
  let drawn = random.next();
  for (const [sensor, share] of shares) {
    drawn -= share;
    if (drawn < 0) return sensor;
  }
  return sentinel2;
}
