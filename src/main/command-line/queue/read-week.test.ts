import { expect, it } from 'vitest';
import { parseWeek, writeWeek } from './read-week.ts';

it('reads hours of days, past midnight and past Sunday', () => {
  expect(writeWeek(parseWeek('mon-tue 9-17, sat'))).toBe('mon 9-17, tue 9-17, sat 0-24');
  expect(writeWeek(parseWeek('sun 22-6'))).toBe('mon 0-6, sun 22-24');
  expect(writeWeek(parseWeek('fri-mon 20-24'))).toBe('mon 20-24, fri 20-24, sat 20-24, sun 20-24');
});

it.each(['', 'monday', 'mon 25-3', 'mon 3-3', 'mon-xyz', 'mon 9'])('refuses %j', (text) => {
  expect(() => parseWeek(text)).toThrow('Hours are given');
});
