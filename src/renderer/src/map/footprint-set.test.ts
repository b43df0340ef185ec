import { expect, test } from 'vitest';
import { FootprintSet } from './footprint-set.ts';
import type { Placed } from './footprint-shapes.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';

type Ring = [number, number][];

function box(west: number, south: number, east: number, north: number): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function polygon(...rings: Ring[]): Placed {
  return { footprint: { type: 'Polygon', coordinates: rings }, bbox: null };
}

function findAt(set: FootprintSet, longitude: number, latitude: number, tolerance = 0): number[] {
  return set.findAt(toWorldX(longitude), toWorldY(latitude), tolerance);
}

test('finds all footprints under a point, the smallest first', () => {
  const set = new FootprintSet([
    polygon(box(0, 40, 10, 50)),
    polygon(box(20, 0, 21, 1)),
    polygon(box(4, 44, 6, 46)),
    polygon(box(2, 42, 8, 48)),
  ]);
  expect(findAt(set, 5, 45)).toEqual([2, 3, 0]);
  expect(findAt(set, 1, 41)).toEqual([0]);
  expect(findAt(set, -5, 45)).toEqual([]);
});

test('footprints of about one size are found in the order in which they came', () => {
  const set = new FootprintSet([
    polygon(box(0, 40, 10, 50)),
    polygon(box(4, 44, 6, 46)),
    polygon(box(0.1, 40.1, 9.9, 49.9)),
  ]);
  expect(findAt(set, 5, 45)).toEqual([1, 0, 2]);
});

test('the bounding box of a slanted footprint is not the footprint', () => {
  const set = new FootprintSet([
    polygon([
      [0, 0],
      [10, 5],
      [10, 10],
      [0, 5],
      [0, 0],
    ]),
  ]);
  expect(findAt(set, 9, 1)).toEqual([]);
  expect(findAt(set, 5, 5)).toEqual([0]);
});

test('a hole belongs to nobody', () => {
  const set = new FootprintSet([polygon(box(0, 0, 10, 10), box(4, 4, 6, 6))]);
  expect(findAt(set, 5, 5)).toEqual([]);
  expect(findAt(set, 2, 2)).toEqual([0]);
});

test('a footprint across the antimeridian is found on both sides, and nowhere between', () => {
  const crossing: Ring = [
    [178, 10],
    [-178, 10],
    [-178, 14],
    [178, 14],
    [178, 10],
  ];
  const split: Placed = {
    footprint: { type: 'MultiPolygon', coordinates: [[box(176, 20, 180, 24)], [box(-180, 20, -176, 24)]] },
    bbox: null,
  };
  const set = new FootprintSet([polygon(crossing), split, { footprint: null, bbox: [178, 30, -178, 34] }]);
  for (const longitude of [179, -179]) {
    expect(findAt(set, longitude, 12)).toEqual([0]);
    expect(findAt(set, longitude, 22)).toEqual([1]);
    expect(findAt(set, longitude, 32)).toEqual([2]);
  }
  for (const latitude of [12, 22, 32]) expect(findAt(set, 0, latitude)).toEqual([]);
});

test('the cut between the halves of a split footprint is no side, its other sides are', () => {
  const set = new FootprintSet([
    {
      footprint: { type: 'MultiPolygon', coordinates: [[box(176, 0, 180, 4)], [box(-180, 0, -176, 4)]] },
      bbox: null,
    },
    polygon(box(176, 0, 180, 4)),
  ]);
  const cuts = set.partsOf(0).flatMap(({ from, to }) => {
    const sides = Array.from({ length: (to - from) / 2 - 1 }, (_, i) => from + 2 * (i + 1));
    return sides.filter((at) => set.isCut(0, at));
  });
  expect(cuts).toHaveLength(2);
  const [part] = set.partsOf(1);
  expect(set.isCut(1, (part?.from ?? 0) + 4)).toBe(false);
});

test('rows without a usable place are never found and break nothing', () => {
  const wild: Ring = [
    [NaN, 0],
    [1, 200],
    [2, NaN],
    [NaN, 0],
  ];
  const set = new FootprintSet([
    polygon(wild),
    { footprint: null, bbox: null },
    { footprint: null, bbox: [0, -95, 5, NaN] },
    polygon(box(0, 0, 1, 1)),
  ]);
  expect(findAt(set, 0.5, 0.5)).toEqual([3]);
  expect(set.boxOf(0)).toBeNull();
  expect(set.findVisible({ minX: -2, minY: 0, maxX: 3, maxY: 1 }).every(({ index }) => index === 3)).toBe(
    true,
  );
});

test('a bbox stands in for a missing footprint', () => {
  const set = new FootprintSet([{ footprint: null, bbox: [10, 10, 12, 12] }]);
  expect(findAt(set, 11, 11)).toEqual([0]);
});

test('what is smaller than the reach of the pointer can still be hit', () => {
  const set = new FootprintSet([
    polygon(box(10, 10, 10.001, 10.001)),
    { footprint: { type: 'Point', coordinates: [20, 20] }, bbox: null },
  ]);
  expect(findAt(set, 10.01, 10.01)).toEqual([]);
  expect(findAt(set, 10.01, 10.01, 0.0001)).toEqual([0]);
  expect(findAt(set, 20.01, 20, 0.0001)).toEqual([1]);
});

test('a view over several copies of the world sees a footprint in each', () => {
  const set = new FootprintSet([polygon(box(0, 0, 10, 10))]);
  const offsets = set.findVisible({ minX: -1, minY: 0, maxX: 2, maxY: 1 }).map(({ offset }) => offset);
  expect(offsets).toEqual([-1, 0, 1]);
});

test('pages are added to what is there, and hidden rows are not found', () => {
  const first = [polygon(box(0, 40, 10, 50)), polygon(box(20, 40, 30, 50))];
  const second = [polygon(box(2, 42, 8, 48))];
  const set = new FootprintSet(first);
  set.show([...first, ...second]);
  expect(findAt(set, 5, 45)).toEqual([2, 0]);
  set.show(second);
  expect(findAt(set, 5, 45)).toEqual([2]);
  expect(findAt(set, 25, 45)).toEqual([]);
  expect(set.countVisible({ minX: 0, minY: 0, maxX: 0.999, maxY: 1 })).toBe(1);
  set.show(first);
  expect(findAt(set, 5, 45)).toEqual([0]);
  expect(set.count).toBe(3);
});

test('a box meets what it cuts, what it holds and what holds it, but not what it only lies beside', () => {
  const slanted: Ring = [
    [0, 0],
    [10, 8],
    [10, 10],
    [0, 2],
    [0, 0],
  ];
  const set = new FootprintSet([polygon(box(0, 40, 10, 50)), polygon(slanted)]);
  const meeting = (west: number, south: number, east: number, north: number): number[] =>
    set.findMeeting({
      minX: toWorldX(west),
      minY: toWorldY(north),
      maxX: toWorldX(east),
      maxY: toWorldY(south),
    });
  expect(meeting(4, 44, 5, 45)).toEqual([0]);
  expect(meeting(-1, 45, 1, 46)).toEqual([0]);
  expect(meeting(-20, -20, 20, 60)).toEqual([0, 1]);
  expect(meeting(7, 0, 9, 2)).toEqual([]);
  expect(meeting(364, 44, 365, 45)).toEqual([0]);
});

test('a box across the antimeridian meets what lies on both sides of it', () => {
  const set = new FootprintSet([polygon(box(170, 0, 179, 5)), polygon(box(-179, 0, -170, 5))]);
  const found = set.findMeeting({
    minX: toWorldX(178),
    minY: toWorldY(4),
    maxX: toWorldX(182),
    maxY: toWorldY(1),
  });
  expect(found).toEqual([0, 1]);
});

test('a footprint around a pole is drawn without the way to the map’s edge, a tall one with its sides', () => {
  const cap: Ring = [0, 60, 120, 180, -120, -60, 0].map((longitude) => [longitude, 70]);
  const set = new FootprintSet([polygon(cap), polygon(box(0, 80, 10, 89))]);
  const cuts = (index: number): number =>
    set.partsOf(index).reduce((count, { from, to }) => {
      for (let at = from + 2; at < to; at += 2) if (set.isCut(index, at)) count++;
      return count;
    }, 0);
  expect([set.hasCuts(0), cuts(0)]).toEqual([true, 3]);
  expect([set.hasCuts(1), cuts(1)]).toEqual([false, 0]);
  expect(findAt(set, 50, 80)).toEqual([0]);
});
