import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { Bbox } from '#shared/stac/bbox.ts';

/** An Item's `geometry` and `bbox`. */
export interface Footprint {
  geometry: Polygon | MultiPolygon;
  bbox: Bbox;
}

/**
 * The footprint of a convex ring whose longitudes run on past ±180 where it crosses the antimeridian:
 * cut in two there, with a bbox whose west is greater than its east (RFC 7946 §3.1.9, §5.2).
 */
export function toFootprint(corners: readonly (readonly [lon: number, lat: number])[]): Footprint {
  const lons = corners.map(([lon]) => lon);
  const lats = corners.map(([, lat]) => lat);
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const edge = east > 180 ? 180 : west < -180 ? -180 : null;
  if (edge === null) {
    return {
      geometry: { type: 'Polygon', coordinates: [close(corners)] },
      bbox: roundBox([west, south, east, north]),
    };
  }
  const eastPart = cut(corners, (lon) => lon - edge).map(
    ([lon, lat]) => [lon - (edge === 180 ? 360 : 0), lat] as const,
  );
  const westPart = cut(corners, (lon) => edge - lon).map(
    ([lon, lat]) => [lon + (edge === -180 ? 360 : 0), lat] as const,
  );
  return {
    geometry: { type: 'MultiPolygon', coordinates: [[close(westPart)], [close(eastPart)]] },
    bbox: roundBox([edge === 180 ? west : west + 360, south, edge === 180 ? east - 360 : east, north]),
  };
}

/** The part of a convex ring where `inside` of the longitude is not negative. */
function cut(
  ring: readonly (readonly [number, number])[],
  inside: (lon: number) => number,
): [lon: number, lat: number][] {
  const kept: [number, number][] = [];
  ring.forEach((corner, i) => {
    const before = ring[(i + ring.length - 1) % ring.length] ?? corner;
    const [here, there] = [inside(corner[0]), inside(before[0])];
    if (here >= 0 !== there >= 0) {
      const share = there / (there - here);
      kept.push([before[0] + (corner[0] - before[0]) * share, before[1] + (corner[1] - before[1]) * share]);
    }
    if (here >= 0) kept.push([corner[0], corner[1]]);
  });
  return kept;
}

/** Counterclockwise (RFC 7946 §3.1.6) and closed. */
function close(ring: readonly (readonly [number, number])[]): Position[] {
  let doubledArea = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [0, 0];
    doubledArea += x * nextY - nextX * y;
  });
  const ordered = doubledArea < 0 ? [...ring].reverse() : [...ring];
  const positions = ordered.map(([lon, lat]): Position => [roundDegrees(lon), roundDegrees(lat)]);
  const [first] = positions;
  return first === undefined ? positions : [...positions, [...first]];
}

function roundBox([west, south, east, north]: Bbox): Bbox {
  return [roundDegrees(west), roundDegrees(south), roundDegrees(east), roundDegrees(north)];
}

/** A tenth of a metre is finer than any footprint is known. */
function roundDegrees(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
