import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageTask } from '#shared/storage/storage.ts';
import { findLibraryFolder, libraryFileName } from '../library/library-file.ts';
import { syncPath } from '../library/upkeep/back-up.ts';
import { checkWritable } from '../library/upkeep/check-writable.ts';
import { watchOthers } from '../library/upkeep/watch-others.ts';
import { checkRoom } from './check-room.ts';
import { listLibraries, refuseMissingLibraries, sizeOf, type FoundLibrary } from './library-files.ts';
import { beginMove, isMoveInto, settleMove, unplacedPath } from './settle-move.ts';
import { copyLibrary, switchOver, type LibraryCopy } from './library-copies.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

/**
 * Moves all libraries to another folder, of any volume: they are copied and read once more, then taken into use there at
 * once, and only then removed here. Killed at any moment, one folder has all of them, and the next start tidies the other.
 * `isLeavingBehind`: their present folder is gone for good. What came since the start comes along, and should the folder
 * be back one day, what is in it stays there.
 * @throws AppError `library.folder-missing`, `input.invalid`, `transfer.destination-missing`, `library.read-only`,
 * `library.disk-full`, `library.in-use` where another program has a library open
 */
export async function move(
  parts: StorageParts,
  { folder, isLeavingBehind = false }: Omit<Extract<StorageTask, { kind: 'move' }>, 'kind'>,
  run: TaskRun,
): Promise<TaskResult> {
  const from = findLibraryFolder(parts);
  const to = folder ?? parts.dataDir;
  if (isLeavingBehind) refuseLeaving(from);
  else refuseMissingLibraries(parts);
  const libraries = listLibraries(parts);
  checkTarget({ from, to, libraries });
  const sizes = libraries.map(({ filePath }) => sizeOf(filePath));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  await checkRoom(to, all);
  // Nothing is tidied up in a folder that is left behind.
  beginMove(parts.dataDir, { from: isLeavingBehind ? to : from, to });
  const copies: LibraryCopy[] = [];
  try {
    let doneBytes = 0;
    for (const [index, library] of libraries.entries()) {
      const size = sizes[index] ?? 0;
      const onProgress = (fraction: number): void =>
        run.onProgress((doneBytes + fraction * size) / Math.max(1, all));
      const placedPath = toPlace(to, library);
      const copy = {
        library,
        placedPath,
        targetPath: unplacedPath(placedPath),
        watch: watchOthers(library.filePath),
      };
      copies.push(copy);
      await copyLibrary(copy, { signal: run.signal, onProgress });
      doneBytes += size;
    }
    run.commit();
    await switchOver(copies, () => {
      for (const { targetPath, placedPath } of copies) renameSync(targetPath, placedPath);
      syncPath(to);
      parts.settings.change({ libraryFolder: to === parts.dataDir ? null : to });
    });
  } finally {
    for (const { watch } of copies) watch.close();
    settleMove(parts);
  }
  const leftCount = libraries.filter(({ filePath }) => existsSync(filePath)).length;
  return {
    facts: { from, to, libraryCount: libraries.length, sizeBytes: all, leftCount },
    undo: isLeavingBehind
      ? null
      : (undoing) => move(parts, { folder: from === parts.dataDir ? null : from }, undoing),
  };
}

function toPlace(folder: string, { connectionId }: FoundLibrary): string {
  return join(folder, libraryFileName(connectionId));
}

function checkTarget({
  from,
  to,
  libraries,
}: {
  from: string;
  to: string;
  libraries: readonly FoundLibrary[];
}): void {
  if (resolve(from) === resolve(to)) throw refuse('The libraries are there already.');
  if (!existsSync(to)) {
    throw new AppError('transfer.destination-missing', `There is no folder ${to}`, { details: { path: to } });
  }
  checkWritable(to);
  const taken = libraries.find((library) => existsSync(toPlace(to, library)));
  if (taken && !isMoveInto(to, from)) throw refuse('Another library lies there. Choose an empty folder.');
}

function refuseLeaving(folder: string): void {
  if (existsSync(folder)) throw refuse(`${folder} is there. Move the libraries, and leave nothing behind.`);
}

function refuse(why: string): AppError {
  return new AppError('input.invalid', `folder: ${why}`, { details: { field: 'folder', why } });
}
