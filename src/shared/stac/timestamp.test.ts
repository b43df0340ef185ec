import { describe, expect, it } from 'vitest';
import { fromEpochMicros, toEpochMicros } from './timestamp.ts';

describe('toEpochMicros', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.000001Z', 1],
    ['2022-08-18T14:11:18.171798Z', 1660831878171798],
    ['2022-08-18T16:11:18.171798+02:00', 1660831878171798],
    ['2022-08-18t14:11:18.1717985z', 1660831878171798],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2016-12-31T23:59:60Z', 1483228800000000],
    ['2016-12-31T15:59:60.5-08:00', 1483228800500000],
  ])('reads %s', (text, micros) => expect(toEpochMicros(text)).toBe(micros));

  it.each([
    '2022-08-18',
    '2022-02-31T00:00:00Z',
    '2022-08-18T25:00:00Z',
    '2022-08-18T14:11:18',
    '2022-08-18T14:11:60Z',
    'yesterday',
    '',
  ])('refuses %j', (text) => expect(toEpochMicros(text)).toBeNull());
});

describe('fromEpochMicros', () => {
  it.each([
    '2022-08-18T14:11:18Z',
    '2022-08-18T14:11:18.100Z',
    '2022-08-18T14:11:18.171798Z',
    '1969-12-31T23:59:59.999999Z',
  ])('writes %s as it was', (text) => expect(fromEpochMicros(toEpochMicros(text) ?? NaN)).toBe(text));
});
