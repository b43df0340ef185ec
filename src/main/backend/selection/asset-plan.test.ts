import { describe, expect, it } from 'vitest';
import { noAssets } from '#shared/selection/asset-rule.ts';
import { AssetPlan } from './asset-plan.ts';

function plan(): AssetPlan {
  const made = new AssetPlan();
  const item = (id: string, assets: Record<string, unknown>) =>
    made.add({ collectionId: 's2', itemId: id }, { id, assets });
  item('a', {
    visual: { href: 's3://b/a/TCI.tif', roles: ['visual'], type: 'image/tiff', 'file:size': 100 },
    B04: { href: 's3://b/a/B04.tif', roles: ['data'], 'eo:bands': [{ common_name: 'red' }], 'file:size': 30 },
    safe: { href: 's3://b/a/SAFE/', roles: ['archive'] },
  });
  item('b', {
    visual: { href: 's3://b/b/TCI.tif', roles: ['visual'], title: 'True colour' },
    B04: { href: 'gs://b/b/B04.tif', roles: ['data'], bands: [{ name: 'B04', 'eo:common_name': 'red' }] },
  });
  item('c', { other: { href: 'https://x.test/c.json', roles: ['metadata'], 'file:size': 1 } });
  return made;
}

describe('AssetPlan', () => {
  it('counts each asset over all items', () => {
    expect(
      plan().kinds.map(({ key, itemCount, knownBytes, unknownCount, unavailableCount }) =>
        [key, itemCount, knownBytes, unknownCount, unavailableCount].join(' '),
      ),
    ).toEqual(['visual 2 100 1 0', 'B04 2 30 1 1', 'safe 1 0 1 1', 'other 1 1 0 0']);
    expect(plan().kinds[0]).toMatchObject({
      title: 'True colour',
      mediaType: 'image/tiff',
      roles: ['visual'],
    });
    expect(plan().kinds[1]).toMatchObject({ bands: ['red'] });
  });

  it('totals what a rule chooses, without what can’t be downloaded', () => {
    expect(plan().total({ ...noAssets, keys: ['visual', 'safe'], bands: ['red'] })).toEqual({
      itemCount: 2,
      withoutCount: 1,
      fileCount: 3,
      knownBytes: 130,
      unknownCount: 1,
      directoryCount: 1,
      unsupportedCount: 1,
      chosenKeys: ['visual', 'B04'],
      chosenKeyCount: 2,
      idlePatterns: [],
    });
  });

  it('names the patterns that no asset fits, whatever else is chosen', () => {
    const rule = { ...noAssets, keys: ['visual'], pattern: 'b0*, zzz, *.tif, B9?' };
    expect(plan().total(rule).idlePatterns).toEqual(['zzz', 'B9?']);
  });

  it('chooses for each item what is to be queued', () => {
    expect(plan().choose({ ...noAssets, pattern: '*.tif' })).toEqual([
      { ref: { collectionId: 's2', itemId: 'a' }, assetKeys: ['visual', 'B04'] },
      { ref: { collectionId: 's2', itemId: 'b' }, assetKeys: ['visual'] },
    ]);
    expect(plan().choose(noAssets)).toEqual([]);
  });
});
