import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Library } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import { anItem, box } from './testing/small-items.ts';

let folder: string;
let library: Library;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-area-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
});

afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ids(query: SearchQuery): Promise<string[]> {
  return (await library.engine.search(query, { limit: 1000 })).items.map(({ item }) => item.id);
}

const triangle = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [10, 0],
      [0, 10],
      [0, 0],
    ],
  ],
};

it('matches bbox against the box of the item and intersects against its true geometry', async () => {
  await library.saveItems([anItem('triangle', { bbox: [0, 0, 10, 10], geometry: triangle })], 0);
  expect(await ids({ bbox: [8, 8, 9, 9] })).toEqual(['triangle']);
  expect(await ids({ intersects: { type: 'Polygon', coordinates: [box([8, 8, 9, 9])] } })).toEqual([]);
  expect(await ids({ intersects: { type: 'Polygon', coordinates: [box([1, 1, 2, 2])] } })).toEqual([
    'triangle',
  ]);
  expect(await ids({ intersects: { type: 'Point', coordinates: [2, 2] } })).toEqual(['triangle']);
});

it('finds an item inside the area, an area inside the item, and not one in a hole', async () => {
  const ring = { type: 'Polygon', coordinates: [box([0, 0, 9, 9]), box([2, 2, 7, 7])] };
  await library.saveItems([anItem('ring', { bbox: [0, 0, 9, 9], geometry: ring })], 0);
  expect(await ids({ intersects: { type: 'Polygon', coordinates: [box([4, 4, 5, 5])] } })).toEqual([]);
  expect(await ids({ intersects: { type: 'Polygon', coordinates: [box([0.5, 0.5, 1, 1])] } })).toEqual([
    'ring',
  ]);
  expect(await ids({ intersects: { type: 'Polygon', coordinates: [box([-5, -5, 20, 20])] } })).toEqual([
    'ring',
  ]);
});

it('finds an item that a line crosses, begins in or touches, and not one that it goes round', async () => {
  await library.saveItems([anItem('square')], 0);
  const found: Record<string, string[]> = {};
  const lines = {
    crossing: [
      [-5, 0.2],
      [5, 0.3],
    ],
    within: [
      [0.4, 0.4],
      [0.6, 0.5],
    ],
    along: [
      [1, -3],
      [1, 3],
    ],
    round: box([-0.005, -0.005, 1.005, 1.005]),
    apart: [
      [1.0005, -3],
      [1.0005, 3],
    ],
  };
  for (const withColumns of [false, true]) {
    if (withColumns) await library.catchUp();
    for (const [name, coordinates] of Object.entries(lines))
      found[name] = await ids({ intersects: { type: 'LineString', coordinates } });
    const square = ['square'];
    expect(found).toEqual({ crossing: square, within: square, along: square, round: [], apart: [] });
  }
});

it('takes a position that a line repeats for one, in an area and in a footprint', async () => {
  const line = (...coordinates: number[][]) => ({ type: 'LineString' as const, coordinates });
  const lineItem = (id: string, ...coordinates: number[][]) =>
    anItem(id, { bbox: [0, 0, 2, 2], geometry: line(...coordinates) });
  await library.saveItems([lineItem('once', [0, 0], [1, 1]), lineItem('twice', [0, 0], [1, 1], [1, 1])], 0);
  const all = ['once', 'twice'];
  for (const withColumns of [false, true]) {
    if (withColumns) await library.catchUp();
    expect(await ids({ intersects: line([1, 1.5], [2, 1.5]) })).toEqual([]);
    expect(await ids({ intersects: line([0, 1.5], [1, 1.8], [1, 1.8]) })).toEqual([]);
    expect(await ids({ intersects: line([0.5, 0.5], [0.5, 0.5]) })).toEqual(all);
    expect(await ids({ intersects: line([1, 0], [1, 1], [1, 1]) })).toEqual(all);
  }
});

it('works across the antimeridian on both sides', async () => {
  const halves = {
    type: 'MultiPolygon',
    coordinates: [[box([178, -20, 180, -15])], [box([-180, -20, -178, -15])]],
  };
  await library.saveItems(
    [
      anItem('fiji', { bbox: [178, -20, -178, -15], geometry: halves }),
      anItem('east', { bbox: [170, -20, 175, -15] }),
    ],
    0,
  );
  expect(await ids({ bbox: [-179.5, -18, -179, -17] })).toEqual(['fiji']);
  expect(await ids({ bbox: [179, -18, -179, -17] })).toEqual(['fiji']);
  expect(await ids({ bbox: [0, -18, 1, -17] })).toEqual([]);
  expect(await ids({ intersects: { type: 'Point', coordinates: [-179, -17] } })).toEqual(['fiji']);
});

it('leaves out items without a footprint', async () => {
  await library.saveItems([anItem('nowhere', { bbox: null, geometry: null })], 0);
  expect(await ids({ bbox: [-180, -90, 180, 90] })).toEqual([]);
  expect(await ids({})).toEqual(['nowhere']);
});
