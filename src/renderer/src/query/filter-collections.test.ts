import { expect, it } from 'vitest';
import { describeInterval } from './describe-interval.ts';
import { filterCollections } from './filter-collections.ts';

const collections = [
  {
    id: 'landsat-c2-l2',
    title: 'Landsat C2 L2',
    description: 'Works beside Sentinel',
    keywords: ['optical'],
  },
  { id: 'sentinel-1-rtc', title: 'Sentinel-1 RTC', description: 'Radar', keywords: ['sar'] },
];

it.each([
  ['', ['landsat-c2-l2', 'sentinel-1-rtc']],
  ['sentinel', ['sentinel-1-rtc', 'landsat-c2-l2']],
  ['SAR rtc', ['sentinel-1-rtc']],
  ['radar optical', []],
])('finds collections by every word of "%s", names first', (typed, ids) => {
  expect(filterCollections(collections, typed).map(({ id }) => id)).toEqual(ids);
});

it.each([
  [['2024-01-01T00:00:00Z', '2026-10-31T00:00:00Z'], '2024-01-01 to 2026-10-31'],
  [['2015-06-27T00:00:00Z', null], 'since 2015-06-27'],
  [[null, '2020-01-01T00:00:00Z'], 'until 2020-01-01'],
  [[null, null], null],
  [null, null],
] as const)('says the time %j as %s', (interval, words) => expect(describeInterval(interval)).toBe(words));
