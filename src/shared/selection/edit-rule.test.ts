import { describe, expect, it } from 'vitest';
import { noAssets } from './asset-rule.ts';
import { isEntryChosen, toggleEntry, toggleName } from './edit-rule.ts';

const red = { key: 'B04', roles: ['data'], bands: ['red'], isFoundByPattern: false };

describe('ticking an asset in the list', () => {
  it('adds its key and takes it away again', () => {
    const ticked = toggleEntry(noAssets, red);
    expect(ticked.keys).toEqual(['B04']);
    expect(toggleEntry(ticked, red)).toEqual(noAssets);
  });

  it('makes an exception of what a role chooses, and takes the exception back', () => {
    const rule = toggleName(noAssets, 'roles', 'data');
    expect(isEntryChosen(rule, red)).toBe(true);
    const without = toggleEntry(rule, red);
    expect(without.exceptKeys).toEqual(['B04']);
    expect(isEntryChosen(without, red)).toBe(false);
    expect(toggleEntry(without, red)).toEqual(rule);
    expect(toggleName(rule, 'roles', 'data')).toEqual(noAssets);
  });

  it('can take out what only a pattern on file names finds', () => {
    const rule = { ...noAssets, pattern: 'T31*' };
    const found = { ...red, isFoundByPattern: true };
    expect(isEntryChosen(rule, found)).toBe(true);
    expect(isEntryChosen(toggleEntry(rule, found), found)).toBe(false);
  });
});
