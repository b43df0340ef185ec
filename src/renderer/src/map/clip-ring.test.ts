import { expect, test } from 'vitest';
import { clipRing } from './clip-ring.ts';
import { signedArea } from './rings.ts';

const box = { minX: 0, minY: 0, maxX: 10, maxY: 10 };

test('keeps just what lies in the box', () => {
  const clipped = Array.from(clipRing([-5, -5, 5, -5, 5, 5, -5, 5, -5, -5], box));
  expect(Math.min(...clipped)).toBe(0);
  expect(Math.max(...clipped)).toBe(5);
  expect(Math.abs(signedArea(clipped))).toBe(25);
});

test('a ring around the box becomes the box, one beside it nothing', () => {
  expect(Math.abs(signedArea(Array.from(clipRing([-50, -50, 50, -50, 50, 50, -50, 50], box))))).toBe(100);
  expect(clipRing([20, 20, 30, 20, 30, 30], box)).toHaveLength(0);
});
