import { expect, test } from 'vitest';
import { uniteBboxes } from './unite-bboxes.ts';

test('boxes nearly all around the world unite to all of it, seen as usual', () => {
  const boxes = [-170, -100, -10, 60, 150].map((west): [number, number, number, number] => [
    west,
    0,
    west + 10,
    5,
  ]);
  expect(uniteBboxes(boxes)).toEqual([-180, 0, 180, 5]);
});

test('boxes unite the short way around the world', () => {
  expect(
    uniteBboxes([
      [170, 0, 175, 5],
      [-178, 2, -170, 8],
    ]),
  ).toEqual([170, 0, -170, 8]);
  expect(
    uniteBboxes([
      [-10, 0, 0, 5],
      [5, 2, 20, 8],
    ]),
  ).toEqual([-10, 0, 20, 8]);
  expect(uniteBboxes([[175, 0, -175, 5]])).toEqual([175, 0, -175, 5]);
});

test('nothing usable is no box', () => {
  expect(uniteBboxes([])).toBeNull();
  expect(uniteBboxes([[0, -100, NaN, 4]])).toBeNull();
});
