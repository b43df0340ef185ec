import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { openLibrary } from '../open-library.ts';

function openHere() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-thread-'));
  const filePath = join(folder, 'library.sqlite');
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  const library = openLibrary({ filePath });
  onTestFinished(async () => {
    process.off('worker', note);
    await library.close();
    rmSync(folder, { recursive: true });
  });
  return { library, filePath, workers };
}

function items(prefix: string, count: number): IdentifiedItem[] {
  return Array.from({ length: count }, (_, number) => {
    const itemId = `${prefix}${String(number)}`;
    const properties = { datetime: '2026-01-01T10:00:00Z', platform: 'sentinel-2b' };
    const item = { id: itemId, collection: 'c', bbox: [1, 1, 2, 2], properties };
    return { ref: { collectionId: 'c', itemId }, item };
  });
}

it('says when the thread that writes has ended, tears nothing, and writes with the next one', async () => {
  const { library, filePath, workers } = openHere();
  await library.saveItems(items('before', 10), 1);
  const pages = Array.from({ length: 8 }, (_, page) => items(`lost${String(page)}-`, 1000));
  const saved = pages.map((page) => library.saveItems(page, 2));
  const ended = [saved[0], saved[1]].map(async (one) => {
    await one?.catch(() => undefined);
    // The next batch is being written, or is about to be.
    await workers.at(-1)?.terminate();
  });
  for (const outcome of await Promise.allSettled(saved)) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'internal', retryable: true });
  }
  await Promise.all(ended);

  // The same Items again, in a shape that the thread that ended had been told of.
  await library.saveItems(pages.flat(), 3);
  expect(workers.length).toBeGreaterThan(1);
  expect(library.countItems()).toBe(8010);
  expect(library.item({ collectionId: 'c', itemId: 'lost7-999' })?.value).toEqual(pages[7]?.[999]);
  expect(library.findText('before3', { limit: 5 })).toEqual([{ collectionId: 'c', itemId: 'before3' }]);
  const { items: found } = await library.engine.search({ bbox: [0, 0, 3, 3] }, { limit: 10_000 });
  expect(found).toHaveLength(8010);
  const database = new Database(filePath, { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
});

it('writes items of a known shape though the thread ended while none were written', async () => {
  const { library, workers } = openHere();
  await library.saveItems(items('a', 10), 1);
  await workers[0]?.terminate();
  await library.saveItems(items('b', 10), 2);
  expect(library.countItems()).toBe(20);
  expect(library.item({ collectionId: 'c', itemId: 'b3' })?.value).toEqual(items('b', 10)[3]);
});

it('erases what was forgotten when the program ends, not when the thread does', async () => {
  const { library, filePath, workers } = openHere();
  const count = () => {
    const database = new Database(filePath, { readonly: true });
    const left = database.prepare('SELECT count(*) FROM search').pluck().get();
    database.close();
    return left;
  };
  const ask = (limit: number) =>
    library.saveSearch(
      {
        ...{ query: { limit }, localFilter: null, items: [], leftOutCount: 0 },
        ...{ matched: 0, isComplete: true },
      },
      1,
    );
  await library.forgetSearch(await ask(1));
  expect([library.pastSearches({ limit: 5 }).length, count()]).toEqual([0, 1]);
  await workers.at(-1)?.terminate();
  await library.forgetSearch(await ask(2));
  expect(count()).toBe(2);
  await library.close();
  expect(count()).toBe(0);
});
