import { expect, it } from 'vitest';
import { describeTime } from './describe-time.ts';

const october = { start_datetime: '2026-10-01T00:00:00Z', end_datetime: '2026-10-31T23:59:59Z' };

it('says the days of an item that is made of many', () => {
  const start = '2026-10-01T00:00:00Z';
  expect(describeTime(start, { datetime: null, ...october })).toBe('1–31 October 2026');
  expect(describeTime(start, { datetime: start, ...october })).toBe('1–31 October 2026');
});

it('says the moment of one that was taken within seconds', () => {
  const moment = '14 July 2026, 10:40:31 UTC';
  const datetime = '2026-07-14T10:40:31Z';
  const seconds = { start_datetime: '2026-07-14T10:40:19Z', end_datetime: '2026-07-14T10:40:44Z' };
  expect(describeTime(datetime, { datetime, ...seconds })).toBe(moment);
  expect(describeTime(datetime, null)).toBe(moment);
  expect(describeTime(datetime, { datetime: null, end_datetime: 5 })).toBe(moment);
  expect(describeTime(null, null)).toBe('Without a date');
});
