import { describe, expect, it } from 'vitest';
import { createAssetTest, isEmptyRule, joinRules, noAssets, type AssetRule } from './asset-rule.ts';
import { matchesGlob } from './glob.ts';

const assets = [
  { key: 'visual', roles: ['visual'], bands: ['red', 'green', 'blue'], fileName: 'TCI.tif' },
  { key: 'red', roles: ['data'], bands: ['red'], fileName: 'B04.tif' },
  { key: 'nir', roles: ['data'], bands: ['nir'], fileName: 'B08.tif' },
  { key: 'scl', roles: ['data', 'classification'], bands: [], fileName: 'SCL.tif' },
];

function chosen(rule: Partial<AssetRule>): string[] {
  return assets.filter(createAssetTest({ ...noAssets, ...rule })).map(({ key }) => key);
}

describe('a rule for assets', () => {
  it('chooses by key, role, band and pattern, and what fits any of them', () => {
    expect(chosen({ keys: ['scl'] })).toEqual(['scl']);
    expect(chosen({ roles: ['data'] })).toEqual(['red', 'nir', 'scl']);
    expect(chosen({ bands: ['red'] })).toEqual(['visual', 'red']);
    expect(chosen({ pattern: 'b0*' })).toEqual(['red', 'nir']);
    expect(chosen({ pattern: 'nir, SC?.*' })).toEqual(['nir', 'scl']);
    expect(chosen({ keys: ['visual'], roles: ['classification'] })).toEqual(['visual', 'scl']);
  });

  it('leaves exceptions out', () => {
    expect(chosen({ roles: ['data'], exceptKeys: ['nir'] })).toEqual(['red', 'scl']);
  });

  it('chooses nothing when it is empty, not everything', () => {
    expect(chosen({})).toEqual([]);
    expect(isEmptyRule({ ...noAssets, pattern: ' , ' })).toBe(true);
    expect(isEmptyRule({ ...noAssets, pattern: '*' })).toBe(false);
  });

  it('joins the rules of several collections', () => {
    const joined = joinRules([
      { ...noAssets, keys: ['scl'], pattern: 'B0*', exceptKeys: ['nir', 'x'] },
      { ...noAssets, keys: ['scl'], roles: ['data'], exceptKeys: ['x'] },
    ]);
    expect(joined).toEqual({
      ...noAssets,
      keys: ['scl'],
      roles: ['data'],
      pattern: 'B0*',
      exceptKeys: ['x'],
    });
  });
});

describe('matchesGlob', () => {
  it.each([
    ['B04.tif', 'B0*', true],
    ['B04.tif', 'b0?.tif', true],
    ['B04.tif', 'B0', false],
    ['B04.tif', '*.tif', true],
    ['B04.tiff', '*.tif', false],
    ['abc', 'a*b*c*', true],
    ['a.c', 'a[.]c', false],
    ['', '*', true],
    ['', '?', false],
    ['mississippi', 'm*iss*pi', true],
  ])('%s against %s: %s', (text, pattern, isMatch) => {
    expect(matchesGlob(text, pattern)).toBe(isMatch);
  });

  it('is not held up by many stars', () => {
    // Tried out one by one, the places of so many stars would outlast every test.
    expect(matchesGlob('a'.repeat(2000), '*a'.repeat(40) + 'b')).toBe(false);
  });
});
