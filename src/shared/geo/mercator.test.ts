import { expect, test } from 'vitest';
import { toLatitude, toLongitude, toWorldX, toWorldY, wrapLongitude } from './mercator.ts';

test('the world is a square from 0 to 1 with Greenwich and the equator in the middle', () => {
  expect([toWorldX(-180), toWorldX(0), toWorldX(180)]).toEqual([0, 0.5, 1]);
  expect(toWorldY(0)).toBeCloseTo(0.5, 12);
  expect(toWorldY(85.0511287798066)).toBeCloseTo(0, 9);
  expect(toWorldY(90)).toBeCloseTo(0, 9);
  expect(toWorldY(-90)).toBeCloseTo(1, 9);
});

test('projecting there and back gives the same place', () => {
  for (const [longitude, latitude] of [
    [2.35, 48.86],
    [-179.9, -54.8],
    [200, 71],
  ] as const) {
    expect(toLongitude(toWorldX(longitude))).toBeCloseTo(longitude, 9);
    expect(toLatitude(toWorldY(latitude))).toBeCloseTo(latitude, 9);
  }
});

test('longitudes of other copies of the world come back within -180..180', () => {
  expect([190, -190, 180, -180, 541, 10].map(wrapLongitude)).toEqual([-170, 170, 180, -180, -179, 10]);
});
