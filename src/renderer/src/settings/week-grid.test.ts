import { expect, it } from 'vitest';
import { describeDayHours, hoursBetween, stepHour } from './week-grid.ts';

it('paints the rectangle between two hours, from whichever corner', () => {
  expect(hoursBetween(26, 3)).toEqual([2, 3, 26, 27]);
  expect(hoursBetween(5, 5)).toEqual([5]);
  expect(hoursBetween(0, 167)).toHaveLength(168);
});

it.each([
  [25, 'ArrowLeft', 24],
  [24, 'ArrowLeft', 24],
  [23, 'ArrowRight', 23],
  [5, 'ArrowUp', 5],
  [5, 'ArrowDown', 29],
  [167, 'ArrowDown', 167],
  [30, 'Home', 24],
  [30, 'End', 47],
  [30, 'x', null],
] as const)('from hour %i, %s leads to %s', (hour, key, expected) => {
  expect(stepHour(hour, key)).toBe(expected);
});

it('says the hours of a day', () => {
  const at = (...hours: number[]) => Array.from({ length: 24 }, (_, hour) => hours.includes(hour));
  expect(describeDayHours(at())).toBe('not at all');
  expect(describeDayHours(at(...Array(24).keys()))).toBe('all day');
  expect(describeDayHours(at(0, 1, 2, 20, 21, 22, 23))).toBe('0–3, 20–24');
});
