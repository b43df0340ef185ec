import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { openLibrary } from '../open-library.ts';
import { createRandom, oddItem } from '../search/testing/odd-items.ts';
import { blockSize } from './column-chunk.ts';
import { ColumnWriter } from './column-writer.ts';

const random = createRandom(5);

// A few more than a block holds: then it is known to be full.
function itemsOfOneBlock(): IdentifiedItem[] {
  return Array.from({ length: blockSize + 50 }, (_, number) => {
    const one = oddItem(number, random);
    if (number % 100 === 3) return { ...one, isPartial: true };
    if (number % 100 !== 7) return one;
    const signed = `https://data.example/a.tif?X-Amz-Signature=${'a'.repeat(64)}&X-Amz-Expires=60`;
    const properties = { ...(one.item['properties'] as object), derived: signed };
    return { ...one, item: { ...one.item, properties } };
  });
}

function openHere() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-gathering-'));
  const filePath = join(folder, 'library.sqlite');
  const library = openLibrary({ filePath });
  const database = new Database(filePath);
  onTestFinished(async () => {
    database.close();
    await library.close();
    rmSync(folder, { recursive: true });
  });
  return { library, database };
}

function readChunks(database: Database.Database): Map<string, string> {
  const rows = database
    .prepare<[], [string, Buffer]>(
      `SELECT name, chunk FROM column_chunk JOIN column_name ON column_name.pk = key >> 32
       WHERE key & 0xffffffff = 0 ORDER BY name`,
    )
    .raw()
    .all();
  return new Map(rows.map(([name, chunk]) => [name, chunk.toString('hex')]));
}

it('writes the columns of a block while it fills as reading its items again would', async () => {
  const { library, database } = openHere();
  const items = itemsOfOneBlock();
  const covered = database.prepare<[], number>('SELECT covered_pk FROM column_block WHERE block = 0').pluck();
  await library.saveItems(items.slice(0, 3000), 1);
  expect(covered.get()).toBe(-1);
  // What a pause brings, by what was put so far.
  await library.catchUp();
  expect(covered.get()).toBe(3000);
  await library.saveItems(items.slice(3000, 5000), 1);
  await library.saveItems(items.slice(5000), 1);
  // At once, not in a pause.
  expect(covered.get()).toBe(blockSize - 1);
  const gathered = readChunks(database);
  expect(gathered.size).toBeGreaterThan(10);
  expect(gathered.get('properties.derived')).toBeDefined();

  database.exec('DELETE FROM column_chunk; DELETE FROM column_block');
  expect(new ColumnWriter(database).foldFor({ maxMs: Infinity, wholeBlocksOnly: true })).toBe(true);
  const again = readChunks(database);
  expect([...gathered.keys()]).toEqual([...again.keys()]);
  const different = [...gathered].filter(([name, chunk]) => again.get(name) !== chunk);
  expect(different.map(([name]) => name)).toEqual([]);
}, 60_000);

it('knows of items that changed or were evicted before their block was full', async () => {
  const { library, database } = openHere();
  const items = itemsOfOneBlock().map(({ ref, item }) => ({ ref, item }));
  await library.saveItems(items.slice(0, 5000), 1);
  const changed = items.slice(10, 20).map(({ ref, item }) => {
    const properties = { datetime: '2031-05-05T00:00:00Z', mark: 'changed' };
    return { ref, item: { ...item, properties } };
  });
  await library.saveItems(changed, 2);
  database.pragma('foreign_keys = ON');
  const [evicted] = items;
  database.prepare('DELETE FROM item WHERE id = ?').run(evicted?.ref.itemId);
  await library.saveItems(items.slice(5000), 3);

  const { items: newest } = await library.engine.search({}, { limit: 10 });
  expect(newest.map(({ ref }) => ref.itemId)).toEqual(changed.map(({ ref }) => ref.itemId).toSorted());
  expect(await library.engine.count({}, { maxCandidates: 0 })).toBe(items.length - 1);
  await library.catchUp();
  expect(await library.engine.count({}, { maxCandidates: 0 })).toBe(items.length - 1);
  const { items: still } = await library.engine.search(
    { datetime: '2031-01-01T00:00:00Z/..' },
    { limit: 50 },
  );
  expect(still).toHaveLength(changed.length);
}, 60_000);

it('finds an item that was given the number of one that was evicted', async () => {
  const { library, database } = openHere();
  const items = itemsOfOneBlock().map(({ ref, item }) => ({ ref, item }));
  const added = items.splice(-1);
  await library.saveItems(items, 1);
  database.pragma('foreign_keys = ON');
  // The full block loses its end while others follow it, and then these.
  const left = blockSize - 9;
  database.prepare('DELETE FROM item WHERE pk BETWEEN ? AND ?').run(left, blockSize - 1);
  await library.catchUp();
  database.prepare('DELETE FROM item WHERE pk >= ?').run(blockSize);
  await library.catchUp();
  await library.saveItems(added, 2);
  expect(database.prepare('SELECT max(pk) FROM item').pluck().get()).toBe(left);
  expect(await library.engine.count({}, { maxCandidates: 0 })).toBe(left);
}, 60_000);

it('finds what another program added while a block was gathered', async () => {
  const { library, database } = openHere();
  const items = itemsOfOneBlock();
  const others = items.slice(3000, 3020);
  await library.saveItems(items.slice(0, 3000), 1);
  const other = openLibrary({ filePath: database.name });
  onTestFinished(() => other.close());
  await other.saveItems(others, 1);
  await library.saveItems(items.slice(3020), 1);
  await library.catchUp();
  for (const { ref } of others.slice(0, 3)) {
    const { items: found } = await library.engine.search({ ids: [ref.itemId] }, { limit: 10 });
    expect(found).toHaveLength(1);
  }
  expect(await library.engine.count({}, { maxCandidates: 0 })).toBe(items.length);
}, 60_000);

it.each(['before', 'after'])(
  'finds what changed while two programs caught up, and %s the second of them was done',
  async (when) => {
    const { library, database } = openHere();
    const items = itemsOfOneBlock().slice(0, 500);
    await library.saveItems(items, 1);
    database.exec('DELETE FROM column_chunk; DELETE FROM column_block; DELETE FROM column_stale');
    const steps = new ColumnWriter(database).catchUp({ wholeBlocksOnly: false });
    for (let count = 0; count < 5; count++) steps.next();
    const changed = items.slice(0, 3).map(({ ref, item }) => {
      const properties = { datetime: '2031-05-05T00:00:00Z' };
      return { ref, item: { ...item, properties } };
    });
    const other = new Database(database.name);
    onTestFinished(() => void other.close());
    if (when === 'before') await library.saveItems(changed, 2);
    new ColumnWriter(other).foldFor({ maxMs: Infinity, wholeBlocksOnly: false });
    if (when === 'after') await library.saveItems(changed, 2);
    while (steps.next().done !== true);
    const question = { datetime: '2031-01-01T00:00:00Z/..' };
    expect(await library.engine.count(question, { maxCandidates: 0 })).toBe(changed.length);
  },
);

it('is done with all when it was begun with whole blocks alone', async () => {
  const { library, database } = openHere();
  await library.saveItems(itemsOfOneBlock(), 1);
  database.exec('DELETE FROM column_chunk; DELETE FROM column_block; DELETE FROM column_stale');
  const writer = new ColumnWriter(database);
  expect(writer.foldFor({ maxMs: 1, wholeBlocksOnly: true })).toBe(false);
  while (!writer.foldFor({ maxMs: 1000, wholeBlocksOnly: false }));
  const covered = database.prepare('SELECT covered_pk FROM column_block ORDER BY block').pluck().all();
  expect(covered).toEqual([blockSize - 1, blockSize + 50]);
});
