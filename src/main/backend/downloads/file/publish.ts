import { dirname } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { createGatheredTasks, type GatheredTasks } from '../tasks/gathered-tasks.ts';
import { sleep } from '../tasks/sleep.ts';
import { systemTimers, type Timers } from '../tasks/timers.ts';
import { systemDisk, type Disk, type DiskEntry } from './disk.ts';
import { hasDiskCode, toDiskError } from './disk-error.ts';

/** How a file is published. */
export interface PublishOptions {
  disk?: Disk;
  timers?: Timers;
  /** Whether a file that another program has open can't be renamed. */
  isWindows?: boolean;
  signal?: AbortSignal;
  /** Its bytes are on the disk already. */
  isSynced?: boolean;
}

// Many files of a folder get their names at once: one sync is enough for all of them.
const folderSyncs = new WeakMap<Disk, GatheredTasks<null>>();

// An antivirus program looks at a new file for as long as it takes.
const longestLockMs = 60_000;
const firstWaitMs = 50;
const longestWaitMs = 2000;

// What file systems without hard links, and the drivers of some shares, answer to a wish for one.
const mayHaveNoLinks = [
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EINVAL',
  'EISDIR',
  'EXDEV',
  'EBUSY',
  'UNKNOWN',
];

/**
 * Gives a verified part file its final name, durably and without replacing anything (downloads.md b.6).
 * False when the name is taken.
 * @throws AppError `transfer.*`; `transfer.file-locked` when another program won't let go of it, `cancelled`
 */
export async function publishPart(
  partPath: string,
  finalPath: string,
  options: PublishOptions = {},
): Promise<boolean> {
  const { disk = systemDisk, isSynced = false } = options;
  try {
    if (!isSynced) await syncFile(disk, partPath);
    if (!(await giveName(partPath, finalPath, options))) return false;
    await syncFolder(dirname(finalPath), disk);
    return true;
  } catch (error) {
    throw toDiskError(error, finalPath);
  }
}

/** Deletes a file; one that is locked for a while is waited for. @throws AppError `transfer.*`, `cancelled` */
export async function deleteFile(path: string, options: PublishOptions = {}): Promise<void> {
  const { disk = systemDisk } = options;
  try {
    await whileLocked(() => disk.unlink(path), path, options);
  } catch (error) {
    if (!hasDiskCode(error, 'ENOENT')) throw toDiskError(error, path);
  }
}

/** Makes names in a folder durable, where the system has a way to. */
export async function syncFolder(path: string, disk: Disk = systemDisk): Promise<void> {
  try {
    const syncs = folderSyncs.get(disk) ?? createGatheredTasks<null>((folder) => disk.syncFolder(folder));
    folderSyncs.set(disk, syncs);
    await syncs.run(path, null);
  } catch (error) {
    // Windows opens no folder; some network file systems sync none.
    if (!hasDiskCode(error, 'EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF')) {
      throw error;
    }
  }
}

/** Whether anything, even a link to nowhere, has this path. */
export async function isTaken(path: string, disk: Disk = systemDisk): Promise<boolean> {
  return (await lookAt(path, disk)) !== null;
}

/** What has a path, links not followed; null for nothing. Throws the file system's errors. */
export async function lookAt(path: string, disk: Disk): Promise<DiskEntry | null> {
  try {
    return await disk.lstat(path);
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function giveName(partPath: string, finalPath: string, options: PublishOptions): Promise<boolean> {
  const { disk = systemDisk } = options;
  try {
    await disk.link(partPath, finalPath);
  } catch (error) {
    if (hasDiskCode(error, 'EEXIST')) return false;
    if (!hasDiskCode(error, ...mayHaveNoLinks)) throw error;
    return rename(partPath, finalPath, options);
  }
  await whileLocked(() => disk.unlink(partPath), partPath, options);
  return true;
}

// There is no rename that spares what has the name; the moment between the look and the name is as short as can be.
async function rename(partPath: string, finalPath: string, options: PublishOptions): Promise<boolean> {
  const { disk = systemDisk } = options;
  let isFree = true;
  await whileLocked(
    async () => {
      isFree = !(await isTaken(finalPath, disk));
      if (isFree) await disk.rename(partPath, finalPath);
    },
    finalPath,
    options,
  );
  return isFree;
}

/**
 * Does what fails while another program has a file open, again until that lets go.
 * @throws AppError `transfer.file-locked` where it doesn't, `cancelled`; anything else as it is
 */
export async function whileLocked(
  work: () => Promise<void>,
  path: string,
  options: PublishOptions = {},
): Promise<void> {
  const { timers = systemTimers, isWindows = process.platform === 'win32', signal } = options;
  // Elsewhere the other two mean that the folder is not to be written to.
  const codes = isWindows ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY', 'ETXTBSY'];
  let waitMs = firstWaitMs;
  for (let waitedMs = 0; ; waitedMs += waitMs, waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      await work();
      return;
    } catch (error) {
      if (!hasDiskCode(error, ...codes)) throw error;
      if (waitedMs >= longestLockMs) throw fileLocked(path, error);
      if (signal?.aborted) throw new AppError('cancelled', 'The transfer was stopped', { cause: error });
      // Whoever is stopped meanwhile tries once more, and gives up.
      await sleep(waitMs, { timers, signal });
    }
  }
}

function fileLocked(path: string, cause: unknown): AppError {
  return new AppError('transfer.file-locked', 'Another program does not let go of the file', {
    details: { path },
    retryable: true,
    cause,
  });
}

async function syncFile(disk: Disk, path: string): Promise<void> {
  const file = await disk.open(path, 'update');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
