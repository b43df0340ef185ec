import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { openLibrary } from '../open-library.ts';
import { verifyLibrary } from './verify-library.ts';
import { unwatched } from './work-watch.ts';

it.each([
  ['is filed in another place of the map', 'UPDATE item SET cell = 7 WHERE id = ?'],
  ['is filed in no place', 'UPDATE item SET cell = NULL WHERE id = ?'],
  ['has another time than its JSON', 'UPDATE item SET datetime_us = 7 WHERE id = ?'],
])('tells of an item that %s', async (_name, damage) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filePath = join(folder, 'library.sqlite');
  const library = openLibrary({ filePath });
  const items = ['plain', 'crossing', 'astray'].map((id, index) => ({
    ref: { collectionId: 'c', itemId: id },
    item: {
      ...{ id, type: 'Feature', properties: { datetime: '2026-01-01T00:00:00Z' } },
      bbox: id === 'crossing' ? [179, 0, -179, 1] : [index, 0, index + 1, 1],
      geometry: { type: 'Point', coordinates: id === 'astray' ? [90, 45] : [index + 0.5, 0.5] },
    },
  }));
  await library.saveItems(items, 1000);
  await library.close();
  const database = openDatabase(filePath);
  onTestFinished(() => void database.close());
  const verify = () => verifyLibrary(database, { isThorough: true, watch: unwatched }).problems;
  expect(verify()).toEqual([]);
  database.prepare(damage).run('astray');
  expect(verify()).toEqual([{ kind: 'wrong-column', count: 1, example: 'astray' }]);
});
