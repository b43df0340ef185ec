import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '#shared/stac/json.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from '../library.ts';
import { openLibrary } from '../open-library.ts';

function openHere(folder = mkdtempSync(join(tmpdir(), 'swath-text-'))): Library {
  const library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  onTestFinished(async () => {
    await library.close();
    rmSync(folder, { recursive: true });
  });
  return library;
}

function anItem(itemId: string, properties: JsonObject, collectionId = 'c'): IdentifiedItem {
  return { ref: { collectionId, itemId }, item: { id: itemId, collection: collectionId, properties } };
}

function find(library: Library, text: string, limit = 10): string[] {
  return library.findText(text, { limit }).map(({ itemId }) => itemId);
}

const older = anItem('S2A_31UFS_20250101_0_L2A', {
  datetime: '2025-01-01T10:00:00Z',
  platform: 'sentinel-2a',
  title: 'Dünkirchen im Winter',
});
const newer = anItem('S2B_31UFS_20260101_0_L2A', { datetime: '2026-01-01T10:00:00Z', instruments: ['msi'] });
const other = anItem('LC09_L2SP_198025', { datetime: '2026-02-01T10:00:00Z' }, 'landsat-c2');

it('finds items by parts of their ids and by what their properties say, most recent first', async () => {
  const library = openHere();
  await library.saveItems([older, newer, other], 1);
  const [a, b] = [older.ref.itemId, newer.ref.itemId];
  expect(find(library, '31UFS')).toEqual([b, a]);
  expect(find(library, 'S2B 31UFS')).toEqual([b]);
  expect(find(library, '31ufs s2a')).toEqual([a]);
  expect(find(library, 'sentinel 2A')).toEqual([a]);
  expect(find(library, 'dunkirchen')).toEqual([a]);
  expect(find(library, 'MSI')).toEqual([b]);
  expect(find(library, 'S2B LC09')).toEqual([]);
  expect(find(library, '31UFS', 1)).toEqual([b]);
});

it('takes the last word for a beginning, and no other', async () => {
  const library = openHere();
  await library.saveItems([older, newer], 1);
  expect(find(library, '31UFS 2026')).toEqual([newer.ref.itemId]);
  expect(find(library, '2026 31UF')).toEqual([]);
});

it('finds an item that comes twice at once by what it says at last', async () => {
  const library = openHere();
  const saying = (title: string, datetime: string) => anItem('renamed', { datetime, title });
  const [first, last] = [
    saying('harbour', '2026-01-01T10:00:00Z'),
    saying('estuary', '2026-01-03T10:00:00Z'),
  ];
  await library.saveItems([first, older, last, newer], 1);
  expect(find(library, 'harbour')).toEqual([]);
  expect(find(library, 'estuary')).toEqual(['renamed']);
  await library.saveItems([first, last, first], 2);
  expect(find(library, 'harbour')).toEqual(['renamed']);
  expect(find(library, 'estuary')).toEqual([]);
});

it('finds the items of a collection by what is said of it', async () => {
  const library = openHere();
  await library.saveItems([older, other], 1);
  await library.saveCollections(
    [{ id: 'landsat-c2', title: 'Landsat', description: 'Oblique views', keywords: ['NASA'] }],
    1,
  );
  for (const text of ['landsat oblique', 'nasa LC09', 'views 198025', 'obli'])
    expect(find(library, text)).toEqual([other.ref.itemId]);
  expect(find(library, 'oblique 31UFS')).toEqual([]);
});

it('finds the tile in a product name without its letter', async () => {
  const library = openHere();
  const item = anItem('S2B_MSIL2A_20260101T103629_R008_T31UFS_20260101T120000', {});
  await library.saveItems([item], 1);
  expect(find(library, '31ufs')).toEqual([item.ref.itemId]);
  expect(find(library, 'T31UFS')).toEqual([item.ref.itemId]);
});

it('follows items that change, and forgets what they were', async () => {
  const library = openHere();
  await library.saveItems([older], 1);
  const changed = { ...older, item: { ...older.item, properties: { datetime: null, title: 'Spring' } } };
  await library.saveItems([changed], 2);
  expect([find(library, 'winter'), find(library, 'spring')]).toEqual([[], [older.ref.itemId]]);
  await library.saveItems([{ ...older, isPartial: true }], 3);
  expect(find(library, 'winter')).toEqual([]);
});

it('orders items of one hour by their minutes', async () => {
  const library = openHere();
  const items = Array.from({ length: 30 }, (_, number) =>
    anItem(`n${String(number)}`, {
      datetime: `2026-01-01T10:${String((number * 7) % 60).padStart(2, '0')}:00Z`,
      platform: 'one',
    }),
  );
  await library.saveItems(items, 1);
  const newest = items
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .map(({ ref }) => ref.itemId)
    .slice(0, 5);
  expect(find(library, 'one', 5)).toEqual(newest);
});

it.each([
  '',
  '   ',
  '"',
  '""',
  'a"b',
  "it's",
  '*',
  'S2B*',
  'NOT 31UFS',
  'S2B OR',
  'AND',
  'NEAR(a b)',
  'words:S2B',
  '-S2B',
  '^S2B',
  '{S2B}',
  '😀',
  '\ud800',
  '\u0000',
  '\u{E000}1',
  'e\u0301te\u0301',
  '日本語',
  'ﷺ',
  '𞤀𞤁',
  'क्षि',
  'x'.repeat(100_000),
  'a '.repeat(10_000),
])('takes %j for what it is', async (text) => {
  const library = openHere();
  await library.saveItems([older], 1);
  expect(Array.isArray(library.findText(text, { limit: 10 }))).toBe(true);
});

function timeOf({ item }: IdentifiedItem): string {
  return (item['properties'] as { datetime: string }).datetime;
}

it('looks through few pieces after a pause, however often something was written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-text-'));
  const library = openHere(folder);
  for (let number = 0; number < 20; number++) {
    const datetime = `2025-02-${String(number + 1).padStart(2, '0')}T10:00:00Z`;
    await library.saveItems([anItem(`A${String(number)}`, { datetime, platform: 'skysight' })], 1);
  }
  await library.saveItems([anItem('A7', { datetime: '2025-03-01T10:00:00Z', platform: 'other' })], 2);
  const database = new Database(join(folder, 'library.sqlite'), { readonly: true });
  const countPieces = database.prepare<[], number>('SELECT count(DISTINCT segid) FROM item_text_idx').pluck();
  const before = countPieces.get() ?? 0;
  const found = find(library, 'skysight', 30);
  await library.catchUp();
  expect([before > 3, countPieces.get()]).toEqual([true, 1]);
  database.close();
  expect(found).toHaveLength(19);
  expect(find(library, 'skysight', 30)).toEqual(found);
  expect(find(library, 'other')).toEqual(['A7']);
});
