import Database from 'better-sqlite3';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLibrary } from '../library/open-library.ts';
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { move } from './move.ts';
import { findLibraryFile, openStorageDesk, type StorageDesk } from './testing/storage-desk.ts';

/** A window on a library with one item, and an empty folder. */
async function open(): Promise<{ desk: StorageDesk; other: string }> {
  const root = mkdtempSync(join(tmpdir(), 'swath-elsewhere-'));
  const other = join(root, 'other');
  mkdirSync(other);
  const desk = openStorageDesk(join(root, 'data'));
  onTestFinished(async () => {
    await desk.close();
    rmSync(root, { recursive: true, force: true });
  });
  await desk.keeper.library.saveItems([anItem('c', 1)], 1);
  return { desk, other };
}

it.each(['move', 'restore'] as const)(
  'a window does not %s a library that another program has open, and goes on with it',
  { timeout: 60_000 },
  async (kind) => {
    const { desk, other } = await open();
    const { facts } = await desk.storage.run({ kind: 'back-up', folder: other });
    const backup = String(facts['folder']);
    const target = join(other, 'target');
    mkdirSync(target);
    const task =
      kind === 'move'
        ? ({ kind, folder: target } as const)
        : ({ kind, folder: backup, connectionIds: null, withNotebook: false } as const);
    const writer = openLibrary({ filePath: findLibraryFile(desk) });
    await writer.saveItems([anItem('c', 2)], 2);
    const outcome = await desk.storage.run(task);
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'library.in-use' } });
    expect(readdirSync(target)).toEqual([]);

    await Promise.all([
      writer.saveItems([anItem('c', 3)], 3),
      desk.keeper.library.saveItems([anItem('c', 4)], 4),
    ]);
    await writer.close();
    expect(desk.keeper.library.countItems()).toBe(4);
    expect(await desk.storage.run(task)).toMatchObject({ state: 'done' });
    expect(desk.keeper.library.countItems()).toBe(kind === 'move' ? 4 : 1);
  },
);

it('a window moves what others wrote, and what it wrote itself, while the library was copied', async () => {
  const { desk, other } = await open();
  const { library } = desk.keeper;
  let saved: Promise<void> | null = null;
  await move(
    desk.parts,
    { folder: other },
    {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      commit: () => {
        const writer = new Database(findLibraryFile(desk));
        writer.exec('CREATE TABLE note (text TEXT)');
        writer.close();
        saved = library.saveItems([anItem('c', 2)], 2);
      },
    },
  );
  await (saved as Promise<void> | null);
  expect(findLibraryFile(desk).startsWith(other)).toBe(true);
  expect(library.countItems()).toBe(2);
  const moved = new Database(findLibraryFile(desk), { readonly: true });
  expect(moved.prepare('SELECT count(*) FROM note').pluck().get()).toBe(0);
  moved.close();
});
