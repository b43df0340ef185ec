import { expect, test } from 'vitest';
import placesText from '../../../../resources/basemap/places.json?raw';
import { placeLabels, type Place, type PlacedLabel } from './place-labels.ts';

const measure = (text: string): number => text.length * 6;
const places = JSON.parse(placesText) as Place[];

function extent({ text, x, y, align }: PlacedLabel): [left: number, right: number, y: number] {
  const width = measure(text);
  if (align === 'center') return [x - width / 2, x + width / 2, y];
  return align === 'left' ? [x, x + 6 + width, y] : [x - 6 - width, x, y];
}

test('no label covers another at any zoom', () => {
  for (const zoom of [2, 3, 4, 5, 6, 8]) {
    const labels = placeLabels({ places, countries: [] }, zoom, measure).map(extent);
    const covered = labels.filter(([left, right, y], i) =>
      labels.slice(i + 1).some((other) => Math.abs(y - other[2]) < 12 && left < other[1] && right > other[0]),
    );
    expect(covered).toEqual([]);
  }
});

test('closer in, more names; the known ones from far away', () => {
  const counts = [2.5, 4, 5, 6, 8].map(
    (zoom) => placeLabels({ places, countries: [] }, zoom, measure).length,
  );
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  const far = placeLabels({ places, countries: [] }, 2.5, measure).map(({ text }) => text);
  expect(far).toContain('Cairo');
  expect(far).not.toContain('Dijon');
  expect(placeLabels({ places, countries: [] }, 7, measure).map(({ text }) => text)).toContain('Dijon');
});

test('a name without room on the right goes to the left of its dot', () => {
  const pair: Place[] = [
    ['First', 10, 45, 1],
    ['Second', 9.9, 45, 2],
  ];
  const labels = placeLabels({ places: pair, countries: [] }, 8, measure);
  expect(labels.map(({ text, align }) => [text, align])).toEqual([
    ['First', 'left'],
    ['Second', 'right'],
  ]);
});

test('a country whose name is wider than it is has none', () => {
  const countries = [
    { name: 'Wide', x: 0.5, y: 0.5, width: 0.2 },
    { name: 'Narrow', x: 0.7, y: 0.5, width: 0.0001 },
  ];
  expect(placeLabels({ places: [], countries }, 4, measure).map(({ text }) => text)).toEqual(['Wide']);
});

test('every bundled place is one', () => {
  expect(places.length).toBeGreaterThan(250);
  for (const [name, longitude, latitude, rank] of places) {
    expect(name).not.toBe('');
    expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    expect(Math.abs(latitude)).toBeLessThanOrEqual(85);
    expect([1, 2, 3, 4]).toContain(rank);
  }
});
