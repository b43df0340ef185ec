import { expect, test } from 'vitest';
import { lineMeetsBox } from './line-box.ts';

const box = { minX: 2, minY: 2, maxX: 4, maxY: 4 };
const meets = (...coordinates: number[]): boolean =>
  lineMeetsBox(coordinates, { from: 0, to: coordinates.length }, box);

test('a line meets a box by a corner in it, by crossing it, or by touching its edge', () => {
  expect(meets(3, 3, 9, 9)).toBe(true);
  expect(meets(0, 3, 6, 3)).toBe(true);
  expect(meets(1, 4, 4, 7)).toBe(false);
  expect(meets(1, 3, 3, 5)).toBe(true);
  expect(meets(0, 4, 6, 4)).toBe(true);
  expect(meets(0, 1, 6, 1)).toBe(false);
  expect(meets(5, 0, 5, 9)).toBe(false);
});

test('a point meets a box it lies in', () => {
  expect(meets(4, 2)).toBe(true);
  expect(meets(4.1, 2)).toBe(false);
});
