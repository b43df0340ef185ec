import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageTask } from '#shared/storage/storage.ts';
import { whileLocked } from '../downloads/file/publish.ts';
import { libraryFileName } from '../library/library-file.ts';
import { syncPath } from '../library/upkeep/back-up.ts';
import { withReadable } from '../library/upkeep/choose-place.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { toStamp } from '../library/upkeep/set-aside.ts';
import { hashFile, writeManifest, type BackupFile } from './backup-folder.ts';
import { checkRoom } from './check-room.ts';
import { listLibraries, noteIfWritable, sizeOf } from './library-files.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

interface Source {
  kind: BackupFile['kind'];
  file: string;
  filePath: string;
  connectionId: string | null;
  name: string;
}

/**
 * Copies all libraries and the notebook into a dated folder, each as it is at one moment, and reads each copy once more.
 * A backup that was stopped leaves nothing, and one that was killed a folder whose name says that it isn't whole.
 */
export async function backUpAll(
  parts: StorageParts,
  { folder }: Extract<StorageTask, { kind: 'back-up' }>,
  run: TaskRun,
): Promise<TaskResult> {
  if (!existsSync(folder)) {
    throw new AppError('transfer.destination-missing', `There is no folder ${folder}`, {
      details: { path: folder },
    });
  }
  const createdAtMs = parts.clock.now();
  const libraries = listLibraries(parts);
  const sources: Source[] = [
    ...libraries.map(({ connectionId, name, filePath }) => ({
      kind: 'library' as const,
      file: libraryFileName(connectionId),
      filePath,
      connectionId,
      name: name ?? connectionId,
    })),
    {
      kind: 'notebook',
      file: 'notebook.sqlite',
      filePath: join(parts.dataDir, 'notebook.sqlite'),
      connectionId: null,
      name: 'Notebook',
    },
  ];
  const sizes = sources.map(({ filePath }) => sizeOf(filePath));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  await checkRoom(folder, all);
  const target = chooseDatedFolder(folder, createdAtMs);
  const unfinished = `${target}.part`;
  mkdirSync(unfinished);
  try {
    const files: BackupFile[] = [];
    let doneBytes = 0;
    for (const [index, source] of sources.entries()) {
      const size = sizes[index] ?? 0;
      const onProgress = (fraction: number): void =>
        run.onProgress((doneBytes + fraction * size) / Math.max(1, all));
      files.push(await copyOne(source, { folder: unfinished, run: { ...run, onProgress } }));
      doneBytes += size;
    }
    writeManifest(unfinished, {
      format: 'swath-backup',
      version: 1,
      createdAtMs,
      appVersion: parts.appVersion,
      files,
    });
    await whileLocked(() => rename(unfinished, target), target);
    syncPath(folder);
    const facts = {
      folder: target,
      libraryCount: libraries.length,
      itemCount: files.reduce((sum, { itemCount }) => sum + itemCount, 0),
      sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
    for (const library of libraries) {
      const note = { kind: 'back-up' as const, atMs: createdAtMs, facts };
      await noteIfWritable(library, note);
    }
    return { facts, undo: null };
  } catch (thrown) {
    for (const made of [unfinished, target]) rmSync(made, { recursive: true, force: true });
    throw thrown;
  }
}

async function copyOne(
  { filePath, ...source }: Source,
  { folder, run }: { folder: string; run: TaskRun },
): Promise<BackupFile> {
  const { signal, onProgress } = run;
  const targetPath = join(folder, source.file);
  await withReadable(filePath, (sourcePath) =>
    readBeside('backUp', { sourcePath, targetPath }, { signal, onProgress }),
  );
  const itemCount =
    source.kind === 'library' ? await readBeside('count', { filePath: targetPath }, { signal }) : 0;
  return {
    ...source,
    itemCount,
    sizeBytes: sizeOf(targetPath),
    sha256: await hashFile(targetPath, signal),
  };
}

// Two in one second are two backups.
function chooseDatedFolder(folder: string, createdAtMs: number): string {
  const name = join(folder, `swath-backup-${toStamp(createdAtMs)}`);
  for (let number = 1; ; number += 1) {
    const target = number === 1 ? name : `${name}-${String(number)}`;
    if (![target, `${target}.part`].some((path) => existsSync(path))) return target;
  }
}
