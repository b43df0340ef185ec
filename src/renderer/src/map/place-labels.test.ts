import { expect, test } from 'vitest';
import { PlaceLabels, type MapNames, type Place, type PlacedLabel } from './place-labels.ts';

const measure = (text: string): number => text.length * 6;
const world = { minX: 0, minY: 0, maxX: 1, maxY: 1 };

/** A few thousand places in a crowd, none of them aware of the others. */
const crowd = Array.from({ length: 3000 }, (_, i): Place => {
  const longitude = ((i * 7919) % 3600) / 10 - 180;
  const latitude = ((i * 104729) % 1500) / 10 - 75;
  return [`Place ${i}`, longitude, latitude, 2 + (i % 12) / 2, 0];
});

function place(names: Partial<MapNames>, zoom: number, box = world): PlacedLabel[] {
  return new PlaceLabels({ places: [], countries: [], ...names }, zoom, measure).labelsIn(box);
}

function extent({ text, x, y, align }: PlacedLabel): [left: number, right: number, y: number] {
  const width = measure(text);
  if (align === 'center') return [x - width / 2, x + width / 2, y];
  return align === 'left' ? [x, x + 6 + width, y] : [x - 6 - width, x, y];
}

function findCovered(labels: readonly PlacedLabel[]): unknown[] {
  const extents = labels.map(extent);
  return extents.filter(([left, right, y], i) =>
    extents.slice(i + 1).some((other) => Math.abs(y - other[2]) < 12 && left < other[1] && right > other[0]),
  );
}

test('no label covers another at any zoom', () => {
  for (const zoom of [2, 3, 4, 5.25, 7]) expect(findCovered(place({ places: crowd }, zoom))).toEqual([]);
});

test('labels stay where they are when others come into view, and cover none of them', () => {
  const labels = new PlaceLabels({ places: crowd, countries: [] }, 5, measure);
  const before = labels.labelsIn({ minX: 0.4, minY: 0.3, maxX: 0.5, maxY: 0.4 });
  const after = labels.labelsIn({ minX: 0.3, minY: 0.2, maxX: 0.6, maxY: 0.5 });
  expect(before.length).toBeGreaterThan(5);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(findCovered(after)).toEqual([]);
});

test('a place is shown from its zoom on', () => {
  const places: Place[] = [
    ['Far', 10, 45, 2, 1],
    ['Near', 60, 45, 6, 0],
  ];
  expect(place({ places }, 5.75).map(({ text }) => text)).toEqual(['Far']);
  expect(place({ places }, 6).map(({ text }) => text)).toEqual(['Far', 'Near']);
});

test('the next copy of the world has the same labels', () => {
  const places: Place[] = [['Suva', 178.44, -18.14, 2, 1]];
  const [label] = place({ places }, 4, { minX: -0.1, minY: 0.4, maxX: 0.05, maxY: 0.6 });
  expect(label?.x).toBeCloseTo((178.44 / 360 + 0.5 - 1) * 4096, 0);
});

test('a name without room on the right goes to the left of its dot', () => {
  const places: Place[] = [
    ['First', 10, 45, 2, 0],
    ['Second', 9.9, 45, 2, 0],
  ];
  expect(place({ places }, 8).map(({ text, align }) => [text, align])).toEqual([
    ['First', 'left'],
    ['Second', 'right'],
  ]);
});

test('a country whose name is wider than it is has none', () => {
  const countries = [
    { name: 'Wide', x: 0.5, y: 0.5, width: 0.2 },
    { name: 'Narrow', x: 0.7, y: 0.5, width: 0.0001 },
  ];
  expect(place({ countries }, 4).map(({ text }) => text)).toEqual(['Wide']);
});
