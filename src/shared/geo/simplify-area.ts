import { simplify } from '@turf/simplify';
import type { MultiPolygon, Polygon } from 'geojson';
import { uniteAll } from './dissolve.ts';
import { findCrossing } from './find-crossing.ts';
import { areaKm2OfGeometry } from './measure-area.ts';
import { normaliseArea } from './normalise-area.ts';
import { countVertices, polygonsOf, toPolygonGeometry, type Rings } from './polygons-of.ts';

/** A simpler area, and what that costs. */
export interface SimplifiedArea {
  geometry: Polygon | MultiPolygon;
  vertexCount: number;
  /** Area that was added or lost, in per cent of the area before; negative when it became smaller. */
  areaChangePercent: number;
}

// A centimetre and a quarter of the globe, in degrees; halving the ratio between them 12 times leaves half a per cent.
const toleranceRange = { low: 1e-7, high: 90 };
const halvings = 12;

/**
 * The area with at most this many vertices, as like the original as that allows. Islands and holes smaller than what is
 * straightened go. Null when nothing would be left.
 */
export function simplifyArea(geometry: Polygon | MultiPolygon, maxVertices: number): SimplifiedArea | null {
  if (countVertices(geometry) <= maxVertices) return describe(geometry, geometry);
  let { low, high } = toleranceRange;
  for (let step = 0; step < halvings; step += 1) {
    const middle = Math.sqrt(low * high);
    const simpler = straighten(geometry, middle);
    if (simpler && countVertices(simpler) > maxVertices) low = middle;
    else high = middle;
  }
  // Straightening can make an outline cross itself, and taking that apart again adds vertices.
  for (let tolerance = high; tolerance <= toleranceRange.high; tolerance *= 1.1) {
    const simpler = straighten(geometry, tolerance);
    const valid = simpler && (findCrossing(simpler) ? repairArea(simpler) : simpler);
    if (!valid) return null;
    if (countVertices(valid) <= maxVertices) return describe(geometry, valid);
  }
  return null;
}

function describe(before: Polygon | MultiPolygon, after: Polygon | MultiPolygon): SimplifiedArea {
  const km2 = areaKm2OfGeometry(before);
  return {
    geometry: after,
    vertexCount: countVertices(after),
    areaChangePercent: km2 === 0 ? 0 : (areaKm2OfGeometry(after) / km2 - 1) * 100,
  };
}

/** An area whose outline crosses itself, as the parts that it encloses; null when it encloses nothing. */
export function repairArea(geometry: Polygon | MultiPolygon): Polygon | MultiPolygon | null {
  return normaliseArea(uniteAll(polygonsOf(geometry)))?.geometry ?? null;
}

function straighten(geometry: Polygon | MultiPolygon, tolerance: number): Polygon | MultiPolygon | null {
  const large = polygonsOf(geometry).flatMap((rings) => withoutSmallRings(rings, tolerance));
  const kept = toPolygonGeometry(large);
  return kept && simplify(kept, { tolerance, highQuality: true, mutate: true });
}

function withoutSmallRings(rings: Rings, tolerance: number): Rings[] {
  const [outer, ...holes] = rings;
  if (!outer || isSmall(outer, tolerance)) return [];
  return [[outer, ...holes.filter((hole) => !isSmall(hole, tolerance))]];
}

function isSmall(ring: Rings[number], tolerance: number): boolean {
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x = 0, y = 0] of ring) {
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  return maxX - minX <= tolerance && maxY - minY <= tolerance;
}
