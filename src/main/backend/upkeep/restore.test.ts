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
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { silentLogger, systemClock } from '../ports.ts';
import { openCommandStorage, type CommandStorage } from './open-command-storage.ts';
import { openStorageDesk } from './testing/storage-desk.ts';

const child = fileURLToPath(new URL('./testing/restore-child.ts', import.meta.url));

/** The care of the libraries of a folder, as a command has it. */
function openStorage(dataDir: string, { isAlone = true } = {}): CommandStorage {
  return openCommandStorage({
    dataDir,
    settings: { read: () => ({}), write: () => undefined },
    isAlone,
    appVersion: '9.9.9',
    clock: systemClock,
    logger: silentLogger,
  });
}

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
  const { signal } = spawnSync(process.execPath, [child, dataDir, backup], { stdio: 'inherit' });
  expect(signal).toBe('SIGKILL');
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

function withoutNotebook(backup: string): void {
  const path = join(backup, 'backup.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: { kind: string }[] };
  const files = manifest.files.filter(({ kind }) => kind === 'library');
  writeFileSync(path, JSON.stringify({ ...manifest, files }));
}
