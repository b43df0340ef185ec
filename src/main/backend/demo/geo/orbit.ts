import { wrapDegrees } from './utm.ts';

const degree = Math.PI / 180;
const dayMs = 86_400_000;
const kmPerDegree = 111.19;

/** A sun-synchronous orbit that repeats its ground tracks, pinned to a pass that took place. */
export interface Orbit {
  orbitsPerCycle: number;
  cycleDays: number;
  inclinationDegrees: number;
  swathKm: number;
  /** One pass of the first satellite; `orbit` is its number in the cycle, from 1. */
  anchor: { orbit: number; lon: number; lat: number; isDescending: boolean; timeMs: number };
}

/** A satellite beside the anchor's, in the same tracks. */
export interface Satellite {
  /** As in product names: `S2B`. */
  code: string;
  platform: string;
  /** Days after the first satellite. */
  lagDays: number;
  /** When it worked, milliseconds since 1970 UTC. */
  fromMs: number;
  toMs: number;
}

/** How an orbit sees a place. */
export interface Track {
  /** Number in the cycle in order of time, from 1. */
  orbit: number;
  /** Number in order of place: steps to the west from the anchor's track. */
  stepsWest: number;
  isDescending: boolean;
  /** From the ascending node along the orbit, in radians. */
  argument: number;
  /** From the track to the place, east positive. */
  offsetKm: number;
  /** Where the satellite flies to, in degrees clockwise from north. */
  heading: number;
  /** When the first satellite passes in the anchor's cycle. */
  timeMs: number;
}

/** Time of one revolution. */
export function periodMs(orbit: Orbit): number {
  return (orbit.cycleDays / orbit.orbitsPerCycle) * dayMs;
}

/** The tracks whose swath holds a place, nearest first. At least one, even where the orbit doesn't reach. */
export function tracksOver(
  orbit: Orbit,
  place: { lon: number; lat: number; isDescending: boolean },
): Track[] {
  const argument = argumentAt(orbit, place.lat, place.isDescending);
  const spacing = 360 / orbit.orbitsPerCycle;
  const steps = wrapDegrees(anchorTrackLon(orbit, argument) - place.lon) / spacing;
  const kmPerStep = spacing * kmPerDegree * Math.cos(place.lat * degree);
  const nearest = Math.round(steps);
  const reach = Math.min(8, Math.floor((orbit.swathKm * 0.42) / Math.max(kmPerStep, 1)));
  const tracks: Track[] = [];
  for (let step = nearest - reach; step <= nearest + reach; step += 1) {
    tracks.push(trackOf(orbit, { stepsWest: step, argument, offsetKm: (step - steps) * kmPerStep }));
  }
  return tracks.sort((a, b) => Math.abs(a.offsetKm) - Math.abs(b.offsetKm));
}

/** The track that lies some steps to the west of the anchor's, at a point of its orbit. */
export function trackOf(
  orbit: Orbit,
  { stepsWest, argument, offsetKm }: { stepsWest: number; argument: number; offsetKm: number },
): Track {
  const { orbitsPerCycle, cycleDays, anchor } = orbit;
  const wrappedSteps = modulo(stepsWest, orbitsPerCycle);
  // An orbit lies cycleDays steps west of the one before it: the inverse turns place into order.
  const orbitsLater = modulo(wrappedSteps * inverse(cycleDays, orbitsPerCycle), orbitsPerCycle);
  const number = modulo(anchor.orbit - 1 + orbitsLater, orbitsPerCycle) + 1;
  const turned = argument - argumentAt(orbit, anchor.lat, anchor.isDescending);
  return {
    orbit: number,
    stepsWest: wrappedSteps,
    isDescending: Math.cos(argument) < 0,
    argument,
    offsetKm,
    heading: headingAt(orbit, argument),
    timeMs: anchor.timeMs + (orbitsLater + turned / (2 * Math.PI)) * periodMs(orbit),
  };
}

/** Longitude and latitude below the satellite. */
export function trackPosition(orbit: Orbit, stepsWest: number, argument: number): [lon: number, lat: number] {
  const lon = anchorTrackLon(orbit, argument) - (stepsWest * 360) / orbit.orbitsPerCycle;
  return [wrapDegrees(lon), latitudeAt(orbit, argument)];
}

/** A pass of one of the satellites. */
export interface Pass {
  satellite: Satellite;
  timeMs: number;
}

/** The pass over a track that is nearest to a wanted time, by any satellite that worked then. */
export function passNear(
  orbit: Orbit,
  track: Track,
  { satellites, timeMs }: { satellites: readonly Satellite[]; timeMs: number },
): Pass | null {
  const cycleMs = orbit.cycleDays * dayMs;
  let best: Pass | null = null;
  for (const satellite of satellites) {
    const first = track.timeMs + satellite.lagDays * dayMs;
    const earliest = Math.ceil((satellite.fromMs - first) / cycleMs);
    const latest = Math.floor((satellite.toMs - 1 - first) / cycleMs);
    const cycle = Math.min(latest, Math.max(earliest, Math.round((timeMs - first) / cycleMs)));
    const pass = { satellite, timeMs: first + cycle * cycleMs };
    if (
      latest >= earliest &&
      (best === null || Math.abs(pass.timeMs - timeMs) < Math.abs(best.timeMs - timeMs))
    )
      best = pass;
  }
  return best;
}

function argumentAt(orbit: Orbit, lat: number, isDescending: boolean): number {
  const sine = Math.sin(lat * degree) / Math.sin(orbit.inclinationDegrees * degree);
  const ascending = Math.asin(Math.min(0.9999, Math.max(-0.9999, sine)));
  return isDescending ? Math.PI - ascending : ascending;
}

function latitudeAt(orbit: Orbit, argument: number): number {
  return Math.asin(Math.sin(orbit.inclinationDegrees * degree) * Math.sin(argument)) / degree;
}

/** Longitude that the orbit has turned to since its ascending node, with the Earth turning below. */
function turnedLon(orbit: Orbit, argument: number): number {
  const alongOrbit = Math.atan2(
    Math.cos(orbit.inclinationDegrees * degree) * Math.sin(argument),
    Math.cos(argument),
  );
  return alongOrbit / degree - (argument / (2 * Math.PI)) * ((360 * orbit.cycleDays) / orbit.orbitsPerCycle);
}

function anchorTrackLon(orbit: Orbit, argument: number): number {
  const { lon, lat, isDescending } = orbit.anchor;
  return lon + turnedLon(orbit, argument) - turnedLon(orbit, argumentAt(orbit, lat, isDescending));
}

function headingAt(orbit: Orbit, argument: number): number {
  const step = 0.001;
  const [lat, nextLat] = [latitudeAt(orbit, argument), latitudeAt(orbit, argument + step)];
  const east =
    wrapDegrees(turnedLon(orbit, argument + step) - turnedLon(orbit, argument)) * Math.cos(lat * degree);
  return modulo(Math.atan2(east, nextLat - lat) / degree, 360);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

function inverse(value: number, by: number): number {
  for (let candidate = 1; candidate < by; candidate += 1)
    if ((candidate * value) % by === 1) return candidate;
  return 1;
}
