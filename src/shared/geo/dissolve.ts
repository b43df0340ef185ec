import { union } from 'polyclip-ts';
import type { Position } from 'geojson';
import type { Rings } from './polygons-of.ts';

type ClipPolygon = Parameters<typeof union>[0] & [number, number][][];

/**
 * Polygons that overlap or touch as one, others as they are: servers refuse a MultiPolygon whose parts overlap
 * (OGC 06-103r4 §6.1.14).
 */
export function dissolveOverlaps(polygons: readonly Rings[]): Rings[] {
  return clusterByBox(polygons).flatMap((cluster) => (cluster.length === 1 ? cluster : uniteAll(cluster)));
}

/** The parts that a polygon whose outline crosses itself encloses, as valid polygons. */
export function uniteAll(polygons: readonly Rings[]): Rings[] {
  const [first, ...others] = polygons.map(toClipPolygon);
  return first ? union(first, ...others) : [];
}

/** A polygon as the clipping library takes it. */
export function toClipPolygon(rings: Rings): ClipPolygon {
  return rings.map((ring) => ring.map(([x = 0, y = 0]): [number, number] => [x, y]));
}

interface Boxed {
  rings: Rings;
  minX: number;
  maxX: number;
  minY: number;
  maxY: number;
}

/** Groups of polygons whose boxes hang together; polygons of different groups can't overlap. */
function clusterByBox(polygons: readonly Rings[]): Rings[][] {
  const boxed = polygons.map(toBoxed).toSorted((a, b) => a.minX - b.minX);
  const leaders = boxed.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let leader = index;
    while (leaders[leader] !== leader) leader = leaders[leader] ?? leader;
    leaders[index] = leader;
    return leader;
  };
  let active: number[] = [];
  boxed.forEach((box, index) => {
    active = active.filter((other) => (boxed[other]?.maxX ?? 0) >= box.minX);
    for (const other of active) {
      const { minY, maxY } = boxed[other] ?? box;
      if (minY <= box.maxY && box.minY <= maxY) leaders[leaderOf(index)] = leaderOf(other);
    }
    active.push(index);
  });
  const clusters = new Map<number, Rings[]>();
  boxed.forEach(({ rings }, index) => {
    const leader = leaderOf(index);
    clusters.set(leader, [...(clusters.get(leader) ?? []), rings]);
  });
  return [...clusters.values()];
}

function toBoxed(rings: Rings): Boxed {
  const box = { rings, minX: Infinity, maxX: -Infinity, minY: Infinity, maxY: -Infinity };
  for (const [x = 0, y = 0] of (rings[0] ?? []) as Position[]) {
    box.minX = Math.min(box.minX, x);
    box.maxX = Math.max(box.maxX, x);
    box.minY = Math.min(box.minY, y);
    box.maxY = Math.max(box.maxY, y);
  }
  return box;
}
