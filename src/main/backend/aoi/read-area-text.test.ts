import { describe, expect, it } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import type { AreaReading } from '#shared/geo/area-reading.ts';
import { readAreaText } from './read-area-text.ts';

function read(text: string): AreaReading {
  const { readings, mustAsk } = readAreaText(text);
  const [reading] = readings;
  if (!reading || mustAsk) throw new Error(`${text} has to be asked about`);
  return reading;
}

function pointOf({ area }: AreaReading): number[] {
  if (area.kind !== 'shape' || area.geometry.type !== 'Point') throw new Error('no point');
  return area.geometry.coordinates.map((degrees) => Number(degrees.toFixed(4)));
}

function refusal(text: string): Record<string, unknown> {
  try {
    readAreaText(text);
  } catch (thrown) {
    if (isAppError(thrown)) return { code: thrown.code, ...thrown.details };
    throw thrown;
  }
  throw new Error(`${text.slice(0, 60)} was read`);
}

describe('a place that was typed', () => {
  it.each([
    '51.5074 N 0.1275 W',
    'N 51.5074, W 0.1275',
    '51.5074° N, 0.1275° W',
    '51,5074° N 0,1275° W',
    '51°30′26.64″N 0°7′39″W',
    `51° 30' 26.64" N, 0° 7' 39" W`,
    '51 30 26.64 N, 0 7 39 W',
    '51:30:26.64N 0:07:39W',
    '51° 30.444′ N 0° 7.65′ W',
    'N51 30.444 W000 07.65',
    'lat 51.5074 lon -0.1275',
    'Longitude: -0.1275, Latitude: 51.5074',
    'W 0.1275 N 51.5074',
    '51.5074 North 0.1275 West',
    '−0.1275° E, 51.5074° N'.replace(' E', ''),
  ])('%s', (text) => {
    // The last one says north of one number only; the other is then the longitude.
    expect(pointOf(read(text))).toEqual([-0.1275, 51.5074]);
  });

  it('keeps the sign of a place just south of the equator', () => {
    expect(pointOf(read('-0 30 0, 120 0 0'))).toEqual([120, -0.5]);
    expect(pointOf(read('-0.5, 120'))).toEqual([120, -0.5]);
  });

  it('asks where both orders are possible, and not where one is not', () => {
    const { readings, mustAsk } = readAreaText('51.5, -0.12');
    expect(mustAsk).toBe(true);
    expect(readings.map(({ words }) => words)).toEqual(['51.5° N, 0.12° W', '0.12° S, 51.5° E']);
    expect(readAreaText('120.5, 30').mustAsk).toBe(false);
    expect(pointOf(read('120.5, 30'))).toEqual([120.5, 30]);
    expect(readAreaText('5, 5').mustAsk).toBe(false);
  });

  it('takes two places as corners of a box and more as corners of a polygon', () => {
    expect(read('48 N 2 W; 51 N 3 E').area).toEqual({ kind: 'box', bbox: [-2, 48, 3, 51] });
    expect(read('10 S 170 E\n5 N 170 W').area).toEqual({ kind: 'box', bbox: [170, -10, -170, 5] });
    const { area, words } = read('50 N 4 E, 50 N 5 E, 51 N 5 E');
    expect(area).toMatchObject({ geometry: { type: 'Polygon' } });
    expect(words).toBe('polygon of 3 corners from 50° N, 4° E');
    expect(readAreaText('4 50, 5 50, 5 51').mustAsk).toBe(true);
    expect(read('4,50,0 5,50,0 5,51,0').area).toMatchObject({ geometry: { type: 'Polygon' } });
  });

  it.each([
    ['51.5', /two, a box four/],
    ['hello', /no coordinates/],
    ['51 61 00 N, 0 7 39 W', /below 60/],
    ['-51 S, 4 E', /twice/],
    ['51 N 4 N', /Both are latitudes/],
    ['99 N 4 E', /no place on the globe/],
    ['1 1, 2 2, 3 3', /one line/],
    ['', /no text/],
  ])('%s: says what is wrong', (text, why) => {
    const { code, ...details } = refusal(text);
    expect(code).toBe('aoi.unreadable');
    expect(details['why']).toMatch(why);
    expect(details['mend']).not.toBe('');
  });
});

describe('a box that was typed', () => {
  it('is west, south, east, north, with heights or without', () => {
    expect(read('-2, 48, 3, 51').area).toEqual({ kind: 'box', bbox: [-2, 48, 3, 51] });
    expect(read('[-2,48,3,51]').words).toBe('Box 2° W to 3° E, 48° N to 51° N');
    expect(read('-2 48 0 3 51 1000').area).toEqual({ kind: 'box', bbox: [-2, 48, 0, 3, 51, 1000] });
    expect(read('170,-20,-170,0').notes.join()).toMatch(/antimeridian/);
  });

  it('offers the other order where it is possible, and takes it where only it is', () => {
    expect(readAreaText('-2, 48, 3, 51').readings[1]?.area).toEqual({ kind: 'box', bbox: [48, -2, 51, 3] });
    expect(read('-20,150,-10,155').area).toEqual({ kind: 'box', bbox: [150, -20, 155, -10] });
    expect(refusal('10,50,20,40')['why']).toMatch(/west, south, east, north/);
  });
});

describe('grids', () => {
  it('reads MGRS squares as large as their digits say', () => {
    for (const [text, km] of [
      ['31UDQ', 100],
      ['31U DQ 4 1', 10],
      ['31udq4811', 1],
      ['31UDQ 48251 11932', 0.001],
    ] as const) {
      const { area, words } = read(text);
      const geometry = area.kind === 'shape' && area.geometry.type === 'Polygon' ? area.geometry : null;
      const [[, south = 0] = [], , , [, north = 0] = []] = geometry?.coordinates[0] ?? [];
      expect((Math.abs(north - south) * 111.2) / km).toBeCloseTo(1, 1);
      expect(words).toContain(km < 1 ? `${km * 1000} m` : `${km} km`);
    }
    expect(read('T31UFP; 31UGP').area).toMatchObject({ geometry: { type: 'Polygon' } });
    expect(refusal('31UDQ 482 1')['why']).toMatch(/as many digits/);
    expect(refusal('99UDQ')['why']).toMatch(/no such square/);
  });

  it('reads UTM, whatever comes first', () => {
    for (const text of [
      '31N 448251 5411932',
      '31U 448251 5411932',
      '448251 5411932 31N',
      'UTM zone 31 North, 448251 E, 5411932 N',
      '31U E 448251 N 5411932',
      'Zone 31N: 448251mE 5411932mN',
    ]) {
      expect(pointOf(read(text))).toEqual([2.2945, 48.8582]);
    }
  });

  it('asks whether S is a hemisphere or a band only where both fit', () => {
    const { readings, mustAsk } = readAreaText('33S 500000 4000000');
    expect(mustAsk).toBe(true);
    expect(readings.map(pointOf)).toEqual([
      [15, 36.1447],
      [15, -54.1481],
    ]);
    expect(pointOf(read('33S 500000 8000000'))[1]).toBeLessThan(0);
    expect(refusal('31C 448251 5411932')['why']).toMatch(/zone and band/);
  });
});

describe('GeoJSON and WKT that were pasted', () => {
  const ring = [
    [4, 50],
    [5, 50],
    [5, 51],
    [4, 50],
  ];

  it('takes a geometry, a Feature, a FeatureCollection and WKT alike', () => {
    const polygon = { type: 'Polygon', coordinates: [ring] };
    const feature = { type: 'Feature', geometry: polygon, properties: { name: 'Field' } };
    const wkt = 'POLYGON ((4 50, 5 50, 5 51, 4 50))';
    for (const text of [
      JSON.stringify(polygon),
      JSON.stringify(feature),
      JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
      wkt,
      `SRID=4326;${wkt}`,
      '{"type":"Polygon","coordinates":[[[4,50],[5,50],[5,51]]]}'.replace('[5,51]', '[5,51],[4,50.0]'),
    ]) {
      expect(read(text).area).toEqual({ kind: 'shape', geometry: polygon });
    }
    expect(read(JSON.stringify(feature)).name).toBe('Field');
  });

  it('takes the polygons of a collection within a collection', () => {
    const polygon = { type: 'Polygon', coordinates: [ring] };
    const inner = { type: 'GeometryCollection', geometries: [polygon] };
    const outer = { type: 'GeometryCollection', geometries: [inner] };
    expect(read(JSON.stringify(outer)).area).toEqual({ kind: 'shape', geometry: polygon });
  });

  it('asks for a line or a point as it is', () => {
    expect(read('LINESTRING (4 50, 5 51)').area).toMatchObject({ geometry: { type: 'LineString' } });
    expect(pointOf(read('{"type":"Point","coordinates":[4,50]}'))).toEqual([4, 50]);
  });

  it('reads a side of more than half a turn the short way, and offers the long one', () => {
    const { readings } = readAreaText('POLYGON ((170 0, -170 0, -170 5, 170 5, 170 0))');
    expect(readings).toHaveLength(2);
    expect(readings[0]?.area).toMatchObject({ geometry: { type: 'MultiPolygon' } });
    expect(readings[1]?.words).toMatch(/long way/);
  });

  it('swaps latitude and longitude where only that makes sense', () => {
    const { area, notes } = read('POLYGON ((-33 150, -33 151, -32 151, -33 150))');
    expect(notes.join()).toMatch(/swapped/);
    expect(area).toMatchObject({ geometry: { coordinates: [expect.arrayContaining([[150, -33]])] } });
  });

  it.each([
    ['{"type":"Point","coordinates":[4,50}', { place: 'Line 1, column 36.' }],
    ['{"type":"Polygon","coordinates":[[[1,2]]]}', { why: 'Its “Polygon” has no readable coordinates.' }],
    ['{"type":"Polygon","coordinates":[[[1,2],[3,1e999],[4,4],[1,2]]]}', { why: /no readable coordinates/ }],
    ['{"type":"Topology","objects":{}}', { why: 'It is TopoJSON.' }],
    ['{"rings":[]}', { why: 'It is Esri JSON.' }],
    ['POLYGON ((4 50, 5 50', { why: /bracket is missing/ }],
    ['SRID=3857;POINT (1 2)', { why: /SRID 3857/ }],
    ['POLYGON ((448251 5411932, 448252 5411932, 448252 5411933, 448251 5411932))', { mend: /projected/ }],
    ['POLYGON ((1 1, 2 2, 3 3, 1 1))', { why: /encloses nothing/ }],
    ['GEOMETRYCOLLECTION EMPTY', { why: /no geometry/ }],
  ])('%s: says what is wrong, and where', (text, expected) => {
    const found = refusal(text);
    expect(found['code']).toBe('aoi.unreadable');
    for (const [name, value] of Object.entries(expected)) {
      if (value instanceof RegExp) expect(found[name]).toMatch(value);
      else expect(found[name]).toBe(value);
    }
  });

  it('refuses what is nested or repeated without end', () => {
    expect(refusal(`${'['.repeat(50_000)}1`)['code']).toBe('aoi.unreadable');
    expect(refusal(`{"type":"Polygon","coordinates":${'['.repeat(200_000)}`)['code']).toBe('aoi.too-large');
    expect(refusal(`GEOMETRYCOLLECTION(${'GEOMETRYCOLLECTION('.repeat(500)}`)['code']).toBe('aoi.too-large');
    expect(refusal('1 '.repeat(3_000_000))['code']).toBe('aoi.too-large');
    const many = Array.from({ length: 200_001 }, (_, i) => `[${i / 1e4},${i % 90}]`).join();
    expect(refusal(`{"type":"LineString","coordinates":[${many}]}`)['why']).toMatch(/200,001 vertices/);
  });
});
