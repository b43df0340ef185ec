import { difference, intersection, union } from 'polyclip-ts';
import type { MultiPolygon, Polygon } from 'geojson';
import { dissolveOverlaps, toClipPolygon } from './dissolve.ts';
import { closeRing, roundDegrees, toCorners, turnOf, type Corner } from './open-ring.ts';
import { toPolygonGeometry, type Rings } from './polygons-of.ts';
import { unwrapCorners } from './unwrap-corners.ts';

/** What had to be done to polygons, so that a person can be told. */
export interface AreaChanges {
  isCut: boolean;
  isAroundPole: boolean;
  /** Polygons that came, less those that are left; 0 where cutting made more of them. */
  dissolvedCount: number;
  /** Rings without any area, left out. */
  emptyRingCount: number;
}

/** An area as a catalog takes it. */
export interface NormalisedArea {
  geometry: Polygon | MultiPolygon;
  changes: AreaChanges;
}

interface NormaliseOptions {
  /** Whether longitudes go on beyond ±180, as a map draws them. Otherwise each side is taken the short way around. */
  isContinuous?: boolean;
}

type ClipResult = ReturnType<typeof union>;

// In square degrees, twice over: a strip of a centimetre by ten metres.
const emptyTurn = 1e-11;
// A longer side would be read as going the other way around the globe.
const maxSideDegrees = 120;

/**
 * Polygons as an area that a catalog takes: longitudes within -180..180, cut where they cross the antimeridian, closed
 * along the pole they go around, overlaps dissolved, outer rings counterclockwise and holes clockwise, all closed
 * (RFC 7946 §3.1.6, §3.1.9), to the centimetre. An outline that crosses itself stays so. Null when nothing has an area.
 */
export function normaliseArea(
  polygons: readonly Rings[],
  { isContinuous = false }: NormaliseOptions = {},
): NormalisedArea | null {
  const changes: AreaChanges = { isCut: false, isAroundPole: false, dissolvedCount: 0, emptyRingCount: 0 };
  const parts = polygons.flatMap((rings) => bringPolygonHome(rings, isContinuous, changes));
  const dissolved = dissolveOverlaps(parts);
  changes.dissolvedCount = Math.max(0, parts.length - dissolved.length);
  const geometry = toPolygonGeometry(dissolved.map(finishPolygon).filter((rings) => rings.length > 0));
  return geometry && { geometry, changes };
}

function bringPolygonHome(rings: Rings, isContinuous: boolean, changes: AreaChanges): Rings[] {
  const [outer, ...holes] = rings.map((ring) => bringRingHome(toCorners(ring), isContinuous, changes));
  if (!outer) return [];
  const realHoles = holes.filter((hole) => hole.parts.length > 0);
  const isPlain = !outer.isClipped && realHoles.every((hole) => !hole.isClipped);
  if (isPlain || realHoles.length === 0) {
    const holeRings = realHoles.flatMap(({ parts }) => parts.flat());
    return outer.parts.map((part) => [...part, ...holeRings]);
  }
  const [firstPart, ...otherParts] = outer.parts.map(toClipPolygon);
  if (!firstPart) return [];
  return difference(
    union(firstPart, ...otherParts),
    realHoles.flatMap(({ parts }) => parts.map(toClipPolygon)),
  );
}

interface HomeRing {
  parts: Rings[];
  isClipped: boolean;
}

/** One ring as the polygons that it encloses within -180..180. */
function bringRingHome(corners: Corner[], isContinuous: boolean, changes: AreaChanges): HomeRing {
  const empty = { parts: [], isClipped: false };
  if (corners.length < 3) {
    changes.emptyRingCount += 1;
    return empty;
  }
  const unwrapped = isContinuous ? { corners, isAroundPole: false } : unwrapCorners(corners);
  if (Math.abs(turnOf(unwrapped.corners)) < emptyTurn) {
    changes.emptyRingCount += 1;
    return empty;
  }
  const [west] = spanOf(unwrapped.corners);
  const shift = -360 * Math.floor((west + 180) / 360);
  const shifted = unwrapped.corners.map(([x, y]): Corner => [x + shift, y]);
  const [, east] = spanOf(shifted);
  if (unwrapped.isAroundPole) changes.isAroundPole = true;
  else if (east > 180) changes.isCut = true;
  if (east <= 180) return { parts: [[closeRing(shifted)]], isClipped: false };
  return { parts: clipToCopies(shifted, east), isClipped: true };
}

/** The parts of a ring in each copy of the world that it reaches into, all brought to the first and united. */
function clipToCopies(corners: readonly Corner[], east: number): ClipResult {
  const copies: ClipResult[] = [];
  for (let start = 0; start - 180 < east; start += 360) {
    const inCopy = intersection([closeRing(corners)], [worldRing(start)]);
    copies.push(
      inCopy.map((rings) => rings.map((ring) => ring.map(([x, y]): [number, number] => [x - start, y]))),
    );
  }
  const [first, ...others] = copies;
  return first ? union(first, ...others) : [];
}

function worldRing(start: number): Corner[] {
  return closeRing([
    [start - 180, -90],
    [start + 180, -90],
    [start + 180, 90],
    [start - 180, 90],
  ]);
}

function finishPolygon(rings: Rings): Rings {
  const [outer, ...holes] = rings.map(toCorners);
  if (!outer || Math.abs(turnOf(outer)) < emptyTurn) return [];
  const realHoles = holes.filter((hole) => Math.abs(turnOf(hole)) >= emptyTurn);
  return [finishRing(outer, 1), ...realHoles.map((hole) => finishRing(hole, -1))];
}

function finishRing(corners: Corner[], direction: 1 | -1): Corner[] {
  if (turnOf(corners) * direction < 0) corners.reverse();
  const closed = closeRing(corners);
  return closed.flatMap((corner, index) => [...between(closed[index - 1], corner), corner]);
}

/** Corners on a side that is too long. */
function between(from: Corner | undefined, to: Corner): Corner[] {
  const span = from ? Math.abs(to[0] - from[0]) : 0;
  if (!from || span <= maxSideDegrees) return [];
  const steps = Math.ceil(span / maxSideDegrees);
  return Array.from({ length: steps - 1 }, (_, index): Corner => {
    const along = (index + 1) / steps;
    return [
      roundDegrees(from[0] + (to[0] - from[0]) * along),
      roundDegrees(from[1] + (to[1] - from[1]) * along),
    ];
  });
}

function spanOf(corners: readonly Corner[]): [west: number, east: number] {
  let [west, east] = [Infinity, -Infinity];
  for (const [longitude] of corners) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [west, east];
}
