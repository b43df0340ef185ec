import { expect, test } from 'vitest';
import { unwrapPositions } from './unwrap.ts';

test('a ring across the antimeridian goes on instead of jumping', () => {
  const ring = [
    [178, 50],
    [-178, 50],
    [-178, 54],
    [178, 54],
    [178, 50],
  ];
  expect(unwrapPositions(ring).map(([longitude]) => longitude)).toEqual([178, 182, 182, 178, 178]);
});

test('a ring that touches the antimeridian with both signs of 180 is no frame of the world', () => {
  const ring = [
    [179, 0],
    [180, 0],
    [-180, 1],
    [179, 1],
    [179, 0],
  ];
  expect(unwrapPositions(ring).map(([longitude]) => longitude)).toEqual([179, 180, 180, 179, 179]);
});

test('the frame of the whole world stays as wide as the world', () => {
  const frame = [
    [-180, -90],
    [180, -90],
    [180, 90],
    [-180, 90],
    [-180, -90],
  ];
  expect(unwrapPositions(frame)).toEqual(frame);
});

test('positions that are no place are left out', () => {
  expect(unwrapPositions([[NaN, 1], [1, 91], [1, 2], [1e9, 2], []])).toEqual([[1, 2]]);
});

test('a ring around the pole is closed along the edge of the map', () => {
  const around = unwrapPositions([
    [-180, 72],
    [-90, 70],
    [0, 74],
    [90, 70],
    [180, 72],
    [-180, 72],
  ]);
  expect(Math.max(...around.map(([, latitude]) => latitude))).toBeGreaterThan(85);
  expect(around.at(-1)?.[0]).toBe(around[0]?.[0]);
});
