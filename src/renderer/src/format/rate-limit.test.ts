import { expect, it } from 'vitest';
import { describeLimit, readRate } from './rate-limit.ts';

it.each([
  ['2.5 MB/s', 2_500_000],
  ['2,5', 2_500_000],
  ['800 kB', 800_000],
  ['1GB/s', 1_000_000_000],
  ['16 Mbit/s', 2_000_000],
  ['16Mbps', 2_000_000],
  ['0', null],
  ['fast', null],
  ['-3', null],
  ['', null],
])('%s is %s bytes per second', (typed, rate) => {
  expect(readRate(typed)).toBe(rate);
});

it('says a limit', () => {
  expect(describeLimit(null)).toBe('none');
  expect(describeLimit(2_500_000)).toBe('2.50 MB/s');
});
