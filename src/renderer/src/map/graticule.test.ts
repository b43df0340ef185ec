import { expect, test } from 'vitest';
import { graticuleLines, graticuleStep } from './graticule.ts';

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
