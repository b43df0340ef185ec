import { constants } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { beforeWholePages, wholePages } from './whole-pages.ts';

// What comes before is not worth another open file.
const leastBytes = 4 * 1024 * 1024;
// ext2 to ext4, and XFS. Others take it and copy all the same (btrfs with checksums, tmpfs), or wait for a server each time.
const worthwhile: ReadonlySet<number> = new Set([0xef53, 0x58465342]);

/**
 * The way of large files to the disk past the system's cache, where there is one (Linux, local disks): nothing is copied, and
 * nothing else is pushed out of memory for what nobody reads soon. What isn't whole pages, at the end of a file or of what
 * came, goes through the cache; the system keeps the two ways apart within one file.
 */
export interface DirectFile {
  /** Writes the first of some buffers; gives how many bytes were taken, which may be fewer than there are. */
  write(buffers: readonly Uint8Array[], positionBytes: number): Promise<number>;
  close(): Promise<void>;
}

/** The way to an open file. */
export function openDirectly(file: FileHandle): DirectFile {
  let opening: Promise<FileHandle | null> | null = null;

  async function writeCached(buffers: readonly Uint8Array[], positionBytes: number): Promise<number> {
    return (await file.writev(buffers, positionBytes)).bytesWritten;
  }

  // A file system may find out only now that it can't.
  async function giveUp(handle: FileHandle): Promise<void> {
    opening = Promise.resolve(null);
    await handle.close();
  }

  return {
    async write(buffers, positionBytes) {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
      if (positionBytes + bytes > leastBytes) opening ??= openAgain(file);
      const handle = await opening;
      if (handle === null) return writeCached(buffers, positionBytes);
      const pages = wholePages(buffers, positionBytes);
      if (pages.length === 0) return writeCached(beforeWholePages(buffers, positionBytes), positionBytes);
      try {
        return (await handle.writev(pages, positionBytes)).bytesWritten;
      } catch (error) {
        if (!isRefused(error)) throw error;
        await giveUp(handle);
        return writeCached(buffers, positionBytes);
      }
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

// By the open file itself: by its path another might be met by now.
async function openAgain(file: FileHandle): Promise<FileHandle | null> {
  const path = `/proc/self/fd/${String(file.fd)}`;
  try {
    // Not known to Windows and macOS.
    if (!('O_DIRECT' in constants) || !worthwhile.has((await statfs(path)).type)) return null;
    return await open(path, constants.O_DIRECT | constants.O_WRONLY);
  } catch {
    return null;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EINVAL';
}
