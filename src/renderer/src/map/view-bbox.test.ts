import { expect, test } from 'vitest';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { boxOutOfView, toViewBbox } from './view-bbox.ts';

test('a view in any copy of the world is told within -180..180', () => {
  expect(toViewBbox({ west: 370, south: -10, east: 380, north: 10 })).toEqual([10, -10, 20, 10]);
  expect(toViewBbox({ west: 170, south: -10, east: 190, north: 10 })).toEqual([170, -10, -170, 10]);
  expect(toViewBbox({ west: -250, south: -89, east: 250, north: 89 }).filter((_, i) => i % 2 === 0)).toEqual([
    -180, 180,
  ]);
});

test('rows are out of view only when none is in it', () => {
  const europe: Bbox = [-6, 41, 16, 53];
  const [fiji, paris] = [rowAt([177, -18, -179, -16]), rowAt([2, 48, 3, 49])];
  expect(boxOutOfView([fiji], europe)).toEqual([177, -18, -179, -16]);
  expect(boxOutOfView([fiji, paris], europe)).toBeNull();
  expect(boxOutOfView([fiji], [170, -30, -170, 0])).toBeNull();
  expect(boxOutOfView([], europe)).toBeNull();
  expect(boxOutOfView([rowAt(null)], europe)).toBeNull();
});

function rowAt(bbox: ItemRow['bbox']): ItemRow {
  return {
    collectionId: 'c',
    itemId: 'i',
    datetime: null,
    cloudCover: null,
    platform: null,
    footprint: null,
    bbox,
    assetCount: 0,
    hasThumbnail: false,
    isPartial: false,
  };
}
