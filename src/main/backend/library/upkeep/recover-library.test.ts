import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openLibrary } from '../open-library.ts';
import { readDamaged } from './read-damaged.ts';
import { createRecovery } from './recover-library.ts';
import { makeFolder, makeLibrary, withFile } from './testing/fill-library.ts';
import { anItem } from './testing/make-items.ts';
import { unwatched } from './work-watch.ts';

const itemCount = 1500;

async function makeSound(folder: string): Promise<string> {
  const filePath = join(folder, 'library.sqlite');
  await makeLibrary(filePath, [{ collectionId: 'c', from: 0, count: itemCount, fetchedAtMs: 5000 }]);
  const library = openLibrary({ filePath });
  for (let number = 0; number < 20; number += 1) {
    // Pictures are larger than a page.
    const thumbnail = { mediaType: 'image/png', bytes: Buffer.alloc(9000, number) };
    await library.saveThumbnail(anItem('c', number).ref, thumbnail, 5000);
  }
  await library.close();
  return filePath;
}

async function recover(damagedPath: string, folder: string) {
  const library = openLibrary({ filePath: join(folder, 'recovered.sqlite') });
  const recovery = createRecovery(library);
  const outcome = await readDamaged(damagedPath, { onPart: recovery.take, watch: unwatched });
  await library.settle();
  return { library, counts: recovery.counts, ...outcome };
}

function overwrite(filePath: string, at: number, bytes: Buffer): void {
  const file = openSync(filePath, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

it('finds everything where only the header is garbage', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  overwrite(filePath, 0, Buffer.alloc(100, 0xa5));
  expect(() => new Database(filePath).prepare('SELECT 1 FROM item').get()).toThrow();
  const { library, counts, lostItemCount } = await recover(filePath, folder);
  expect(counts).toEqual({ items: itemCount, collections: 1, thumbnails: 20, searches: 1 });
  expect(lostItemCount).toBe(0);
  expect(library.item(anItem('c', 77).ref)).toEqual({ value: anItem('c', 77), fetchedAtMs: 5000 });
  expect(library.thumbnail(anItem('c', 7).ref)?.value.bytes).toEqual(Buffer.alloc(9000, 7));
  expect(library.pastSearches({ limit: 2 })).toMatchObject([
    { count: itemCount, isComplete: true, fetchedAtMs: 5000, query: { collections: ['c'] } },
  ]);
  await library.close();
});

it('brings back the records of imported files, each with its name, and no search with items of others', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  const before = openLibrary({ filePath });
  for (const name of ['one', 'two']) {
    const origin = { fileName: `${name}.csv`, format: 'csv', asOfMs: 4000, importedAtMs: 6000 };
    await before.imports.add(await before.imports.begin(origin), [anItem('own', 1), anItem('c', 2)]);
  }
  const empty = {
    query: { ids: ['none'] },
    localFilter: null,
    matched: 0,
    isComplete: true,
    leftOutCount: 0,
  };
  await before.saveSearch({ ...empty, items: [] }, 7000);
  await before.close();
  overwrite(filePath, 0, Buffer.alloc(100, 0xa5));
  const { library, counts } = await recover(filePath, folder);
  expect(counts.searches).toBe(4);
  const past = library.pastSearches({ limit: 9 });
  // The index of the searches' items holds rows that look like items of searches with small numbers.
  expect(past.map(({ count }) => count)).toEqual([0, 2, 2, itemCount]);
  const names = past.map(({ searchNumber }) => library.imports.ofSearch(searchNumber)?.fileName);
  expect(names).toEqual([undefined, 'two.csv', 'one.csv', undefined]);
  await library.close();
});

it('reads every item where the page is garbage that holds what items are told by', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  const root = withFile(filePath, (database) =>
    Number(database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'item_shape'`).pluck().get()),
  );
  overwrite(filePath, (root - 1) * 4096, Buffer.alloc(4096, 0x77));
  const { library, counts } = await recover(filePath, folder);
  expect(counts.items).toBe(itemCount);
  expect(library.item(anItem('c', 99).ref)?.value).toEqual(anItem('c', 99));
  await library.close();
});

it('finds what lies on the other pages where one in the middle is garbage', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  const size = readFileSync(filePath).length;
  for (const part of [0.3, 0.5, 0.7]) {
    overwrite(filePath, Math.floor((size * part) / 4096) * 4096, Buffer.alloc(4096, 0x5a));
  }
  const { library, counts } = await recover(filePath, folder);
  expect(counts.items).toBeGreaterThan(itemCount * 0.95);
  const page = await library.engine.search({}, { limit: 100 });
  for (const { ref, item } of page.items) expect(anItem('c', Number(ref.itemId.slice(2))).item).toEqual(item);
  // A search of which something is lost no longer proves that all of it is here.
  const [past] = library.pastSearches({ limit: 1 });
  expect(past?.count).toBeLessThan(itemCount);
  expect(past).toMatchObject({ matched: itemCount, isComplete: false });
  await library.close();
});

it('finds what is left of a file that was cut off, and says what is missing', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  const file = openSync(filePath, 'r');
  const { size } = fstatSync(file);
  closeSync(file);
  truncateSync(filePath, Math.floor(size * 0.6));
  const { library, counts, lostItemCount } = await recover(filePath, folder);
  expect(counts.items).toBeGreaterThan(itemCount * 0.4);
  expect(library.countItems()).toBe(counts.items);
  expect(counts.items + lostItemCount).toBeLessThanOrEqual(itemCount);
  await library.close();
});

it('finds what was committed and is still in the journal, and not what was not', async () => {
  const folder = makeFolder();
  const filePath = await makeSound(folder);
  const library = openLibrary({ filePath });
  await library.saveItems([anItem('late', 1)], 6000);
  // As if the program was killed now.
  const [main, journal] = [readFileSync(filePath), readFileSync(`${filePath}-wal`)];
  await library.close();
  const damagedPath = join(folder, 'damaged.sqlite');
  writeFileSync(damagedPath, main);
  writeFileSync(`${damagedPath}-wal`, Buffer.concat([journal, Buffer.alloc(8240, 1)]));
  overwrite(damagedPath, 0, Buffer.alloc(16, 0));
  const found = await recover(damagedPath, folder);
  expect(found.library.item(anItem('late', 1).ref)?.fetchedAtMs).toBe(6000);
  expect(found.counts.items).toBe(itemCount + 1);
  await found.library.close();
});

it('gives nothing, and no error, for a file of noise', async () => {
  const folder = makeFolder();
  const filePath = join(folder, 'noise.sqlite');
  let seed = 7;
  const nextByte = (): number => (seed = (seed * 69_069 + 12_345) % 2 ** 31) >> 16;
  const noise = Buffer.from(Array.from({ length: 400_000 }, nextByte));
  writeFileSync(filePath, noise);
  const { library, counts } = await recover(filePath, folder);
  expect(counts).toEqual({ items: 0, collections: 0, thumbnails: 0, searches: 0 });
  await library.close();
});
