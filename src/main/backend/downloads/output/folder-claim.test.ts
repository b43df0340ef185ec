import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { makeFolder } from '../../library/upkeep/testing/fill-library.ts';
import { silentLogger } from '../../ports.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { createSerialTasks } from '../tasks/serial-tasks.ts';
import { findReplaced } from './find-replaced.ts';
import { aloneInFolder } from './folder-claim.ts';
import { readReceipt, type ReceiptEntry } from './receipt.ts';
import { makeEntry } from './testing/make-entry.ts';
import { writeSidecars } from './write-sidecars.ts';

const claimName = '.swath-writing.json';

function sidecarsOf(itemId: string) {
  return {
    ref: { collectionId: 'c', itemId },
    item: { id: itemId, collection: 'c', properties: {}, assets: {} },
    loadCollection: () => Promise.resolve({ id: 'c' }),
    tasks: createSerialTasks(),
    logger: silentLogger,
  };
}

/** A queue of its own, as another program has it: brings files of items, one after the other. */
async function bring(root: string, files: readonly { itemId: string; asset: string }[]): Promise<void> {
  const tasks = createSerialTasks();
  for (const { itemId, asset } of files) {
    const folder = join(root, 'c', '2026', itemId);
    mkdirSync(folder, { recursive: true });
    const filePath = join(folder, `${asset}.tif`);
    await writeSidecars([{ ...sidecarsOf(itemId), filePath, entry: makeEntry(asset), tasks }], []);
  }
}

it('loses nothing where two programs bring files of the same items', async () => {
  const root = makeFolder();
  const itemIds = Array.from({ length: 8 }, (_, index) => `i${index}`);
  const filesOf = (assets: string[]) =>
    itemIds.flatMap((itemId) => assets.map((asset) => ({ itemId, asset })));
  await Promise.all([bring(root, filesOf(['a', 'b'])), bring(root, filesOf(['c', 'd']))]);
  for (const itemId of itemIds) {
    const folder = join(root, 'c', '2026', itemId);
    const entries = await readReceipt(join(folder, 'receipt.json'));
    expect(entries.map(({ asset }) => asset).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(readdirSync(folder).toSorted()).toEqual(['item.json', 'receipt.json']);
  }
  const collection = JSON.parse(readFileSync(join(root, 'c', 'collection.json'), 'utf8')) as {
    links: { rel: string; title: string }[];
  };
  const linked = collection.links.flatMap(({ rel, title }) => (rel === 'item' ? [title] : []));
  expect(linked.toSorted()).toEqual(itemIds);
});

it('finds what is replaced before it keeps anybody waiting, and drops nothing that came meanwhile', async () => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  const write = (entries: readonly ReceiptEntry[]) =>
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(entries));
  const old = makeEntry('a');
  write([old]);
  const file = { filePath: join(folder, 'a (2).tif'), entry: { ...old, file: 'a (2).tif' } };
  const replaced = await findReplaced([file]);
  expect(replaced).toEqual([old]);
  const again = { ...old, finished: '2026-02-01T00:00:00Z' };
  for (const [before, after] of [
    [
      [old, makeEntry('b')],
      ['b.tif', 'a (2).tif'],
    ],
    [[again], ['a.tif', 'a (2).tif']],
  ] as const) {
    write(before);
    await writeSidecars([{ ...sidecarsOf('i'), ...file }], replaced);
    const entries = await readReceipt(join(folder, 'receipt.json'));
    expect(entries.map((one) => one.file)).toEqual(after);
  }
});

it('waits for a program that is at work', async () => {
  const folder = makeFolder();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(other, 'spawn');
  writeFileSync(join(folder, claimName), JSON.stringify({ pid: other.pid, host: hostname(), key: 'theirs' }));
  const order: string[] = [];
  const work = aloneInFolder(folder, systemDisk, () => Promise.resolve(void order.push('we')));
  await aloneInFolder(makeFolder(), systemDisk, () => Promise.resolve());
  order.push('they');
  rmSync(join(folder, claimName));
  await work;
  expect(order).toEqual(['they', 'we']);
  // One that is killed leaves its claim, which then holds nobody up, and what it was writing.
  writeFileSync(join(folder, claimName), JSON.stringify({ pid: other.pid, host: hostname(), key: 'theirs' }));
  writeFileSync(join(folder, 'item.json.0a1b2c3d.tmp'), '{"id":');
  other.kill('SIGKILL');
  await once(other, 'exit');
  await aloneInFolder(folder, systemDisk, () => Promise.resolve());
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['', '{"pid":12', '{"pid":"0"}', '\0'.repeat(40)])(
  'takes what a power cut has left of a claim for none: %j',
  async (text) => {
    const folder = makeFolder();
    writeFileSync(join(folder, claimName), text);
    await aloneInFolder(folder, systemDisk, () => Promise.resolve());
    expect(readdirSync(folder)).toEqual([]);
  },
);

it.each(['a note of somebody’s', '{"pin":"mine"}', '[1]'])(
  'never touches a file of somebody else’s that has the name: %s',
  async (text) => {
    const folder = makeFolder();
    writeFileSync(join(folder, claimName), text);
    expect(await aloneInFolder(folder, systemDisk, () => Promise.resolve('done'))).toBe('done');
    expect(readFileSync(join(folder, claimName), 'utf8')).toBe(text);
  },
);

it('is not held up by a folder of its name', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, claimName));
  expect(await aloneInFolder(folder, systemDisk, () => Promise.resolve('done'))).toBe('done');
});

it('leaves the claim of somebody who has taken it over', async () => {
  const folder = makeFolder();
  const theirs = JSON.stringify({ pid: process.pid, host: 'another', key: 'theirs' });
  await aloneInFolder(folder, systemDisk, () => {
    writeFileSync(join(folder, claimName), theirs);
    return Promise.resolve();
  });
  expect(readFileSync(join(folder, claimName), 'utf8')).toBe(theirs);
});

it('leaves the claim of somebody who was quicker to take over what a dead program left', async () => {
  const folder = makeFolder();
  const path = join(folder, claimName);
  writeFileSync(
    path,
    JSON.stringify({ pid: process.pid, host: hostname(), key: 'of a queue that is closed' }),
  );
  const theirs = JSON.stringify({ pid: 1, host: 'another', key: 'theirs' });
  let isQuicker = true;
  const disk: Disk = {
    ...systemDisk,
    async open(at, mode) {
      if (isQuicker && at.endsWith('.swath-turn.json')) {
        isQuicker = false;
        writeFileSync(path, theirs);
      }
      return systemDisk.open(at, mode);
    },
  };
  let isDone = false;
  const work = aloneInFolder(folder, disk, () => Promise.resolve(void (isDone = true)));
  await eventually(() => expect([isQuicker, readdirSync(folder)]).toEqual([false, [claimName]]));
  expect([isDone, readFileSync(path, 'utf8')]).toEqual([false, theirs]);
  rmSync(path);
  await work;
  expect([isDone, readdirSync(folder)]).toEqual([true, []]);
});

it('takes no notice of the turn that a program was killed in', { timeout: 20_000 }, async () => {
  const folder = makeFolder();
  const path = join(folder, claimName);
  writeFileSync(
    path,
    JSON.stringify({ pid: process.pid, host: hostname(), key: 'of a queue that is closed' }),
  );
  writeFileSync(join(folder, '.swath-turn.json'), '');
  await aloneInFolder(folder, systemDisk, () => Promise.resolve());
  expect(readdirSync(folder)).toEqual([]);
});

it('lets go where the work fails, and passes on why', async () => {
  const folder = makeFolder();
  await expect(aloneInFolder(folder, systemDisk, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(readdirSync(folder)).toEqual([]);
});
