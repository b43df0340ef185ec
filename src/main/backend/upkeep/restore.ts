import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageTask } from '#shared/storage/storage.ts';
import {
  findLibraryFile,
  findLibraryFolder,
  libraryFileName,
  type LibraryPlaces,
} from '../library/library-file.ts';
import { removeFile } from '../library/upkeep/back-up.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { setAside } from '../library/upkeep/set-aside.ts';
import { hashFile, notABackup, readManifest, type BackupFile } from './backup-folder.ts';
import { checkRoom } from './check-room.ts';
import { listLibraries } from './library-files.ts';
import { leaveNotebook, proveNotebook, withdrawNotebook } from './restored-notebook.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

/** Ends the name of a copy until it has its place. */
const unplacedSuffix = '.restoring';
const unplacedName = new RegExp(`^(library-[^.]+|notebook)\\.sqlite\\${unplacedSuffix}`);

/** A library's file and the one that was put aside for it; null where there was none. */
interface Swapped {
  connectionId: string;
  filePath: string;
  asidePath: string | null;
}

/**
 * Brings libraries back from a backup, and its notebook at the next start. Every file is read to its end before anything
 * is changed; the present ones are put aside and stay.
 * @throws AppError `library.not-a-backup`, `library.newer-schema`, `library.corrupt`, `library.disk-full`, `cancelled`;
 * `input.invalid` where the backup doesn't have all that is wished for
 */
export async function restore(
  parts: StorageParts,
  { folder, connectionIds, withNotebook }: Extract<StorageTask, { kind: 'restore' }>,
  run: TaskRun,
): Promise<TaskResult> {
  const held = readManifest(folder).files;
  refuseMissing(held, { connectionIds, withNotebook });
  const files = held.filter(({ kind, connectionId }) =>
    kind === 'library' ? connectionIds === null || connectionIds.includes(connectionId ?? '') : withNotebook,
  );
  const libraries = files.filter(({ kind }) => kind === 'library');
  if (files.length === 0) throw notABackup('It holds no library.');
  const target = findLibraryFolder(parts);
  const { dataDir } = parts;
  await checkRoom(
    target,
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const prepared = await prepare(files, {
    folder,
    run,
    toFolder: (kind) => (kind === 'library' ? target : dataDir),
  });
  run.commit();
  const swapped: Swapped[] = [];
  for (const { file, path } of prepared) {
    if (file.kind === 'notebook') leaveNotebook(path, dataDir);
    else swapped.push(await putInPlace(parts, { connectionId: file.connectionId ?? '', path }));
  }
  const facts = {
    folder,
    libraryCount: libraries.length,
    hasNotebook: libraries.length < files.length,
    itemCount: files.reduce((sum, { itemCount }) => sum + itemCount, 0),
    asidePath: swapped[0]?.asidePath ?? null,
  };
  return { facts, undo: (undoing) => takeBack(parts, swapped, undoing) };
}

/** Removes the copies of a restore that was killed. Called at the start, when no other program can be restoring. */
export function discardUnplaced(places: LibraryPlaces): void {
  for (const folder of new Set([places.dataDir, findLibraryFolder(places)])) {
    try {
      const names = readdirSync(folder).filter((name) => unplacedName.test(name));
      for (const name of names) rmSync(join(folder, name), { force: true });
    } catch {
      // Of a folder that isn't there, or can't be written to, nothing is brought back either.
    }
  }
}

function refuseMissing(
  held: readonly BackupFile[],
  wish: { connectionIds: readonly string[] | null; withNotebook: boolean },
): void {
  const libraries = held.filter(({ kind }) => kind === 'library');
  const missing = wish.connectionIds?.find((id) => !libraries.some((one) => one.connectionId === id));
  if (missing !== undefined) {
    const known = libraries.map(({ connectionId, name }) => `${connectionId ?? ''} (${name})`).join(', ');
    throw refuseWish(`The backup has no library ${missing}. It has ${known || 'none'}.`);
  }
  if (wish.withNotebook && libraries.length === held.length) throw refuseWish('The backup has no notebook.');
}

function refuseWish(why: string): AppError {
  return new AppError('input.invalid', why, { details: { why } });
}

async function prepare(
  files: readonly BackupFile[],
  { folder, toFolder, run }: { folder: string; toFolder: (kind: BackupFile['kind']) => string; run: TaskRun },
): Promise<{ file: BackupFile; path: string }[]> {
  const prepared: { file: BackupFile; path: string }[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const sourcePath = join(folder, file.file);
      if ((await hashFile(sourcePath, run.signal)) !== file.sha256) {
        throw new AppError('library.corrupt', `${sourcePath} is not as it was written`, {
          details: { file: sourcePath },
        });
      }
      const path = join(toFolder(file.kind), file.file + unplacedSuffix);
      prepared.push({ file, path });
      await readBeside(
        'backUp',
        { sourcePath, targetPath: path },
        {
          signal: run.signal,
          onProgress: (fraction) => run.onProgress((index + fraction) / files.length),
        },
      );
      if (file.kind === 'notebook') proveNotebook(path);
    }
    return prepared;
  } catch (thrown) {
    for (const { path } of prepared) removeFile(path);
    throw thrown;
  }
}

async function putInPlace(
  parts: StorageParts,
  { connectionId, path }: { connectionId: string; path: string },
): Promise<Swapped> {
  let asidePath: string | null = null;
  const filePath = await exchange(parts, connectionId, (current) => {
    if (existsSync(current)) asidePath = setAside(current, { state: 'replaced', nowMs: parts.clock.now() });
    renameSync(path, current);
  });
  return { connectionId, filePath, asidePath };
}

async function takeBack(parts: StorageParts, swapped: readonly Swapped[], run: TaskRun): Promise<TaskResult> {
  run.commit();
  withdrawNotebook(parts.dataDir);
  for (const { connectionId, asidePath } of swapped) {
    await exchange(parts, connectionId, (current) => {
      setAside(current, { state: 'replaced', nowMs: parts.clock.now() });
      if (asidePath !== null) renameSync(asidePath, current);
    });
  }
  return { facts: { libraryCount: swapped.length, isUndone: true }, undo: null };
}

/** Changes the file of a library while it is closed, if it was open. */
async function exchange(
  parts: StorageParts,
  connectionId: string,
  swap: (filePath: string) => void,
): Promise<string> {
  const found = listLibraries(parts).find((library) => library.connectionId === connectionId);
  const filePath = found?.filePath ?? findLibraryFile(connectionId, parts);
  if (!found?.keeper) {
    swap(filePath);
    return filePath;
  }
  await found.keeper.exchange({
    swap: (current) => {
      swap(join(dirname(current), libraryFileName(connectionId)));
      return current;
    },
  });
  return filePath;
}
