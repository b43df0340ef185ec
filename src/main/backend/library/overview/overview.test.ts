import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from '../library.ts';
import { openLibrary } from '../open-library.ts';

let folder: string;
let library: Library;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-overview-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

const item = (
  collectionId: string,
  itemId: string,
  { day, bbox }: { day: string | null; bbox?: number[] },
): IdentifiedItem => ({
  ref: { collectionId, itemId },
  item: { id: itemId, properties: { datetime: day && `${day}T00:00:00Z` }, ...(bbox ? { bbox } : {}) },
});

it('tells what is kept of each collection, when it was taken and when it was fetched', async () => {
  await library.saveItems(
    [
      item('a', '1', { day: '2026-01-01', bbox: [10, 46, 11, 47] }),
      item('a', '2', { day: '2026-01-31', bbox: [10.5, 46, 11.4, 47] }),
      item('b', '1', { day: null }),
    ],
    1000,
  );
  await library.saveItems(
    [
      { ...item('a', '3', { day: '2026-01-31', bbox: [170, -10, -170, 0] }), isPartial: true },
      item('a', '1', { day: '2026-01-01', bbox: [10, 46, 11, 47] }),
    ],
    5000,
  );
  await library.saveThumbnail(
    { collectionId: 'a', itemId: '1' },
    { mediaType: 'image/png', bytes: Buffer.from('x') },
    5000,
  );
  const overview = await library.overview();
  expect(overview).toMatchObject({
    itemCount: 4,
    firstMicros: Date.UTC(2026, 0, 1) * 1000,
    lastMicros: Date.UTC(2026, 0, 31) * 1000,
  });
  const [a, b] = overview.collections;
  expect(a).toMatchObject({
    collectionId: 'a',
    itemCount: 3,
    partialCount: 1,
    pictureCount: 1,
    oldestFetchMs: 1000,
    newestFetchMs: 5000,
  });
  expect(a?.timeCounts.at(0)).toBe(1);
  expect(a?.timeCounts.at(-1)).toBe(2);
  expect(b).toMatchObject({ collectionId: 'b', itemCount: 1, firstMicros: null, lastMicros: null });
  expect(overview.cells).toEqual([
    { west: 10, south: 46, count: 2 },
    // Across the antimeridian: its middle is there.
    { west: -180, south: -6, count: 1 },
  ]);
});

it('is empty where nothing is kept', async () => {
  expect(await library.overview()).toEqual({
    itemCount: 0,
    collections: [],
    firstMicros: null,
    lastMicros: null,
    cells: [],
  });
});
