import { statfs } from 'node:fs/promises';
import { AppError } from '#shared/errors/app-error.ts';

/** Space that is left for us on a folder's volume; null where the system doesn't tell. */
export async function measureFreeBytes(folder: string): Promise<number | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats ? Math.min(stats.bavail * stats.bsize, Number.MAX_SAFE_INTEGER) : null;
}

/** Refuses work for which there is no room. @throws AppError `library.disk-full`, saying how much is needed */
export async function checkRoom(folder: string, neededBytes: number): Promise<void> {
  const freeBytes = await measureFreeBytes(folder);
  if (freeBytes === null || freeBytes >= neededBytes) return;
  throw new AppError(
    'library.disk-full',
    `${folder} has ${String(freeBytes)} bytes left of ${String(neededBytes)}`,
    {
      details: { folder, neededBytes, freeBytes },
    },
  );
}
