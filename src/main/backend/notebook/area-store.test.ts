import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNotebook, type Notebook } from './notebook.ts';

const geometry = {
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

let folder: string;
let notebook: Notebook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-areas-'));
  notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
});

afterEach(() => {
  notebook.close();
  rmSync(folder, { recursive: true });
});

test('areas are there again after the notebook was closed, by name', () => {
  notebook.areas.keep({ name: 'vineyards', geometry }, 1);
  notebook.areas.keep({ name: 'Alps', geometry }, 2);
  notebook.close();
  notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
  const [alps, vineyards] = notebook.areas.list();
  expect([alps?.name, vineyards?.name]).toEqual(['Alps', 'vineyards']);
  expect(alps).toMatchObject({ vertexCount: 3 });
  expect(alps?.areaKm2).toBeCloseTo(16_864, -1);
  expect(notebook.areas.get(alps?.areaId ?? 0)).toEqual({ name: 'Alps', geometry });
});

test('a name is taken once, and what is not there is said to be', () => {
  const areaId = notebook.areas.keep({ name: 'Alps', geometry }, 1);
  const other = notebook.areas.keep({ name: 'Jura', geometry }, 1);
  expect(() => notebook.areas.keep({ name: 'Alps', geometry }, 2)).toThrow(
    expect.objectContaining({ code: 'saved.name-taken', details: { name: 'Alps' } }),
  );
  expect(() => notebook.areas.rename(other, 'Alps')).toThrow(
    expect.objectContaining({ code: 'saved.name-taken' }),
  );
  notebook.areas.rename(other, 'Jura');
  expect(notebook.areas.remove(areaId)).toEqual({ name: 'Alps', geometry });
  for (const gone of [
    () => notebook.areas.get(areaId),
    () => notebook.areas.remove(areaId),
    () => notebook.areas.rename(areaId, 'x'),
  ]) {
    expect(gone).toThrow(expect.objectContaining({ code: 'saved.not-found' }));
  }
});

test('whoever watches is told of each change until they stop', () => {
  let count = 0;
  const stop = notebook.areas.onChange(() => (count += 1));
  const areaId = notebook.areas.keep({ name: 'Alps', geometry }, 1);
  notebook.areas.rename(areaId, 'Jura');
  notebook.areas.remove(areaId);
  stop();
  notebook.areas.keep({ name: 'Alps', geometry }, 1);
  expect(count).toBe(3);
});
