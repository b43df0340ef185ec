import type { Position } from 'geojson';
import { expect, test } from 'vitest';
import { FootprintSet } from './footprint-set.ts';
import type { Placed } from './footprint-shapes.ts';
import type { CanvasFrame } from './picture.ts';
import { measurePileDepth } from './pile-depth.ts';

// 256 px of world around 0° N, 0° E at zoom 4: 22.5° across.
const frame = {
  scale: 256 * 2 ** 4,
  whole: { minX: 0.46875, minY: 0.46875, maxX: 0.53125, maxY: 0.53125 },
} as CanvasFrame;

function square(west: number, south: number, sizeDegrees: number): Placed {
  const [east, north] = [west + sizeDegrees, south + sizeDegrees];
  const ring: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { footprint: { type: 'Polygon', coordinates: [ring] }, bbox: null };
}

function depthOf(footprints: Placed[]): number {
  return measurePileDepth(frame, new FootprintSet(footprints), 3);
}

test('tiles beside each other are no pile', () => {
  const tiles = [0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].map((column) => square(column * 2, row * 2, 2)));
  expect(depthOf(tiles)).toBe(1);
});

test('footprints on each other are counted where the most are', () => {
  const pile = Array.from({ length: 12 }, (_, index) => square(-index * 0.5, -index * 0.5, 8));
  expect(depthOf([...pile, square(-10, 5, 4)])).toBeGreaterThanOrEqual(10);
});

test('footprints that look the same count a few times only', () => {
  expect(depthOf(Array.from({ length: 100 }, () => square(0, 0, 5)))).toBe(3);
});

test('what is out of view is no pile in view', () => {
  expect(depthOf(Array.from({ length: 9 }, (_, index) => square(40 + index, 30, 8)))).toBe(0);
});
