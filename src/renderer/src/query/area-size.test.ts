import { describe, expect, it } from 'vitest';
import { areaOfBbox, areaOfGeometry, countVertices } from './area-size.ts';

function box(west: number, south: number, east: number, north: number): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

describe('area on the sphere', () => {
  it('knows the whole Earth', () => {
    expect(areaOfBbox([-180, -90, 180, 90])).toBeCloseTo(510_065_600, -4);
  });

  it('is the same for a box and its polygon along the equator', () => {
    const polygon = { type: 'Polygon' as const, coordinates: [box(0, 0, 1, 1)] };
    expect(areaOfGeometry(polygon)).toBeCloseTo(12_364, -1);
    expect(areaOfBbox([0, 0, 1, 1])).toBeCloseTo(12_364, -1);
  });

  it('does not care which way a ring goes round', () => {
    const forward = areaOfGeometry({ type: 'Polygon', coordinates: [box(4, 46, 6, 48)] });
    const backward = areaOfGeometry({ type: 'Polygon', coordinates: [box(4, 46, 6, 48).reverse()] });
    expect(backward).toBeCloseTo(forward, 6);
  });

  it('takes holes off and adds several polygons', () => {
    const [outer, hole] = [box(0, 0, 2, 2), box(0.5, 0.5, 1, 1)];
    const whole = areaOfGeometry({ type: 'Polygon', coordinates: [outer] });
    const holed = areaOfGeometry({ type: 'Polygon', coordinates: [outer, hole] });
    expect(holed).toBeLessThan(whole);
    expect(areaOfGeometry({ type: 'MultiPolygon', coordinates: [[outer], [outer]] })).toBeCloseTo(
      2 * whole,
      6,
    );
  });

  it('adds both sides of the antimeridian', () => {
    expect(areaOfBbox([179, 0, -179, 1])).toBeCloseTo(areaOfBbox([0, 0, 2, 1]), 6);
  });

  it('counts corners without the one that closes', () => {
    expect(countVertices({ type: 'Polygon', coordinates: [box(0, 0, 1, 1)] })).toBe(4);
  });
});
