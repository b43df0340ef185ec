import type { Geometry, Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { forEachPosition } from '#shared/stac/bbox.ts';
import { turnOf } from '#shared/geo/open-ring.ts';
import { toRfc7946 } from './rfc7946-geometry.ts';

const clockwise: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
      [0, 0],
    ],
  ],
};

describe('footprints by RFC 7946', () => {
  it('turns outer rings counterclockwise and keeps every number', () => {
    const turned = toRfc7946(clockwise);
    expect(turned).toEqual({
      type: 'Polygon',
      coordinates: [[...(clockwise.coordinates[0] ?? [])].reverse()],
    });
  });

  it('keeps heights and uncut numbers of many digits', () => {
    const ring = [
      [0.123456789012, 0, 7],
      [1, 0, 8],
      [1, 1, 9],
      [0.123456789012, 0, 7],
    ];
    expect(toRfc7946({ type: 'Polygon', coordinates: [ring] })).toEqual({
      type: 'Polygon',
      coordinates: [ring],
    });
  });

  it('cuts a polygon across the antimeridian into two halves', () => {
    const crossing: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [179, 10],
          [-179, 10],
          [-179, 11],
          [179, 11],
          [179, 10],
        ],
      ],
    };
    const cut = toRfc7946(crossing);
    if (cut.type !== 'MultiPolygon') throw new Error(cut.type);
    expect(cut.coordinates).toHaveLength(2);
    for (const [outer = []] of cut.coordinates) {
      const longitudes = outer.map(([longitude = NaN]) => longitude);
      expect(Math.max(...longitudes) - Math.min(...longitudes)).toBe(1);
      expect(turnOf(outer)).toBeGreaterThan(0);
    }
  });

  it('cuts a polygon whose longitudes go on beyond 180', () => {
    const beyond: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [179, 10],
          [181, 10],
          [181, 11],
          [179, 11],
          [179, 10],
        ],
      ],
    };
    const positions: Position[] = [];
    forEachPosition(toRfc7946(beyond), (position) => positions.push(position));
    expect(positions.every(([longitude = NaN]) => Math.abs(longitude) <= 180)).toBe(true);
  });

  it('cuts a line where it crosses', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [178, 0],
        [-178, 4],
      ],
    };
    expect(toRfc7946(line)).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [178, 0],
          [180, 2],
        ],
        [
          [-180, 2],
          [-178, 4],
        ],
      ],
    });
  });

  it('brings points home', () => {
    expect(toRfc7946({ type: 'Point', coordinates: [190, 5] })).toEqual({
      type: 'Point',
      coordinates: [-170, 5],
    });
  });
});
