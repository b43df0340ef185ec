import { expect, test } from 'vitest';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { describeFootprint } from './describe-footprint.ts';

const row: ItemRow = {
  collectionId: 'c',
  itemId: 'i',
  datetime: '2026-07-14T23:40:31Z',
  cloudCover: 3.6,
  platform: null,
  footprint: null,
  bbox: null,
  assetCount: 0,
  hasThumbnail: false,
  isPartial: false,
};

test('names the first and the last day of a span', () => {
  const span = {
    ...row,
    cloudCover: null,
    datetime: '2026-01-01T00:00:00Z',
    endDatetime: '2026-03-31T23:59:59Z',
  };
  expect(describeFootprint(span)).toEqual([expect.stringMatching(/^1 Jan\s–\s31 Mar 2026$/)]);
});

test('names the day in UTC and the clouds, and leaves out what is unknown', () => {
  expect(describeFootprint(row)).toEqual(['14 Jul 2026', '4 % cloud']);
  expect(describeFootprint({ ...row, datetime: null, cloudCover: null })).toEqual([]);
  expect(describeFootprint({ ...row, datetime: 'soon', cloudCover: 0 })).toEqual(['0 % cloud']);
});
