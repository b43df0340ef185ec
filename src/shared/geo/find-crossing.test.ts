import { expect, test } from 'vitest';
import { findCrossing, findCrossingOfLine } from './find-crossing.ts';

const crossesItself = (...args: Parameters<typeof findCrossingOfLine>): boolean =>
  findCrossingOfLine(...args) !== null;

const hook = [
  [0, 0],
  [10, 0],
  [10, 10],
  [5, -5],
];

test('a line that comes back over itself crosses', () => {
  expect(crossesItself(hook, { isClosed: false })).toBe(true);
  expect(crossesItself(hook.slice(0, 3), { isClosed: false })).toBe(false);
});

test('a line may be fine while the ring it closes to is not', () => {
  const spiral = [
    [0, 0],
    [10, 0],
    [10, 10],
    [2, 10],
    [2, 2],
    [8, 2],
    [8, 8],
  ];
  expect(crossesItself(spiral, { isClosed: false })).toBe(false);
  expect(crossesItself(spiral, { isClosed: true })).toBe(true);
});

test('neighbouring sides share a corner and that is no crossing', () => {
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  expect(crossesItself(square, { isClosed: true })).toBe(false);
});

test('a corner on another side is a crossing', () => {
  const touching = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 0],
    [0, 10],
  ];
  expect(crossesItself(touching, { isClosed: true })).toBe(true);
});

test('a hole may touch its outline but not cross it', () => {
  const outer = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ];
  const holeTo = (x: number): number[][] => [
    [2, 2],
    [2, 4],
    [x, 3],
    [2, 2],
  ];
  expect(findCrossing({ type: 'Polygon', coordinates: [outer, holeTo(10)] })).toBeNull();
  expect(findCrossing({ type: 'Polygon', coordinates: [outer, holeTo(11)] })).not.toBeNull();
});

test('a line that runs back over itself crosses', () => {
  const spike = [
    [0, 0],
    [10, 0],
    [4, 0],
    [4, 8],
  ];
  expect(crossesItself(spike, { isClosed: false })).toBe(true);
});
