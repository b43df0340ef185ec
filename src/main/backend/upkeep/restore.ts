import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageTask } from '#shared/storage/storage.ts';
import { findLibraryFile, findLibraryFolder, type LibraryPlaces } from '../library/library-file.ts';
import { checkWritable } from '../library/upkeep/check-writable.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { nameAside } from '../library/upkeep/set-aside.ts';
import { outlastOthers, refuseOthers } from '../library/upkeep/watch-others.ts';
import { hashFile, notABackup, readManifest, type BackupFile } from './backup-folder.ts';
import { checkRoom } from './check-room.ts';
import { refuseMissingLibraries } from './library-files.ts';
import {
  dropPlan,
  finishReplacing,
  putBack,
  readPlan,
  replace,
  writePlan,
  type Replacement,
} from './replacement.ts';
import { proveNotebook, toWaitingPath } from './restored-notebook.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

/** Ends the name of a copy until it has its place. */
const unplacedSuffix = '.restoring';
const unplacedName = new RegExp(`^(library-[^.]+|notebook)\\.sqlite\\${unplacedSuffix}`);

/** A file of the backup, and its copy beside the place that it is to have. */
interface Prepared {
  file: BackupFile;
  path: string;
}

/**
 * Brings libraries back from a backup, and its notebook at the next start: all of them or none, also when the program is
 * killed. Every file is read to its end before anything is changed; the present ones are put aside and stay.
 * @throws AppError `library.not-a-backup`, `library.newer-schema`, `library.corrupt`, `library.disk-full`, `cancelled`;
 * `library.in-use` where another program has one of them open;
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
  if (libraries.length > 0) checkWritable(target);
  await checkRoom(
    target,
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  try {
    const prepared = await prepare(files, {
      folder,
      run,
      toFolder: (kind) => (kind === 'library' ? target : dataDir),
    });
    run.commit();
    const replacements = prepared.map((one) => toReplacement(parts, one));
    await replaceAll(parts, replacements);
    const facts = {
      folder,
      libraryCount: libraries.length,
      hasNotebook: libraries.length < files.length,
      itemCount: files.reduce((sum, { itemCount }) => sum + itemCount, 0),
      asidePath: ofLibraries(replacements).find(({ asidePath }) => existsSync(asidePath))?.asidePath ?? null,
    };
    return { facts, undo: (undoing) => takeBack(parts, replacements, undoing) };
  } finally {
    discardUnplaced(parts);
  }
}

/**
 * Finishes a restore that was killed while it replaced files, and removes what one left that didn't come so far. Called
 * at the start, when no other program can be restoring and no file is open.
 */
export function finishRestore(places: LibraryPlaces, nowMs: number): void {
  const { dataDir } = places;
  const plan = readPlan(dataDir);
  // Where a drive isn't there, all of it waits for a start at which it is.
  if (plan?.every(({ filePath }) => existsSync(dirname(filePath)))) {
    try {
      for (const one of plan) finishReplacing(one, nowMs);
      dropPlan(dataDir, plan);
    } catch {
      // Nor can it be finished while a file can't be renamed.
    }
  }
  discardUnplaced(places);
}

// What a plan still speaks of stays.
function discardUnplaced(places: LibraryPlaces): void {
  if (readPlan(places.dataDir)) return;
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
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [index, file] of files.entries()) {
    const sourcePath = join(folder, file.file);
    if ((await hashFile(sourcePath, run.signal)) !== file.sha256) {
      throw new AppError('library.corrupt', `${sourcePath} is not as it was written`, {
        details: { file: sourcePath },
      });
    }
    const path = join(toFolder(file.kind), file.file + unplacedSuffix);
    await readBeside(
      'backUp',
      { sourcePath, targetPath: path },
      {
        signal: run.signal,
        onProgress: (fraction) => run.onProgress((index + fraction) / files.length),
      },
    );
    if (file.kind === 'notebook') proveNotebook(path);
    prepared.push({ file, path });
  }
  return prepared;
}

function toReplacement(parts: StorageParts, { file, path }: Prepared): Replacement {
  const isLibrary = file.kind === 'library';
  const connectionId = isLibrary ? (file.connectionId ?? '') : null;
  const filePath = isLibrary ? findLibraryFile(file.connectionId ?? '', parts) : toWaitingPath(parts.dataDir);
  return { connectionId, filePath, newPath: path, asidePath: toAsidePath(parts, { connectionId, filePath }) };
}

// A notebook that waited already is wanted by nobody: it goes the way of the copies.
function toAsidePath(
  { dataDir, clock }: StorageParts,
  { connectionId, filePath }: Pick<Replacement, 'connectionId' | 'filePath'>,
): string {
  return connectionId === null
    ? join(dataDir, `notebook.sqlite${unplacedSuffix}.before`)
    : nameAside(filePath, { state: 'replaced', nowMs: clock.now() });
}

async function takeBack(
  parts: StorageParts,
  replaced: readonly Replacement[],
  run: TaskRun,
): Promise<TaskResult> {
  refuseMissingLibraries(parts);
  run.commit();
  const replacements = replaced.map(({ asidePath, ...one }) => ({
    ...one,
    newPath: existsSync(asidePath) ? asidePath : null,
    asidePath: toAsidePath(parts, one),
  }));
  await replaceAll(parts, replacements).finally(() => discardUnplaced(parts));
  return { facts: { libraryCount: ofLibraries(replaced).length, isUndone: true }, undo: null };
}

function ofLibraries(replacements: readonly Replacement[]): Replacement[] {
  return replacements.filter(({ connectionId }) => connectionId !== null);
}

// One after the other, as each has to be closed for it. Where one fails, those before are put back; where not even that
// can be done, the plan stays, and the next start finishes it.
async function replaceAll(parts: StorageParts, replacements: readonly Replacement[]): Promise<void> {
  writePlan(parts.dataDir, replacements);
  const replaced: Replacement[] = [];
  try {
    for (const one of replacements) {
      await whileClosed(parts, one, () => {
        // Whoever went on writing to what is put aside would be told that it is kept.
        if (one.connectionId !== null) refuseOthers(one.filePath);
        replace(one);
        replaced.unshift(one);
      });
    }
  } catch (thrown) {
    for (const one of replaced) await whileClosed(parts, one, () => putBack(one));
    dropPlan(parts.dataDir, replacements);
    throw thrown;
  }
  dropPlan(parts.dataDir, replacements);
}

async function whileClosed(
  parts: StorageParts,
  { connectionId }: Replacement,
  swap: () => void,
): Promise<void> {
  const keeper = connectionId === null ? null : parts.catalogs.findKeeper(connectionId);
  if (!keeper) {
    await outlastOthers(swap);
    return;
  }
  await keeper.hold(({ endThreads, exchange }) =>
    outlastOthers(async () => {
      await endThreads();
      exchange((filePath) => {
        swap();
        return filePath;
      });
    }),
  );
}
