import { expect, it } from 'vitest';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { FootprintSet, type WorldBox } from './footprint-set.ts';
import { choosePictures } from './picture-choice.ts';

type Bbox = [west: number, south: number, east: number, north: number];

function setOf(boxes: readonly Bbox[]): FootprintSet {
  return new FootprintSet(boxes.map((bbox) => ({ footprint: null, bbox })));
}

function worldBox([west, south, east, north]: Bbox): WorldBox {
  return { minX: toWorldX(west), minY: toWorldY(north), maxX: toWorldX(east), maxY: toWorldY(south) };
}

// A degree is a hundred pixels wide.
const scale = 36_000;
const whole = worldBox([0, 0, 20, 20]);
const choose = (boxes: readonly Bbox[], hasPicture = (_: number) => true): number[] =>
  choosePictures({ whole, scale }, setOf(boxes), hasPicture).map(({ index }) => index);

it('leaves out what is out of view, too small, or has no picture', () => {
  const boxes: Bbox[] = [
    [1, 1, 2, 2],
    [30, 30, 31, 31],
    [3, 3, 3.3, 4],
    [5, 5, 6, 6],
  ];
  expect(choose(boxes, (index) => index !== 3)).toEqual([0]);
});

it('paints those that came first last, and of several in one place the first alone', () => {
  const tile: Bbox = [1, 1, 2, 2];
  expect(choose([tile, [1.5, 1, 2.5, 2], tile, [1.8, 1, 2.8, 2]])).toEqual([3, 1, 0]);
});

it('takes the sixty largest', () => {
  const small = Array.from({ length: 80 }, (_, number): Bbox => {
    const [west, south] = [number % 16, Math.floor(number / 16)];
    return [west, south, west + 0.5, south + 0.5];
  });
  const chosen = choose([...small, [0, 10, 5, 15]]);
  expect(chosen).toHaveLength(60);
  expect(chosen[0]).toBe(80);
});

it('shows a picture across the antimeridian on both sides of the map', () => {
  const set = setOf([[178, 0, -178, 4]]);
  const both = choosePictures({ whole: worldBox([-200, -20, 200, 20]), scale }, set, () => true);
  expect(both.map(({ offset }) => offset).sort()).toEqual([-1, 0]);
});
