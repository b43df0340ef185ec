import { describe, expect, it } from 'vitest';
import { mgrsTileAt } from './mgrs.ts';
import { isLandAt } from './land.ts';
import { sunPositionAt } from './sun.ts';
import { fromUtm, toUtm, utmZoneAt } from './utm.ts';
import { toFootprint } from './footprint.ts';

describe('UTM', () => {
  it('puts the central meridian at 500 km and the equator at 0', () => {
    expect(toUtm({ number: 31, isSouth: false }, 3, 0)).toEqual([
      expect.closeTo(500_000, 3),
      expect.closeTo(0, 3),
    ]);
    expect(toUtm({ number: 56, isSouth: true }, 153, 0)[1]).toBeCloseTo(10_000_000, 3);
  });

  it('gives published coordinates of a known place', () => {
    // The Eiffel tower.
    const [easting, northing] = toUtm({ number: 31, isSouth: false }, 2.294481, 48.85837);
    expect(easting).toBeCloseTo(448_252, -1);
    expect(northing).toBeCloseTo(5_411_955, -2);
  });

  it.each([
    [2.35, 48.86],
    [-179.7, 66.1],
    [151.2, -33.9],
    [7.9, 61.2],
  ])('comes back to %s, %s', (lon, lat) => {
    const zone = utmZoneAt(lon, lat);
    const [backLon, backLat] = fromUtm(zone, ...toUtm(zone, lon, lat));
    expect(backLon).toBeCloseTo(lon, 7);
    expect(backLat).toBeCloseTo(lat, 7);
  });
});

describe('tiles', () => {
  it.each([
    ['Toulouse', 1.2, 43.7, '31TCJ'],
    ['Paris', 2.35, 48.86, '31UDQ'],
    ['Dijon', 5.04, 48.2, '31UFP'],
    ['New York', -74, 40.7, '18TWL'],
    ['Sydney', 151.2, -33.87, '56HLH'],
    ['Berlin', 13.4, 52.5, '33UUU'],
    ['Oslo', 10.75, 59.91, '32VNM'],
    ['Stavanger, in the widened zone', 5.73, 58.97, '32VLL'],
  ])('names the tile of %s', (_, lon, lat, name) => {
    expect(mgrsTileAt(lon, lat)?.name).toBe(name);
  });

  it('puts the corner where the real tiles have it', () => {
    expect(mgrsTileAt(1.2, 43.7)?.upperLeftM).toEqual([300_000, 4_900_020]);
  });

  it('has none near the poles', () => {
    expect(mgrsTileAt(0, 84.5)).toBeNull();
    expect(mgrsTileAt(0, -80.5)).toBeNull();
  });
});

describe('the sun', () => {
  it('stands overhead at noon of an equinox on the equator', () => {
    expect(sunPositionAt(Date.UTC(2026, 2, 20, 12, 7), 0, 0).elevation).toBeGreaterThan(89);
  });

  it('rises in the east and is south at noon in the north', () => {
    expect(sunPositionAt(Date.UTC(2026, 5, 21, 6), 0, 48).azimuth).toBeCloseTo(74, -1);
    expect(sunPositionAt(Date.UTC(2026, 5, 21, 12, 2), 0, 48)).toEqual({
      elevation: expect.closeTo(65.4, 0) as number,
      azimuth: expect.closeTo(180, -1) as number,
    });
  });

  it('stays below the horizon in the polar night', () => {
    expect(sunPositionAt(Date.UTC(2026, 11, 21, 12), 0, 80).elevation).toBeLessThan(0);
  });
});

describe('land', () => {
  it.each([
    ['Dijon', 5.04, 47.3, true],
    ['the Sahara', 10, 25, true],
    ['the Atlantic', -30, 40, false],
    ['the Bay of Biscay', -4, 45.5, false],
    ['the Caspian sea', 51, 41.5, false],
    ['Tasmania', 146.5, -42, true],
    ['Chukotka before the antimeridian', 178.5, 67.5, true],
    ['Chukotka behind the antimeridian', -175, 66.8, true],
    ['the sea between Greenland and Norway', -5, 67.5, false],
    ['Lapland', 22, 67.5, true],
    ['Alaska', -152, 66, true],
    ['Antarctica', 20, -80, true],
  ])('knows %s', (_, lon, lat, isLand) => {
    expect(isLandAt(lon, lat)).toBe(isLand);
  });
});

describe('footprints', () => {
  it('are cut in two at the antimeridian, counterclockwise, with west greater than east', () => {
    const { geometry, bbox } = toFootprint([
      [179, 10],
      [179, 12],
      [182, 12],
      [182, 10],
    ]);
    expect(bbox).toEqual([179, 10, -178, 12]);
    expect(geometry.type).toBe('MultiPolygon');
    const rings = geometry.coordinates.flat() as number[][][];
    expect(
      rings.map((ring) => [Math.min(...ring.map(([x = 0]) => x)), Math.max(...ring.map(([x = 0]) => x))]),
    ).toEqual([
      [179, 180],
      [-180, -178],
    ]);
    for (const ring of rings) {
      expect(ring[0]).toEqual(ring.at(-1));
      const area = ring
        .slice(1)
        .reduce((sum, [x = 0, y = 0], i) => sum + ((ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0)), 0);
      expect(area).toBeGreaterThan(0);
    }
  });

  it('are cut at the western side as well', () => {
    const { bbox } = toFootprint([
      [-181, 0],
      [-179, 0],
      [-179, 1],
      [-181, 1],
    ]);
    expect(bbox).toEqual([179, 0, -179, 1]);
  });
});
