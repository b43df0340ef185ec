import { describe, expect, it } from 'vitest';
import { formatBytes, formatRate } from './format-bytes.ts';
import { formatPlural } from './format-number.ts';
import { formatArea, formatPosition } from './format-place.ts';
import {
  formatClock,
  formatDuration,
  formatLongSpan,
  formatLongUtc,
  formatTimeLeft,
  splitUtc,
} from './format-time.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.00 kB'],
  [81_000_000, '81.0 MB'],
  [999_600_000, '1.00 GB'],
  [1_130_000_000, '1.13 GB'],
  [184_000_000_000, '184 GB'],
])('writes %d bytes as %s', (sizeBytes, words) => expect(formatBytes(sizeBytes)).toBe(words));

it('writes rates', () => expect(formatRate(14_100_000)).toBe('14.1 MB/s'));

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [240, '4 min'],
  [7500, '2 h 5 min'],
  [7200, '2 h'],
  [260_000, '3 d'],
])('writes %d seconds as %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words));

it('tells no time that a rate says nothing of', () => {
  expect([formatTimeLeft(7200), formatTimeLeft(760 * 86_400)]).toEqual(['2 h', null]);
});

describe('times', () => {
  it('are in UTC, with microseconds and offsets taken', () => {
    expect(splitUtc('2026-07-14T12:40:31.123456+02:00')).toEqual({ date: '2026-07-14', time: '10:40:31Z' });
    expect(formatLongUtc('2026-07-04T10:40:31Z')).toBe('4 July 2026, 10:40:31 UTC');
  });

  it.each([
    ['2026-10-01T00:00:00Z', '2026-10-31T23:59:59.999Z', '1–31 October 2026'],
    ['2026-10-01T00:00:00Z', '2026-10-01T23:59:59Z', '1 October 2026'],
    ['2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z', '1 January 2026 – 31 December 2026'],
    ['2026-01-01T00:00:00Z', null, null],
  ])('from %s to %s are %s', (start, end, words) => expect(formatLongSpan(start, end)).toBe(words));

  it('are null when they can’t be read', () => {
    expect(splitUtc('yesterday')).toBeNull();
    expect(splitUtc(null)).toBeNull();
  });

  it('carry the date when it is not today’s', () => {
    const now = new Date('2026-11-20T15:00:00Z');
    expect(formatClock('2026-11-20T14:02:59Z', now)).toBe('14:02 UTC');
    expect(formatClock('2026-11-19T14:02:59Z', now)).toBe('2026-11-19 14:02 UTC');
    expect(formatClock('2026-11-20T14:02:59.5Z', now, { hasSeconds: true })).toBe('14:02:59 UTC');
  });
});

it('names hemispheres', () => {
  expect(formatPosition(5.0417, 47.3821)).toBe('47.3821° N, 5.0417° E');
  expect(formatPosition(-70.5, -33.1)).toBe('33.1000° S, 70.5000° W');
});

it('writes areas and plurals', () => {
  expect(formatArea(41_260.4)).toBe('41,260 km²');
  expect(formatArea(0.256)).toBe('0.26 km²');
  expect(formatPlural(1, 'vertex', 'vertices')).toBe('1 vertex');
  expect(formatPlural(1180, 'item')).toBe('1,180 items');
});
