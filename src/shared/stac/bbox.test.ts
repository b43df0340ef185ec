import { describe, expect, it } from 'vitest';
import { bboxesIntersect, bboxOfGeometry, splitAtAntimeridian, toBbox, type Bbox } from './bbox.ts';

describe('toBbox', () => {
  it('drops heights and refuses anything else than 4 or 6 numbers', () => {
    expect(toBbox([1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
    expect(toBbox([1, 2, -5, 3, 4, 900])).toEqual([1, 2, 3, 4]);
    expect([null, 'x', [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, null], [1, 2, 3, NaN]].map(toBbox)).toEqual(
      Array(6).fill(null),
    );
  });
});

describe('bboxesIntersect', () => {
  const fiji: Bbox = [178, -20, -178, -15];
  it.each<[string, Bbox, Bbox, boolean]>([
    ['touching edges', [0, 0, 1, 1], [1, 1, 2, 2], true],
    ['apart', [0, 0, 1, 1], [1.1, 0, 2, 1], false],
    ['east of the antimeridian', fiji, [-179, -18, -178.5, -17], true],
    ['west of the antimeridian', fiji, [178.5, -18, 179, -17], true],
    ['the other side of the world', fiji, [0, -18, 1, -17], false],
    ['two that cross', fiji, [170, -16, -170, 0], true],
  ])('%s', (_name, a, b, expected) => {
    expect([bboxesIntersect(a, b), bboxesIntersect(b, a)]).toEqual([expected, expected]);
  });
});

it.each<[Bbox, Bbox[]]>([
  [
    [178, 0, -178, 1],
    [
      [178, 0, 180, 1],
      [-180, 0, -178, 1],
    ],
  ],
  [[190, 0, -170, 1], [[-180, 0, -170, 1]]],
  [[170, 0, -190, 1], [[170, 0, 180, 1]]],
  [[190, 0, -190, 1], [[-180, 0, 180, 1]]],
])('%j is split into boxes that have an inside', (bbox, halves) => {
  expect(splitAtAntimeridian(bbox)).toEqual(halves);
});

describe('bboxOfGeometry', () => {
  it('covers every part of a collection and is null for an empty one', () => {
    const point = { type: 'Point' as const, coordinates: [5, 6, 100] };
    const line = {
      type: 'LineString' as const,
      coordinates: [
        [-1, 2],
        [3, -4],
      ],
    };
    expect(bboxOfGeometry({ type: 'GeometryCollection', geometries: [point, line] })).toEqual([-1, -4, 5, 6]);
    expect(bboxOfGeometry({ type: 'MultiPoint', coordinates: [] })).toBeNull();
  });
});
