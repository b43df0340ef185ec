import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasDiskCode, toDiskError } from './disk-error.ts';

/**
 * Gives a verified part file its final name, durably and without replacing anything (downloads.md b.6).
 * False when the name is taken.
 * @throws AppError `transfer.*`
 */
export async function publishPart(partPath: string, finalPath: string): Promise<boolean> {
  try {
    await syncFile(partPath);
    if (!(await giveName(partPath, finalPath))) return false;
    await syncFolder(dirname(finalPath));
    return true;
  } catch (error) {
    throw toDiskError(error, finalPath);
  }
}

/** Makes names in a folder durable, where the system has a way to. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await syncFile(path);
  } catch (error) {
    // Windows opens no folder; some network file systems sync none.
    if (!hasDiskCode(error, 'EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP')) throw error;
  }
}

/** Whether anything, even a link to nowhere, has this path. */
export async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function giveName(partPath: string, finalPath: string): Promise<boolean> {
  try {
    await link(partPath, finalPath);
  } catch (error) {
    if (hasDiskCode(error, 'EEXIST')) return false;
    // FAT, exFAT and some shares have no hard links; there a check and a rename must do.
    if (!hasDiskCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES')) {
      throw error;
    }
    if (await isTaken(finalPath)) return false;
    await rename(partPath, finalPath);
    return true;
  }
  await unlink(partPath);
  return true;
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
