import { describe, expect, it } from 'vitest';
import { isCutByFields } from './is-cut-by-fields.ts';

const whole = {
  id: 'a',
  collection: 'c',
  stac_version: '1.0.0',
  geometry: null,
  bbox: null,
  properties: { datetime: null, platform: 'x', 'eo:cloud_cover': 3 },
  assets: { visual: {}, mask: {} },
  links: [],
};

const { links: _, ...withoutLinks } = whole;

describe('whether fields cut an item down', () => {
  it.each([
    ['the member is missing', { exclude: ['links'] }, withoutLinks],
    [
      'only a property came',
      { include: ['properties.datetime'] },
      { id: 'a', properties: { datetime: null } },
    ],
    [
      'only the asset asked for came',
      { include: ['assets.visual', 'properties', 'links', 'geometry', 'bbox'] },
      { ...whole, assets: { visual: {} } },
    ],
    ['an excluded asset is not there', { exclude: ['assets.mask'] }, { ...whole, assets: { visual: {} } }],
    [
      'an excluded property by its bare name',
      { exclude: ['platform'] },
      { ...whole, properties: { datetime: null } },
    ],
    ['the default set came', {}, { ...whole, properties: { datetime: null } }],
    [
      'properties were left out but for the time',
      { exclude: ['properties'] },
      { ...whole, properties: { datetime: null } },
    ],
    [
      'something deep was left out',
      { exclude: ['assets.visual.alternate'] },
      { ...whole, assets: { mask: {} } },
    ],
  ])('yes: %s', (_name, fields, item) => {
    expect(isCutByFields(item, fields)).toBe(true);
  });

  it.each([
    ['all that is excluded came all the same', { exclude: ['assets.mask', 'properties.platform'] }],
    ['more than was named came', { include: ['id', 'properties.datetime'] }],
    ['more than the default set came', {}],
    ['everything was named', { include: ['id', 'properties', 'assets', 'links', 'geometry', 'bbox'] }],
    ['properties came although excluded', { exclude: ['properties'] }],
  ])('no: %s', (_name, fields) => {
    expect(isCutByFields(whole, fields)).toBe(false);
  });
});
