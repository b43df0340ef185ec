import { expect, test } from 'vitest';
import { normaliseAoi } from './normalise-aoi.ts';
import { signedArea } from './rings.ts';

const clockwise = [
  [0, 0],
  [0, 10],
  [10, 10],
  [10, 0],
  [0, 0],
];

test('outer rings run counterclockwise and are closed (RFC 7946)', () => {
  for (const drawn of [clockwise, [...clockwise].reverse()]) {
    const area = normaliseAoi(drawn);
    const [ring = []] = area?.type === 'Polygon' ? area.coordinates : [];
    expect(signedArea(ring.flat())).toBe(100);
    expect(ring).toHaveLength(5);
    expect(ring.at(-1)).toEqual(ring[0]);
  }
});

test('what was drawn in another copy of the world comes home', () => {
  const area = normaliseAoi(clockwise.map(([x = 0, y = 0]) => [x + 720, y]));
  expect(area).toEqual(normaliseAoi(clockwise));
});

test('an area across the antimeridian is cut in two that meet there', () => {
  for (const shift of [0, -360]) {
    const area = normaliseAoi(
      [
        [170, -10],
        [195, -10],
        [195, 5],
        [170, 5],
      ].map(([x = 0, y = 0]) => [x + shift, y]),
    );
    expect(area?.type).toBe('MultiPolygon');
    const spans =
      area?.type === 'MultiPolygon' ? area.coordinates.map(([ring = []]) => ring.map(([x = 0]) => x)) : [];
    expect(spans.map((xs) => [Math.min(...xs), Math.max(...xs)])).toEqual([
      [-180, -165],
      [170, 180],
    ]);
  }
});

test('an area that only touches 180 stays whole', () => {
  const area = normaliseAoi([
    [170, 0],
    [180, 0],
    [180, 5],
    [170, 5],
  ]);
  expect(area?.type).toBe('Polygon');
});

test('refuses what crosses itself, a line and a point', () => {
  const bowTie = [
    [0, 0],
    [10, 10],
    [10, 0],
    [0, 10],
  ];
  expect(normaliseAoi(bowTie)).toBeNull();
  expect(
    normaliseAoi([
      [0, 0],
      [10, 0],
      [0, 0],
    ]),
  ).toBeNull();
  expect(normaliseAoi([[0, 0]])).toBeNull();
});

test('corners put twice by a double click count once', () => {
  const area = normaliseAoi([
    [0, 0],
    [10, 0],
    [10, 0],
    [10, 10],
    [10, 10],
  ]);
  expect(area?.coordinates[0]).toHaveLength(4);
});
