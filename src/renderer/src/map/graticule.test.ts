import { expect, test } from 'vitest';
import { formatDegrees, graticuleLines, graticuleStep } from './graticule.ts';

test('lines get closer with the zoom and never crowd', () => {
  const steps = [0, 2, 4, 6, 8, 10, 12, 14].map(graticuleStep);
  expect(steps).toEqual([...steps].sort((a, b) => b - a));
  for (const zoom of [2, 4, 6, 8, 10]) {
    expect((graticuleStep(zoom) * 256 * 2 ** zoom) / 360).toBeGreaterThanOrEqual(85);
  }
});

test('lines are the multiples within a span, beyond ±180 as well', () => {
  expect(graticuleLines(-12, 21, 10)).toEqual([-10, 0, 10, 20]);
  expect(graticuleLines(175, 195, 10)).toEqual([180, 190]);
});

test('degrees are written with as many decimals as they need', () => {
  const format = (degrees: number): string => formatDegrees(degrees, 'E', 'W');
  expect([0, 10, -0.25, 179.95, 180, -180].map(format)).toEqual([
    '0°',
    '10°E',
    '0.25°W',
    '179.95°E',
    '180°',
    '180°',
  ]);
});
