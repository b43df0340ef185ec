import { expect, test } from 'vitest';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { boxOutOfView, toViewBbox, uniteBboxes } from './view-bbox.ts';

test('a view in any copy of the world is told within -180..180', () => {
  expect(toViewBbox({ west: 370, south: -10, east: 380, north: 10 })).toEqual([10, -10, 20, 10]);
  expect(toViewBbox({ west: 170, south: -10, east: 190, north: 10 })).toEqual([170, -10, -170, 10]);
  expect(toViewBbox({ west: -250, south: -89, east: 250, north: 89 }).filter((_, i) => i % 2 === 0)).toEqual([
    -180, 180,
  ]);
});

test('boxes nearly all around the world unite to all of it, seen as usual', () => {
  const boxes = [-170, -100, -10, 60, 150].map((west): [number, number, number, number] => [
    west,
    0,
    west + 10,
    5,
  ]);
  expect(uniteBboxes(boxes)).toEqual([-180, 0, 180, 5]);
});

test('boxes unite the short way around the world', () => {
  expect(
    uniteBboxes([
      [170, 0, 175, 5],
      [-178, 2, -170, 8],
    ]),
  ).toEqual([170, 0, -170, 8]);
  expect(
    uniteBboxes([
      [-10, 0, 0, 5],
      [5, 2, 20, 8],
    ]),
  ).toEqual([-10, 0, 20, 8]);
  expect(uniteBboxes([[175, 0, -175, 5]])).toEqual([175, 0, -175, 5]);
});

test('nothing usable is no box', () => {
  expect(uniteBboxes([])).toBeNull();
  expect(uniteBboxes([[0, -100, NaN, 4]])).toBeNull();
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
