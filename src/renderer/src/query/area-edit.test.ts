import { expect, test } from 'vitest';
import { fromEditable, insertAfter, nudge, toEditable } from './area-edit.ts';
import { boxAroundPoint } from './box-around-point.ts';

const polygon = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [4, 46],
      [6, 46],
      [6, 48],
      [4, 46],
    ],
  ],
};

test('an area comes back from its table as it was', () => {
  expect(fromEditable(toEditable(polygon))).toEqual(polygon);
  expect(fromEditable(toEditable({ type: 'Point', coordinates: [4, 46] }))).toEqual({
    type: 'Point',
    coordinates: [4, 46],
  });
});

test('a number that is none makes no area', () => {
  const [ring] = toEditable(polygon);
  if (!ring) throw new Error('a ring expected');
  for (const latitude of ['', 'x', '91']) {
    const corners = ring.corners.toSpliced(0, 1, { latitude, longitude: '4' });
    expect(fromEditable([{ ...ring, corners }])).toBeNull();
  }
});

test('a corner is added halfway, and longitudes beyond 180 are cut for the catalog', () => {
  const [ring] = toEditable(polygon);
  if (!ring) throw new Error('a ring expected');
  expect(insertAfter(ring.corners, 0)[1]).toEqual({ latitude: '46', longitude: '5' });
  const far = ring.corners.map(({ latitude, longitude }) => ({
    latitude,
    longitude: String(Number(longitude) + 175),
  }));
  expect(fromEditable([{ ...ring, corners: far }])?.type).toBe('MultiPolygon');
});

test('moving by kilometres moves all corners alike', () => {
  const [ring] = nudge(toEditable(polygon), { eastKm: 0, northKm: 111.195 });
  expect(ring?.corners[0]).toEqual({ latitude: '47', longitude: '4' });
});

test('a box around a point is as wide as it is high, and may cross the antimeridian', () => {
  const [west, south, east, north] = boxAroundPoint(5, 60, 222.39);
  expect(north - south).toBeCloseTo(2, 3);
  expect(east - west).toBeCloseTo(4, 2);
  const [over, , under] = boxAroundPoint(179.9, 0, 100);
  expect(over).toBeGreaterThan(under);
  expect(boxAroundPoint(0, 89.9, 100).slice(0, 3)).toEqual([-180, expect.any(Number), 180]);
});
