import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Disk, DiskFile } from './disk.ts';
import { hasDiskCode } from './disk-error.ts';

/** From this size on a file is too large for FAT32. */
export const largeBytes = 4 * 1024 * 1024 * 1024;
const probeBytes = 1024 * 1024;
const probeName = /^\.swath-[0-9a-f]{8}\.part$/;

type ProbedDisk = Pick<Disk, 'open' | 'unlink' | 'readdir' | 'freeBytes'>;

/**
 * Whether a folder takes files beyond 4 GiB. FAT32 doesn't, which its drivers say in different words, and some only when
 * the bytes come. Throws the file system's errors.
 */
export async function takesLarge(disk: ProbedDisk, folder: string): Promise<boolean> {
  return withProbe(disk, folder, async (file) => {
    try {
      await file.truncate(largeBytes + 1);
      return true;
    } catch (error) {
      if (hasDiskCode(error, 'EFBIG', 'EINVAL')) return false;
      // exFAT needs the space for it; whether there is enough is looked at by itself.
      if (!hasDiskCode(error, 'ENOSPC')) throw error;
      return (await disk.freeBytes(folder)) < largeBytes;
    }
  });
}

/** Whether a folder takes bytes at all: of a quota that is used up a volume that is asked for its room knows nothing. */
export async function takesBytes(disk: ProbedDisk, folder: string): Promise<boolean> {
  try {
    return await withProbe(disk, folder, async (file) => {
      const bytes = Buffer.alloc(probeBytes);
      for (let position = 0; position < bytes.length;) {
        position += await file.write([bytes.subarray(position)], position);
      }
      await file.datasync();
      return true;
    });
  } catch {
    return false;
  }
}

async function withProbe<Result>(
  disk: ProbedDisk,
  folder: string,
  work: (file: DiskFile) => Promise<Result>,
): Promise<Result> {
  await deleteEarlier(disk, folder);
  const path = join(folder, `.swath-${randomUUID().slice(0, 8)}.part`);
  const file = await disk.open(path, 'create');
  try {
    return await work(file);
  } finally {
    await file.close().catch(() => undefined);
    await disk.unlink(path).catch(() => undefined);
  }
}

// What a program that was killed, or a drive that was pulled out, has left: 4 GiB where files are never sparse. Another
// program that is just looking goes on without the name.
async function deleteEarlier(disk: ProbedDisk, folder: string): Promise<void> {
  const names = await disk.readdir(folder);
  for (const name of names)
    if (probeName.test(name)) await disk.unlink(join(folder, name)).catch(() => undefined);
}
