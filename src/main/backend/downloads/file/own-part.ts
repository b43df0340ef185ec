import { AppError } from '#shared/errors/app-error.ts';
import { systemDisk, type Disk, type DiskEntry, type DiskFile } from './disk.ts';
import { hasDiskCode, toDiskError } from './disk-error.ts';

/**
 * Makes a new, empty part file and gives it open; null when something of that name is there.
 * @throws AppError `transfer.disk-full`, `transfer.disk-error`, `transfer.destination-*`
 */
export async function createPartFile(path: string, disk: Disk = systemDisk): Promise<DiskFile | null> {
  try {
    return await disk.open(path, 'create');
  } catch (error) {
    if (hasDiskCode(error, 'EEXIST')) return null;
    throw toDiskError(error, path);
  }
}

/** Whether what has the name of a part file may be written to: what has another name too is somebody else's as well. */
export function isOwnPart({ kind, nameCount }: DiskEntry): boolean {
  return kind === 'file' && nameCount <= 1;
}

/**
 * Opens a part file that its transfer has made before. Throws the file system's errors.
 * @throws AppError `transfer.disk-error` where something else has its name
 */
export async function openOwnPart(path: string, disk: Disk): Promise<DiskFile> {
  if (isOwnPart(await disk.lstat(path))) return disk.open(path, 'update');
  throw new AppError(
    'transfer.disk-error',
    'Something else has the name of the part file; it is fetched anew',
    {
      details: { path, reason: 'NOT_OURS' },
      retryable: true,
    },
  );
}
