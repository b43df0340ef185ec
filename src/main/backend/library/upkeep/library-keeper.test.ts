import {
  existsSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import type { Library } from '../library.ts';
import { LibraryKeeper } from './library-keeper.ts';
import { makeFolder, makeLibrary, withFile } from './testing/fill-library.ts';
import { anItem } from './testing/make-items.ts';
import { verifyLibrary } from './verify-library.ts';
import { unwatched } from './work-watch.ts';

function keep(filePath: string): LibraryKeeper {
  const keeper = new LibraryKeeper({ filePath, clock: systemClock, logger: silentLogger });
  onTestFinished(() => keeper.close());
  return keeper;
}

async function makeSound(count = 500): Promise<string> {
  const filePath = join(makeFolder(), 'library-x.sqlite');
  await makeLibrary(filePath, [{ collectionId: 'c', from: 0, count, fetchedAtMs: 5000 }]);
  return filePath;
}

function overwrite(filePath: string, at: number, bytes: Buffer): void {
  const file = openSync(filePath, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

function exchange(keeper: LibraryKeeper, swap: (filePath: string) => string): Promise<void> {
  return keeper.hold(async (held) => {
    await held.endThreads();
    held.exchange(swap);
  });
}

async function untilRecovered(keeper: LibraryKeeper): Promise<void> {
  await eventually(() => expect(keeper.status.recovery?.fraction).toBe(1));
}

it.each([
  ['garbage in the header', (path: string) => overwrite(path, 0, Buffer.alloc(100, 0xff))],
  ['a first page of zeros', (path: string) => overwrite(path, 0, Buffer.alloc(4096))],
  ['a cut', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size * 0.8))],
])('starts with %s, puts the file aside and brings back what can be read', async (_name, damage) => {
  const filePath = await makeSound();
  damage(filePath);
  const damaged = readFileSync(filePath);
  const keeper = keep(filePath);
  // A window can work with it at once.
  await keeper.library.saveItems([anItem('new', 1)], 9000);
  await untilRecovered(keeper);
  const { recovery } = keeper.status;
  expect(recovery?.counts.items).toBeGreaterThan(300);
  expect(keeper.library.countItems()).toBe((recovery?.counts.items ?? 0) + 1);
  expect(recovery?.damagedPath).toMatch(/library-x\.damaged-\d{4}-\d\d-\d\d-\d{6}\.sqlite$/);
  expect(readFileSync(recovery?.damagedPath ?? '').equals(damaged)).toBe(true);
  expect(keeper.library.upkeep.records(1)).toMatchObject([
    { kind: 'recover', facts: { items: recovery?.counts.items, damagedPath: recovery?.damagedPath } },
  ]);
});

it('looks once a week through a large library that was closed well', async () => {
  const filePath = await makeSound();
  // Without writing as much: SQLite goes by the size in the header.
  truncateSync(filePath, 257 * 1024 * 1024);
  let nowMs = Date.parse('2026-03-01T00:00:00Z');
  const start = async (): Promise<LibraryKeeper> => {
    const keeper = new LibraryKeeper({ filePath, clock: { now: () => nowMs }, logger: silentLogger });
    onTestFinished(() => keeper.close());
    await keeper.checkAfterStart(new AbortController().signal);
    return keeper;
  };
  const sound = await start();
  expect(sound.library.upkeep.records(9)).toMatchObject([{ kind: 'verify', facts: { problemCount: 0 } }]);
  await sound.close();
  // A page within the tree of Items, which nothing reads at the start.
  const damaged = withFile(filePath, (database) =>
    database
      .prepare<[], number>(
        `SELECT pageno FROM dbstat WHERE name = 'item' AND pagetype = 'leaf' LIMIT 1 OFFSET 5`,
      )
      .pluck()
      .get(),
  );
  overwrite(filePath, ((damaged ?? 0) - 1) * 4096, Buffer.alloc(4096, 0xff));
  nowMs += 6 * 86_400_000;
  const unchecked = await start();
  expect(unchecked.status.recovery).toBeNull();
  await unchecked.close();
  nowMs += 2 * 86_400_000;
  const keeper = await start();
  await untilRecovered(keeper);
  expect(keeper.library.countItems()).toBeGreaterThan(300);
});

it('goes on after a recovery that was broken off', async () => {
  const filePath = await makeSound();
  const aside = filePath.replace('.sqlite', '.recovering-2026-01-02-030405.sqlite');
  renameSync(filePath, aside);
  const keeper = keep(filePath);
  await untilRecovered(keeper);
  expect(keeper.library.countItems()).toBe(500);
  expect(existsSync(aside)).toBe(false);
  expect(existsSync(aside.replace('recovering', 'damaged'))).toBe(true);
});

it.each([
  ['an item', ({ library }: LibraryKeeper) => library.item(anItem('c', 7).ref)],
  ['a question', ({ library }: LibraryKeeper) => library.engine.search({}, { limit: 10 })],
])('says of a bad page that %s meets what it is, and recovers what the others hold', async (_name, ask) => {
  const filePath = await makeSound(1500);
  // The root of the table of JSON: no item can be read any more by way of SQLite.
  const root = withFile(filePath, (database) =>
    Number(database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'item_json'`).pluck().get()),
  );
  overwrite(filePath, (root - 1) * 4096, Buffer.alloc(4096, 0x33));
  const keeper = keep(filePath);
  const damaged = expect.objectContaining({ code: 'library.corrupt', details: { file: filePath } }) as Error;
  await expect(new Promise((resolve) => resolve(ask(keeper)))).rejects.toEqual(damaged);
  await untilRecovered(keeper);
  expect(keeper.library.item(anItem('c', 7).ref)?.value).toEqual(anItem('c', 7));
  expect(keeper.library.countItems()).toBe(1500);
});

it('refuses the library of a newer program without touching a byte, even where its step is in the journal', async () => {
  const filePath = await makeSound(10);
  const newer = new Database(filePath);
  newer.pragma('wal_autocheckpoint = 0');
  newer.pragma('user_version = 999');
  const [main, journal] = [readFileSync(filePath), readFileSync(`${filePath}-wal`)];
  newer.close();
  writeFileSync(filePath, main);
  writeFileSync(`${filePath}-wal`, journal);
  expect(() => keep(filePath)).toThrow(expect.objectContaining({ code: 'library.newer-schema' }));
  expect(readFileSync(filePath).equals(main)).toBe(true);
  expect(readFileSync(`${filePath}-wal`).equals(journal)).toBe(true);
});

// A shell sets the limit; the signal that comes with it is ignored, so that writing fails as on a full disk.
it.skipIf(process.platform === 'win32')(
  'gives answers and says that they are not kept when there is no room',
  async () => {
    const filePath = await makeSound(10);
    const child = fileURLToPath(new URL('./testing/full-disk-child.ts', import.meta.url));
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `trap '' XFSZ; ulimit -f 2000; exec "$0" "$@"`,
      process.execPath,
      child,
      filePath,
    ]);
    const told = JSON.parse(stdout) as { failedPages: number; code: string; first: string };
    expect(told).toEqual({
      failedPages: expect.any(Number),
      code: 'library.disk-full',
      first: anItem('c1', 3).ref.itemId,
    });
    expect(told.failedPages).toBeGreaterThan(0);
    // What was kept is sound, and there is room for more once the limit is gone.
    const findings = withFile(filePath, (database) =>
      verifyLibrary(database, { isThorough: true, watch: unwatched }),
    );
    expect(findings.problems).toEqual([]);
    const keeper = keep(filePath);
    await keeper.library.saveItems([anItem('after', 1)], 1);
    expect(keeper.library.item(anItem('after', 1).ref)).not.toBe(null);
  },
);

it('goes on with what is asked while the file is exchanged', async () => {
  const keeper = keep(await makeSound(10));
  const { library } = keeper;
  const asked: Promise<unknown>[] = [];
  const countOf = async () => (await library.engine.search({}, { limit: 100 })).items.length;
  await keeper.hold(async ({ endThreads, exchange }) => {
    asked.push(
      countOf(),
      library.overview().then(({ itemCount }) => itemCount),
    );
    // The threads may have ended before.
    const later = Promise.withResolvers<unknown>();
    asked.push(later.promise);
    setImmediate(() => later.resolve(countOf()));
    await endThreads();
    asked.push(countOf());
    exchange((path) => path);
  });
  expect(await Promise.all(asked)).toEqual([10, 10, 10, 10]);
});

it('puts a damaged file aside once, however many meet it', async () => {
  const filePath = await makeSound(1500);
  const root = withFile(filePath, (database) =>
    Number(database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'item_json'`).pluck().get()),
  );
  overwrite(filePath, (root - 1) * 4096, Buffer.alloc(4096, 0x33));
  const keeper = keep(filePath);
  const { library } = keeper;
  const read = (number: number) => {
    expect(() => library.item(anItem('c', number).ref)).toThrow(
      expect.objectContaining({ code: 'library.corrupt' }),
    );
  };
  const saved = library.saveCollections([{ id: 'other' }], 7000);
  read(7);
  read(8);
  await saved;
  await untilRecovered(keeper);
  await exchange(keeper, (path) => path);
  const aside = readdirSync(join(filePath, '..')).filter((name) => /damaged|recovering/.test(name));
  expect(aside).toHaveLength(1);
  expect(library.countItems()).toBe(1500);
});

it.each([
  [
    'bytes have changed',
    (database: Database.Database, pk: number, zstd: Buffer) => {
      zstd[zstd.length - 9] = (zstd.at(-9) ?? 0) ^ 4;
      database.prepare('UPDATE item_json SET zstd = ? WHERE item_pk = ?').run(zstd, pk);
    },
  ],
  [
    'text is gone',
    (database: Database.Database, pk: number) => {
      database.prepare('DELETE FROM item_json WHERE item_pk = ?').run(pk);
      // As a page is that was lost: what was taken out could be found in it still.
      database.exec('VACUUM');
    },
  ],
])('brings all items back but the one whose %s, once a search meets it', async (_what, damage) => {
  const filePath = await makeSound(300);
  withFile(filePath, (database) => {
    const row = database.prepare('SELECT item_pk AS pk, zstd FROM item_json LIMIT 1 OFFSET 40').get();
    const { pk, zstd } = row as { pk: number; zstd: Buffer };
    damage(database, pk, zstd);
  });
  const keeper = keep(filePath);
  const { library } = keeper;
  const countFound = async () => (await library.engine.search({}, { limit: 1000 })).items.length;
  await expect(countFound()).rejects.toMatchObject({ code: 'library.corrupt' });
  await untilRecovered(keeper);
  expect(await countFound()).toBe(299);
  expect(keeper.status.recovery).toMatchObject({ lostItemCount: 1, counts: { items: 299 } });
});

it('brings back what can be read where looking through it meets the damage', async () => {
  const filePath = await makeSound(1500);
  const bytes = readFileSync(filePath);
  // A leaf of a table (fileformat2.html §1.6) that names the item: a row of `item`.
  const isLeafWithItem = (at: number): boolean =>
    bytes[at] === 0x0d && bytes.subarray(at, at + 4096).includes('c-000700');
  const leaf =
    Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).find(isLeafWithItem) ?? 0;
  overwrite(filePath, leaf, Buffer.alloc(8, 0x33));
  const keeper = keep(filePath);
  await expect(keeper.library.overview()).rejects.toMatchObject({ code: 'library.corrupt' });
  await untilRecovered(keeper);
  expect((await keeper.library.overview()).itemCount).toBe(1500);
});

it.each(['item_shape', 'item_shape_copy'])(
  'brings all items back where what they are told by has changed in %s',
  async (table) => {
    const filePath = await makeSound(300);
    withFile(filePath, (database) => {
      const zstd = database.prepare(`SELECT zstd FROM ${table}`).pluck().get() as Buffer;
      zstd[20] = (zstd[20] ?? 0) ^ 4;
      database.prepare(`UPDATE ${table} SET zstd = ?`).run(zstd);
    });
    const keeper = keep(filePath);
    await keeper.rebuild();
    expect(keeper.status.recovery).toMatchObject({ lostItemCount: 0, counts: { items: 300 } });
  },
);

it('lets what is to be written wait while the file is exchanged', async () => {
  const filePath = await makeSound(10);
  const moved = join(makeFolder(), 'library-x.sqlite');
  const keeper = keep(filePath);
  let saved: Promise<void> | null = null;
  await exchange(keeper, (path) => {
    saved = keeper.library.saveItems([anItem('c', 99)], 7000);
    expect(readdirSync(join(path, '..'))).toEqual(['library-x.sqlite']);
    renameSync(path, moved);
    return moved;
  });
  await (saved as Promise<void> | null);
  expect(keeper.status.filePath).toBe(moved);
  expect(keeper.library.countItems()).toBe(11);
  expect(existsSync(filePath)).toBe(false);
});

it('exchanges the file once a page on its way is in, with the search that it belongs to', async () => {
  const keeper = keep(await makeSound(10));
  const item = anItem('c', 77);
  const search = { query: {}, localFilter: null, leftOutCount: 0, matched: 1, isComplete: true };
  const taken = keeper.library.takeIn({
    items: [item],
    fetchedAtMs: 7000,
    onKept: async (library) => {
      await library.saveSearch({ ...search, items: [item.ref] }, 7000);
    },
    onFailure: (thrown) => expect.unreachable(String(thrown)),
  });
  const countSearches = (library: Library): number => library.pastSearches({ limit: 9 }).length;
  const before = countSearches(keeper.library);
  let countAtSwap = 0;
  await keeper.hold(({ library }) => {
    countAtSwap = countSearches(library);
    return Promise.resolve();
  });
  await taken;
  expect([countAtSwap, keeper.library.countItems()]).toEqual([before + 1, 11]);
});

it('goes on with the same file where the exchange is given up', async () => {
  const keeper = keep(await makeSound(10));
  const { library } = keeper;
  const givenUp = keeper.hold(async ({ endThreads }) => {
    await endThreads();
    throw new Error('changed its mind');
  });
  await expect(givenUp).rejects.toThrow('changed its mind');
  await library.saveItems([anItem('c', 99)], 7000);
  expect((await library.overview()).itemCount).toBe(11);
});

it('lets a search be forgotten once the file is exchanged', async () => {
  const keeper = keep(await makeSound(10));
  const { library } = keeper;
  const search = { query: {}, localFilter: null, items: [], leftOutCount: 0, matched: 0, isComplete: true };
  const number = await library.saveSearch(search, 1);
  let forgotten: Promise<void> | null = null;
  await exchange(keeper, (path) => {
    forgotten = library.forgetSearch(number);
    return path;
  });
  await (forgotten as Promise<void> | null);
  expect(library.pastSearch(number)).toBe(null);
});

it('keeps all of what is done together or nothing of it, and what others write waits', async () => {
  const keeper = keep(await makeSound(10));
  const { library } = keeper;
  const pageOf = (collectionId: string, number = 1) =>
    [number, number + 1].map((one) => anItem(collectionId, one));
  let other: Promise<void> | null = null;
  const failed = library.together(async (alone) => {
    await alone.saveItems(pageOf('new'), 7000);
    await alone.saveThumbnail(
      anItem('new', 1).ref,
      { mediaType: 'image/png', bytes: Buffer.from('png') },
      7000,
    );
    other = library.saveItems(pageOf('other', 40), 7000);
    await alone.saveItems(pageOf('c'), 9000);
    throw new Error('changed its mind');
  });
  await expect(failed).rejects.toThrow('changed its mind');
  await (other as Promise<void> | null);
  expect([library.countItems(), library.item(anItem('new', 1).ref)]).toEqual([12, null]);
  expect(library.item(anItem('c', 1).ref)?.fetchedAtMs).toBe(5000);

  // What was undone is not remembered: neither the collection nor the form of its items.
  const taken = await library.together(async (alone) => {
    await alone.saveItems(pageOf('new'), 8000);
    return 'taken';
  });
  expect([taken, library.countItems()]).toEqual(['taken', 14]);
  expect(library.item(anItem('new', 2).ref)).toEqual({ value: anItem('new', 2), fetchedAtMs: 8000 });
  expect(library.findText('new-000001', { limit: 3 })).toEqual([anItem('new', 1).ref]);
  await library.catchUp();
  const cloudy = { query: { 'eo:cloud_cover': { gte: 40 } } };
  expect((await library.engine.search(cloudy, { limit: 9 })).items).toHaveLength(2);
  expect(await library.engine.count(cloudy, { maxCandidates: 0 })).toBe(2);
  const { problems } = withFile(keeper.workingPath, (database) =>
    verifyLibrary(database, { isThorough: true, watch: unwatched }),
  );
  expect(problems).toEqual([]);
});
