import type { Geometry, Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { CoverageMeasure } from './measure-coverage.ts';

const degree = Math.PI / 180;

function polygon(...rings: Position[][]): Polygon {
  return { type: 'Polygon', coordinates: rings };
}

function box(west: number, south: number, east: number, north: number): Polygon {
  return polygon([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]);
}

function percent(area: Geometry, ...footprints: Geometry[]): number | null {
  const measure = new CoverageMeasure(area);
  const placed = footprints.map((footprint) => measure.place(footprint)).filter((place) => place !== null);
  const [only] = placed;
  return placed.length === 1 && only ? measure.percentOf(only) : measure.percentOfAll(placed);
}

/** Even-odd over all rings in degrees. */
function isInside(rings: readonly Position[][], x: number, y: number): boolean {
  let isIn = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[xi = 0, yi = 0] = [], [xj = 0, yj = 0] = []] = [ring[i], ring[j]];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isIn = !isIn;
    }
  }
  return isIn;
}

/** The same by counting the points of a fine grid in degrees, each weighed by its share of the globe. */
function countGrid(area: Polygon, footprints: readonly Polygon[]): number {
  const xs = area.coordinates.flat().map(([x = 0]) => x);
  const ys = area.coordinates.flat().map(([, y = 0]) => y);
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const steps = 700;
  let [whole, covered] = [0, 0];
  for (let row = 0; row < steps; row++) {
    const y = south + ((row + 0.5) / steps) * (north - south);
    const weight = Math.cos(y * degree);
    for (let column = 0; column < steps; column++) {
      const x = west + ((column + 0.5) / steps) * (east - west);
      if (!isInside(area.coordinates, x, y)) continue;
      whole += weight;
      if (footprints.some(({ coordinates }) => isInside(coordinates, x, y))) covered += weight;
    }
  }
  return (covered / whole) * 100;
}

const dijon = polygon([
  [4.2, 47.9],
  [5.4, 48.0],
  [6.1, 47.2],
  [5.8, 46.6],
  [4.7, 46.3],
  [4.9, 47.1],
  [4.1, 47.2],
  [4.2, 47.9],
]);
const withLake = polygon(...dijon.coordinates, [
  [5.1, 47.6],
  [5.5, 47.6],
  [5.4, 47.2],
  [5.1, 47.6],
]);
const scene = polygon([
  [4.6, 47.85],
  [6.05, 47.83],
  [6.0, 46.85],
  [4.55, 46.87],
  [4.6, 47.85],
]);
const hollowScene = polygon([
  [4.0, 48.2],
  [6.2, 48.2],
  [6.2, 46.2],
  [5.2, 47.4],
  [4.0, 46.2],
  [4.0, 48.2],
]);
const neighbour = polygon([
  [4.0, 47.2],
  [5.2, 47.2],
  [5.2, 46.2],
  [4.0, 46.2],
  [4.0, 47.2],
]);

describe('coverage against a fine grid', () => {
  it.each<[string, Polygon, Polygon[]]>([
    ['a scene', dijon, [scene]],
    ['an area with a hole', withLake, [scene]],
    ['a scene with a hollow', withLake, [hollowScene]],
    [
      'a scene with a hole',
      dijon,
      [polygon(...hollowScene.coordinates, ...box(4.3, 47.4, 5.0, 47.9).coordinates)],
    ],
    ['scenes that overlap, together', dijon, [scene, neighbour]],
    ['scenes that overlap, one with a hollow', withLake, [scene, hollowScene, neighbour]],
    ['a wide area of the north', box(-30, 55, 40, 72), [box(-10, 50, 20, 65), box(0, 60, 60, 80)]],
  ])('%s', (_name, area, footprints) => {
    const counted = countGrid(area, footprints);
    expect(counted).toBeGreaterThan(5);
    expect(counted).toBeLessThan(95);
    expect(Math.abs((percent(area, ...footprints) ?? NaN) - counted)).toBeLessThan(0.15);
  });
});

describe('coverage', () => {
  it('is all for the same shape, nothing for one elsewhere, and half for half', () => {
    expect(percent(dijon, dijon)).toBe(100);
    expect(percent(dijon, box(10, 46, 11, 47))).toBe(0);
    expect(percent(box(0, 0, 2, 2), box(0, -1, 1, 3))).toBeCloseTo(50, 9);
  });

  it('counts a footprint once that came twice, and one inside another not at all', () => {
    expect(percent(box(0, 0, 2, 2), box(0, 0, 1, 2), box(0, 0, 1, 2), box(0, 0, 0.5, 1))).toBeCloseTo(50, 9);
  });

  it('goes on over the antimeridian, however each side writes it', () => {
    const acrossWritten = box(178, -20, 182, -16);
    const split: Geometry = {
      type: 'MultiPolygon',
      coordinates: [box(178, -20, 180, -16).coordinates, box(-180, -20, -178, -16).coordinates],
    };
    const footprint = polygon([
      [179, -21],
      [-179, -21],
      [-179, -15],
      [179, -15],
      [179, -21],
    ]);
    expect(percent(acrossWritten, footprint)).toBeCloseTo(50, 6);
    expect(percent(split, footprint)).toBeCloseTo(50, 6);
    expect(percent(split, box(-181, -21, -179, -15))).toBeCloseTo(50, 6);
    expect(percent(acrossWritten, split)).toBe(100);
  });

  it('knows what lies around a pole', () => {
    const cap = (latitude: number): Polygon =>
      polygon([
        ...Array.from({ length: 72 }, (_, i): Position => [-180 + i * 5, latitude]),
        [-180, latitude],
      ]);
    const north = box(-180, 80, 180, 90);
    const share = ((1 - Math.sin(85 * degree)) / (1 - Math.sin(80 * degree))) * 100;
    // Great circles between the corners run a little north of the parallel.
    expect(Math.abs((percent(north, cap(85)) ?? NaN) - share)).toBeLessThan(0.3);
    // A square over the pole: its sides are far from parallels. Corners at 85°, sides at 86.46°.
    const square = polygon([
      [-135, 85],
      [-45, 85],
      [45, 85],
      [135, 85],
      [-135, 85],
    ]);
    const side = 2 * Math.tan(5 * degree) * Math.SQRT1_2;
    const expected = ((side * side) / (2 * Math.PI * (1 - Math.sin(80 * degree)))) * 100;
    expect(Math.abs((percent(north, square) ?? NaN) - expected)).toBeLessThan(0.5);
    expect(percent(box(-180, -90, 180, -80), square)).toBe(0);
  });

  it('takes the frame of the world as the world', () => {
    expect(percent(dijon, box(-180, -90, 180, 90))).toBe(100);
    expect(percent(box(-180, -90, 180, 90), box(-180, 0, 180, 90))).toBeCloseTo(50, 6);
  });

  it('says nothing of what has no surface or no place', () => {
    const measure = new CoverageMeasure(dijon);
    expect(measure.place({ type: 'Point', coordinates: [5, 47] })).toBeNull();
    expect(measure.place(box(4, 46, 6, 148))).toBeNull();
    expect(new CoverageMeasure({ type: 'Point', coordinates: [5, 47] }).percentOf([])).toBeNull();
  });
});
