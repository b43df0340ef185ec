import { describe, expect, it } from 'vitest';
import { describeProperties } from './format-property.ts';
import { findProperties, groupProperties } from './property-groups.ts';

const { all } = describeProperties({
  'xyz:thing': 1,
  'eo:cloud_cover': 4.2,
  platform: 'sentinel-2b',
  created: '2026-07-14T12:00:00Z',
  datetime: '2026-07-14T10:40:31Z',
  'grid:code': 'MGRS-31UFP',
  'mgrs:utm_zone': 31,
});

describe('groupProperties', () => {
  it('puts what belongs together under one title, and what nobody knows under its prefix', () => {
    expect(groupProperties(all).map(({ title, lines }) => [title, lines.length])).toEqual([
      ['General', 1],
      ['Time', 2],
      ['Optical', 1],
      ['Grid', 2],
      ['xyz', 1],
    ]);
  });
});

describe('findProperties', () => {
  it('looks into names, properties and values', () => {
    const find = (wanted: string) => findProperties(all, wanted).map(({ property }) => property);
    expect(find('CLOUD')).toEqual(['eo:cloud_cover']);
    expect(find('utm zone')).toEqual(['mgrs:utm_zone']);
    expect(find('31ufp')).toEqual(['grid:code']);
    expect(find('  ')).toHaveLength(all.length);
    expect(find('cloud platform')).toEqual([]);
  });
});
