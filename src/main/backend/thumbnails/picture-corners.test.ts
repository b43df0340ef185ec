import { expect, it } from 'vitest';
import { toUtm } from '../demo/geo/utm.ts';
import { pictureCornersOf } from './picture-corners.ts';

const utm = {
  'proj:epsg': 32632,
  'proj:shape': [10_980, 10_980],
  'proj:transform': [10, 0, 399_960, 0, -10, 5_200_020, 0, 0, 1],
};

function item(properties: object, assets: object = {}) {
  return { type: 'Feature', id: 'i', properties, assets } as Parameters<typeof pictureCornersOf>[0];
}

it('places a picture by the raster that its item tells of, in UTM', () => {
  const corners = pictureCornersOf(item(utm));
  const ends = [
    [399_960, 5_200_020],
    [509_760, 5_200_020],
    [509_760, 5_090_220],
    [399_960, 5_090_220],
  ];
  for (const [index, [longitude, latitude]] of (corners ?? []).entries()) {
    const [easting, northing] = toUtm({ number: 32, isSouth: false }, longitude, latitude);
    expect(easting).toBeCloseTo(ends[index]?.[0] ?? NaN, 1);
    expect(northing).toBeCloseTo(ends[index]?.[1] ?? NaN, 1);
  }
  expect(corners).toHaveLength(4);
});

it('takes what an asset tells where the item has the system alone, and degrees as they are', () => {
  const { 'proj:epsg': epsg, ...raster } = utm;
  const red = { href: 'https://files.example/red.tif', ...raster };
  expect(pictureCornersOf(item({ 'proj:code': `EPSG:${String(epsg)}` }, { red }))).toEqual(
    pictureCornersOf(item(utm)),
  );
  const degrees = { 'proj:epsg': 4326, 'proj:shape': [2, 4], 'proj:transform': [0.5, 0, 7, 0, -0.5, 47] };
  expect(pictureCornersOf(item(degrees))).toEqual([
    [7, 47],
    [9, 47],
    [9, 46],
    [7, 46],
  ]);
});

it.each([
  ['nothing', {}],
  ['a system that is not known here', { ...utm, 'proj:epsg': 2154 }],
  ['no system', { ...utm, 'proj:epsg': null }],
  ['a transform of texts', { ...utm, 'proj:transform': ['10', '0', '0', '0', '10', '0'] }],
  ['a raster that is not on Earth', { ...utm, 'proj:epsg': 4326 }],
])('places nothing by %s', (_name, properties) => {
  expect(pictureCornersOf(item(properties))).toBeNull();
});
