import { expect, test } from 'vitest';
import { GrowingIndex } from './growing-index.ts';

/** Unit boxes along a line, one a row. */
function lineOfBoxes(count: number): Float64Array {
  return Float64Array.from({ length: count * 4 }, (_, i) => Math.floor(i / 4) + (i % 4 < 2 ? 0 : 0.5));
}

function rowsIn(index: GrowingIndex, from: number, to: number): number[] {
  const rows: number[] = [];
  index.forEachIn({ minX: from, minY: from, maxX: to, maxY: to }, (row) => rows.push(row));
  return rows.sort((a, b) => a - b);
}

test('what came page by page is found like what came at once, each row once', () => {
  const bounds = lineOfBoxes(2000);
  const index = new GrowingIndex();
  for (let from = 0; from < 2000; from += 250) index.append(bounds, from, from + 250);
  expect(rowsIn(index, 248.7, 251.2)).toEqual([249, 250, 251]);
  expect(rowsIn(index, -1, 3000)).toHaveLength(2000);
});

test('many small pages make few indexes', () => {
  const bounds = lineOfBoxes(20_000);
  const index = new GrowingIndex();
  for (let from = 0; from < 20_000; from += 100) index.append(bounds, from, from + 100);
  expect(index.chunkCount).toBeLessThan(10);
});

test('rows without a place are left out', () => {
  const bounds = lineOfBoxes(3);
  bounds.fill(NaN, 4, 8);
  const index = new GrowingIndex();
  index.append(bounds, 0, 3);
  expect(rowsIn(index, 0, 9)).toEqual([0, 2]);
});
