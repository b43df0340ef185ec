import { constants, type BigIntStats } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  statfs,
  unlink,
  utimes,
  type FileHandle,
} from 'node:fs/promises';
import { openDirectly } from './direct-file.ts';

/**
 * How a file is opened: `read`; `update` an existing regular file, never through a symbolic link; `create` a new one, which
 * fails with EEXIST where anything has the name.
 */
export type OpenMode = 'read' | 'update' | 'create';

/** What a path names, links not followed. */
export interface DiskEntry {
  kind: 'file' | 'folder' | 'other';
  sizeBytes: number;
  /** Which volume it is on, and which file it is there. */
  device: string;
  inode: string;
  /** How many names it has there: more than one where there are hard links to it. */
  nameCount: number;
  /** When it was last written to, as exactly as the file system knows it; to be compared only. */
  modified: string;
}

/** An open file. Methods throw the system's own errors. */
export interface DiskFile {
  /** Fills `into` from a position on; gives how many bytes there were, fewer only at the file's end. */
  read(into: Uint8Array, positionBytes: number): Promise<number>;
  /**
   * Writes buffers one after the other at a position; gives how many bytes were taken, which may be fewer. What
   * `skipsCache` isn't read again soon.
   */
  write(
    buffers: readonly Uint8Array[],
    positionBytes: number,
    options?: { skipsCache?: boolean },
  ): Promise<number>;
  /** Brings the data, and the size that it needs, to the disk. */
  datasync(): Promise<void>;
  sync(): Promise<void>;
  truncate(lengthBytes: number): Promise<void>;
  sizeBytes(): Promise<number>;
  /**
   * Its size where a path names this very file now, links not followed, and the disk has something for all of it; else
   * null. Disks that compress have less than that too.
   */
  filledBytesAt(path: string): Promise<number | null>;
  close(): Promise<void>;
}

/** Everything that downloads ask of a file system, so that tests can let any of it fail. Throws the system's errors. */
export interface Disk {
  open(path: string, mode: OpenMode): Promise<DiskFile>;
  link(from: string, to: string): Promise<void>;
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** One level; EEXIST where anything has the name. */
  mkdir(path: string): Promise<void>;
  lstat(path: string): Promise<DiskEntry>;
  realpath(path: string): Promise<string>;
  /** Names in a folder. */
  readdir(path: string): Promise<string[]>;
  /** Space that this user may still fill, of the volume that a path is on. */
  freeBytes(path: string): Promise<number>;
  setModified(path: string, timeMs: number): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

// Windows has no such flags.
const { noFollow, noWait } =
  process.platform === 'win32'
    ? { noFollow: 0, noWait: 0 }
    : { noFollow: constants.O_NOFOLLOW, noWait: constants.O_NONBLOCK };
const flags: Readonly<Record<OpenMode, number>> = {
  // A pipe in a file's place would be waited for until somebody writes into it.
  read: constants.O_RDONLY | noWait,
  // Through a symbolic link put in its place, a part would be written anywhere.
  update: constants.O_RDWR | noFollow,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow,
};

/** The computer's own file systems. */
export const systemDisk: Disk = {
  open: async (path, mode) => toDiskFile(await open(path, flags[mode])),
  link,
  rename,
  unlink,
  async mkdir(path) {
    await mkdir(path);
  },
  lstat: async (path) => toEntry(await lstat(path, { bigint: true })),
  realpath: (path) => realpath(path),
  readdir: (path) => readdir(path),
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
  setModified: (path, timeMs) => utimes(path, timeMs / 1000, timeMs / 1000),
  async syncFolder(path) {
    const folder = await open(path, constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

function toDiskFile(file: FileHandle): DiskFile {
  const direct = openDirectly(file);
  return {
    read: async (into, positionBytes) => readFully(file, into, positionBytes),
    write: async (buffers, positionBytes, { skipsCache = false } = {}) => {
      if (skipsCache) return direct.write(buffers, positionBytes);
      return (await file.writev(buffers, positionBytes)).bytesWritten;
    },
    datasync: () => file.datasync(),
    sync: () => file.sync(),
    truncate: (lengthBytes) => file.truncate(lengthBytes),
    sizeBytes: async () => (await file.stat()).size,
    async filledBytesAt(path) {
      const nothing = () => null;
      const [ours, found] = await Promise.all([
        file.stat({ bigint: true }),
        lstat(path, { bigint: true }).catch(nothing),
      ]);
      const isNamed = found?.ino === ours.ino && found.dev === ours.dev;
      // POSIX counts in units of 512 bytes.
      return isNamed && ours.blocks * 512n >= ours.size ? Number(ours.size) : null;
    },
    async close() {
      await direct.close().finally(() => file.close());
    },
  };
}

// Network file systems give less than was asked for when it suits them.
async function readFully(file: FileHandle, into: Uint8Array, positionBytes: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, positionBytes + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

function toEntry(found: BigIntStats): DiskEntry {
  return {
    kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other',
    sizeBytes: Number(found.size),
    device: String(found.dev),
    inode: String(found.ino),
    nameCount: Number(found.nlink),
    modified: String(found.mtimeNs),
  };
}
