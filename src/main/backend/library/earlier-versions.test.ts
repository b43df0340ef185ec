import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Library } from './library.ts';
import { openLibrary } from './open-library.ts';

const folder = new URL('./testing/versions/', import.meta.url);
const versions = readdirSync(folder).filter((name) => name.endsWith('.sqlite.gz'));

it.each(versions)('opens %s as it is now, with all that it holds', async (name) => {
  const library = openVersion(name);
  expect(library.countItems()).toBe(12);
  expect(library.collections()?.value).toEqual([{ id: 'c', title: 'Oblique views' }]);
  expect(library.pastSearches({ limit: 5 })).toMatchObject([{ count: 12, isComplete: true }]);
  const ref = { collectionId: 'c', itemId: 'S2B_31UFS_20260103_3_L2A' };
  const kept = library.item(ref);
  expect(kept).toMatchObject({
    value: { item: { properties: { platform: 'sentinel-2b', 'eo:cloud_cover': 24 } } },
    fetchedAtMs: 1000,
  });
  const cloudy: SearchQuery = { query: { 'eo:cloud_cover': { gte: 80 } }, bbox: [-20, 30, 30, 50] };
  const { items } = await library.engine.search(cloudy, { limit: 10 });
  expect(items.map(({ item }) => item.id)).toEqual([
    'S2B_31UFS_20260102_11_L2A',
    'S2B_31UFS_20260101_10_L2A',
  ]);
  await vi.waitUntil(() => library.findText('31UFS', { limit: 20 }).length === 12, 5000);
  expect(library.findText('oblique 2a 20260104', { limit: 20 })).toEqual([
    { collectionId: 'c', itemId: 'S2B_31UFS_20260104_4_L2A' },
  ]);
  // Seen again, it takes the old one's place everywhere.
  const changed = { id: ref.itemId, collection: 'c', properties: { title: 'Again' } };
  await library.saveItems([{ ref, item: changed }], 2000);
  expect([library.countItems(), library.findText('again', { limit: 5 })]).toEqual([12, [ref]]);
});

it('keeps items without a time behind those of any year, where another mark stood for it', async () => {
  const library = openVersion('library-v12.sqlite.gz', (database) => {
    const mark = database.prepare('UPDATE item SET datetime_us = ? WHERE pk = ?');
    mark.run(Number.MIN_SAFE_INTEGER, 3);
    mark.run(Date.UTC(1582, 9, 15) * 1000, 4);
  });
  const { items } = await library.engine.search({}, { limit: 12 });
  expect(items.slice(-2).map(({ item }) => item.id)).toEqual([
    'S2B_31UFS_20260103_3_L2A',
    'S2B_31UFS_20260102_2_L2A',
  ]);
});

function openVersion(name: string, change: (database: Database.Database) => void = () => undefined): Library {
  const scratch = mkdtempSync(join(tmpdir(), 'swath-version-'));
  const filePath = join(scratch, 'library.sqlite');
  writeFileSync(filePath, gunzipSync(readFileSync(new URL(name, folder))));
  const database = new Database(filePath);
  change(database);
  database.close();
  const library = openLibrary({ filePath });
  onTestFinished(async () => {
    await library.close();
    rmSync(scratch, { recursive: true });
  });
  return library;
}
