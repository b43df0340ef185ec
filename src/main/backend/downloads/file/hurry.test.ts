import { expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createHurry } from './hurry.ts';

const mebibyte = 1024 * 1024;

it('is there as long as more comes than a disk can take and give back', () => {
  const { timers, advance } = createManualTime();
  const hurry = createHurry(timers);
  /** What is said while so many mebibytes a second come, for a second. */
  const during = (rate: number) =>
    Array.from({ length: 10 }, () => {
      advance(100);
      return hurry.note((rate * mebibyte) / 10);
    }).at(-1);
  expect(during(100)).toBe(false);
  expect(during(1000)).toBe(true);
  expect(during(250)).toBe(false);
  expect(during(300)).toBe(true);
  // After a while in which nothing came it is not known.
  advance(60_000);
  expect(hurry.note(20 * mebibyte)).toBe(false);
});
