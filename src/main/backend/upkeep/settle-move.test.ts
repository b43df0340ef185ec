import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { settleMove } from './settle-move.ts';
import { openStorage } from './testing/open-storage.ts';
import { openStorageDesk } from './testing/storage-desk.ts';

const child = fileURLToPath(new URL('./testing/killed-task-child.ts', import.meta.url));
const libraries = ['library-desk.sqlite', 'library-shelf.sqlite'];

/** A folder with two libraries, and an empty one beside it. */
async function makeFolders(): Promise<{ dataDir: string; other: string }> {
  const root = mkdtempSync(join(tmpdir(), 'swath-move-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [dataDir, other] = [join(root, 'data'), join(root, 'other')];
  mkdirSync(other);
  const desk = openStorageDesk(dataDir);
  await desk.keeper.library.saveItems([anItem('c', 1)], 1);
  await desk.close();
  copyFileSync(join(dataDir, 'library-desk.sqlite'), join(dataDir, 'library-shelf.sqlite'));
  return { dataDir, other };
}

async function openAndClose(dataDir: string, { isAlone }: { isAlone: boolean }): Promise<void> {
  await openStorage(dataDir, { isAlone }).close();
}

function placesOf(dataDir: string, libraryFolder: string | null) {
  return { dataDir, settings: { current: { libraryFolder } } };
}

function librariesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^library-.*\.sqlite$/.test(name));
}

it('removes the copies of a killed move at the next start of a program that is alone with the folder', async () => {
  const { dataDir, other } = await makeFolders();
  writeFileSync(join(other, 'notes.moving'), 'of somebody else');
  const task = JSON.stringify({ kind: 'move', folder: other });
  const { signal } = spawnSync(process.execPath, [child, dataDir, task], { stdio: 'inherit' });
  expect(signal).toBe('SIGKILL');
  expect(readdirSync(other)).toContain('library-desk.sqlite.moving');

  // One that only looks may do so beside a window that is moving just now.
  await openAndClose(dataDir, { isAlone: false });
  expect(readdirSync(other)).toContain('library-desk.sqlite.moving');

  await openAndClose(dataDir, { isAlone: true });
  expect(readdirSync(other)).toEqual(['notes.moving']);
  expect(librariesIn(dataDir)).toEqual(libraries);
  expect(readdirSync(dataDir)).not.toContain('moving.json');
});

it.each([
  { when: 'before', inUse: 'the old folder', isSwitched: false },
  { when: 'after', inUse: 'the new one', isSwitched: true },
])(
  'leaves one set of libraries, in $inUse, of a move killed just $when the switch',
  async ({ isSwitched }) => {
    const { dataDir, other } = await makeFolders();
    // All copies have their names, and those in the old folder are still there.
    writeFileSync(join(dataDir, 'moving.json'), JSON.stringify({ to: other }));
    writeFileSync(join(other, 'swath-moving.json'), JSON.stringify({ from: dataDir }));
    for (const name of libraries) copyFileSync(join(dataDir, name), join(other, name));
    writeFileSync(join(other, 'library-own.sqlite'), 'of somebody else');
    settleMove(placesOf(dataDir, isSwitched ? other : null));
    expect(librariesIn(dataDir)).toEqual(isSwitched ? [] : libraries);
    expect(librariesIn(other)).toEqual([...(isSwitched ? libraries : []), 'library-own.sqlite'].sort());
    expect([...readdirSync(dataDir), ...readdirSync(other)].filter((name) => /moving/.test(name))).toEqual(
      [],
    );
  },
);

it('waits with that for the drive that libraries were moved to', async () => {
  const { dataDir, other } = await makeFolders();
  writeFileSync(join(dataDir, 'moving.json'), JSON.stringify({ to: other }));
  rmSync(other, { recursive: true });
  settleMove(placesOf(dataDir, null));
  mkdirSync(other);
  writeFileSync(join(other, 'swath-moving.json'), JSON.stringify({ from: dataDir }));
  writeFileSync(join(other, 'library-desk.sqlite.moving.part'), '');
  settleMove(placesOf(dataDir, null));
  expect(readdirSync(other)).toEqual([]);
  expect(librariesIn(dataDir)).toEqual(libraries);
});
