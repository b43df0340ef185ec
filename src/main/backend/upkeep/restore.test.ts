import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { withFile } from '../library/upkeep/testing/fill-library.ts';
import { openStorage } from './testing/open-storage.ts';
import { openStorageDesk } from './testing/storage-desk.ts';

const killedTask = fileURLToPath(new URL('./testing/killed-task-child.ts', import.meta.url));
const halfRestored = fileURLToPath(new URL('./testing/half-restored-child.ts', import.meta.url));

const restoreAll = { kind: 'restore', connectionIds: null, withNotebook: true } as const;

/** A folder with two libraries and a notebook, and a backup of them. */
async function makeBackup(): Promise<{ dataDir: string; backup: string }> {
  const root = mkdtempSync(join(tmpdir(), 'swath-restore-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  const desk = openStorageDesk(dataDir);
  await desk.keeper.library.saveItems([anItem('c', 1)], 1);
  await desk.close();
  copyFileSync(join(dataDir, 'library-desk.sqlite'), join(dataDir, 'library-shelf.sqlite'));
  const backups = join(root, 'backups');
  mkdirSync(backups);
  const { storage, close } = openStorage(dataDir);
  const { facts } = await storage.run({ kind: 'back-up', folder: backups });
  await close();
  return { dataDir, backup: String(facts['folder']) };
}

it('removes what a killed restore left, at the next start of a program that is alone with the folder', async () => {
  const { dataDir, backup } = await makeBackup();
  const unplaced = () => readdirSync(dataDir).filter((name) => name.includes('.restoring'));
  const before = readdirSync(dataDir).filter((name) => name.startsWith('library-'));
  runAndKill(killedTask, dataDir, JSON.stringify({ ...restoreAll, folder: backup }));
  expect(unplaced()).toContain('library-desk.sqlite.restoring');
  const own = 'library-desk.restoring.sqlite';
  writeFileSync(join(dataDir, own), 'of somebody else');

  // One that only looks may do so beside a window that is restoring just now.
  await openStorage(dataDir, { isAlone: false }).close();
  expect(unplaced()).toContain('library-desk.sqlite.restoring');

  await openStorage(dataDir).close();
  expect(unplaced()).toEqual([own]);
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(before));
});

it('finishes a restore that was killed between two libraries, at the next start', async () => {
  const { dataDir, backup } = await makeBackup();
  await addItem(dataDir);
  putFirst(backup, 'library-shelf.sqlite');
  runAndKill(halfRestored, dataDir, backup);
  expect([countItems(dataDir, 'shelf'), countItems(dataDir, 'desk')]).toEqual([1, 2]);

  await openStorage(dataDir).close();
  expect([countItems(dataDir, 'shelf'), countItems(dataDir, 'desk')]).toEqual([1, 1]);
  const names = readdirSync(dataDir);
  for (const replaced of ['library-desk', 'library-shelf', 'notebook']) {
    expect(names).toContainEqual(expect.stringMatching(`^${replaced}\\.replaced-.*\\.sqlite$`));
  }
  expect(names.filter((name) => /restor|replacing/.test(name))).toEqual([]);

  // What is done is done once.
  await openStorage(dataDir).close();
  expect(readdirSync(dataDir)).toEqual(names);
});

it('leaves every library as it was when one of several can’t be brought back', async () => {
  const { dataDir, backup } = await makeBackup();
  await addItem(dataDir);
  putFirst(backup, 'library-shelf.sqlite');
  const before = readdirSync(dataDir);
  const { keeper, storage, close } = openStorageDesk(dataDir);
  const writing = Promise.withResolvers<null>();
  const written = keeper.library.together(() => writing.promise);
  const outcome = storage.run({ ...restoreAll, folder: backup });
  await eventually(() => expect(countItems(dataDir, 'shelf')).toBe(1));
  rmSync(join(dataDir, 'library-desk.sqlite.restoring'));
  writing.resolve(null);
  await written;
  expect(await outcome).toMatchObject({ state: 'failed', error: { code: 'library.corrupt' } });
  expect(countItems(dataDir, 'shelf')).toBe(2);
  expect(keeper.library.countItems()).toBe(2);
  await close();
  expect(readdirSync(dataDir)).toEqual(before);
});

it('takes a restore of several libraries and the notebook back', async () => {
  const { dataDir, backup } = await makeBackup();
  await addItem(dataDir);
  rmSync(join(dataDir, 'library-shelf.sqlite'));
  const { keeper, storage, close } = openStorageDesk(dataDir);
  expect(await storage.run({ ...restoreAll, folder: backup })).toMatchObject({ state: 'done' });
  expect([countItems(dataDir, 'shelf'), keeper.library.countItems()]).toEqual([1, 1]);
  expect(await storage.undo()).toMatchObject({ state: 'done', facts: { libraryCount: 2 } });
  expect(keeper.library.countItems()).toBe(2);
  await close();
  const names = readdirSync(dataDir);
  expect(names).not.toContain('library-shelf.sqlite');
  expect(names.filter((name) => /restor|replacing/.test(name))).toEqual([]);
});

it.each([
  { wish: 'a library', connectionIds: ['desk', 'desc'], says: 'no library desc. It has desk (desk), shelf' },
  { wish: 'its notebook', connectionIds: null, says: 'no notebook' },
])('restores nothing from a backup without $wish that it is asked for', async ({ connectionIds, says }) => {
  const { dataDir, backup } = await makeBackup();
  if (connectionIds === null) withoutNotebook(backup);
  const before = readdirSync(dataDir);
  const { storage, close } = openStorage(dataDir);
  const outcome = await storage.run({ kind: 'restore', folder: backup, connectionIds, withNotebook: true });
  await close();
  expect(outcome).toMatchObject({ state: 'failed', error: { code: 'input.invalid' } });
  expect(outcome.error?.details['why']).toContain(says);
  expect(readdirSync(dataDir)).toEqual(before);
});

it.each([
  [
    'a library for another place',
    (files: Files) => files.map((one) => ({ ...one, connectionId: '/../../x' })),
  ],
  ['a library for another catalog', (files: Files) => files.map((one) => ({ ...one, connectionId: 'desk' }))],
  ['a library twice', (files: Files) => [...files, ...files]],
])('refuses a backup that has %s', async (_, edit) => {
  const { dataDir, backup } = await makeBackup();
  editManifest(backup, edit);
  const before = readdirSync(dataDir);
  const { storage, close } = openStorage(dataDir);
  const outcome = await storage.run({ ...restoreAll, folder: backup });
  await close();
  expect(outcome).toMatchObject({ state: 'failed', error: { code: 'library.not-a-backup' } });
  expect(readdirSync(dataDir)).toEqual(before);
});

it('tells a command which program has the folder', async () => {
  const { dataDir } = await makeBackup();
  const first = openStorage(dataDir);
  expect(() => openStorage(dataDir)).toThrow(
    expect.objectContaining({
      code: 'library.in-use',
      message: expect.stringContaining(`process ${String(process.pid)}, a swath command`) as string,
    }),
  );
  await first.close();
  await openStorage(dataDir).close();
});

/** Adds an Item to both libraries since their backup. */
async function addItem(dataDir: string): Promise<void> {
  const desk = openStorageDesk(dataDir);
  await desk.keeper.library.saveItems([anItem('c', 2)], 2);
  await desk.close();
  copyFileSync(join(dataDir, 'library-desk.sqlite'), join(dataDir, 'library-shelf.sqlite'));
}

function countItems(dataDir: string, id: string): number {
  return withFile(join(dataDir, `library-${id}.sqlite`), (database) =>
    Number(database.prepare('SELECT count(*) FROM item').pluck().get()),
  );
}

function runAndKill(child: string, ...args: string[]): void {
  const { signal } = spawnSync(process.execPath, [child, ...args], { stdio: 'inherit' });
  expect(signal).toBe('SIGKILL');
}

function putFirst(backup: string, name: string): void {
  editManifest(backup, (files) =>
    files.toSorted((a, b) => Number(b.file === name) - Number(a.file === name)),
  );
}

function withoutNotebook(backup: string): void {
  editManifest(backup, (files) => files.filter(({ kind }) => kind === 'library'));
}

type Files = { kind: string; file: string; connectionId: string | null }[];

function editManifest(backup: string, edit: (files: Files) => Files): void {
  const path = join(backup, 'backup.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: Files };
  writeFileSync(path, JSON.stringify({ ...manifest, files: edit(manifest.files) }));
}
