import { lstat } from 'node:fs/promises';
import { systemDisk, type Disk, type DiskFile } from '../file/disk.ts';

/** A volume that holds no more than told, and may fail altogether. */
export interface SmallVolume {
  /** What still fits. */
  roomBytes: number;
  /** What it says when nothing does. A quota isn't known to whoever asks the volume for its room. */
  fullCode: 'ENOSPC' | 'EDQUOT';
  /** Whether it says so only when it is asked to bring the bytes to the disk, as some shares do. */
  isLate: boolean;
  /** How often it was read from. */
  readCount: number;
  /** Every call fails with it, as on a drive that is pulled out; null while it is there. */
  goneCode: string | null;
  /** Every change fails with it; null while it may be changed. */
  lockedCode: string | null;
}

/** A volume without room, all there. */
export function createSmallVolume(changes: Partial<SmallVolume> = {}): SmallVolume {
  const usual = { isLate: false, readCount: 0, goneCode: null, lockedCode: null };
  return { roomBytes: 0, fullCode: 'ENOSPC', ...usual, ...changes };
}

const plenty = 1024 ** 4;

/** The computer's disk, but for some folders that are volumes of their own; there may be more later. */
export function createSmallVolumes(volumes: Readonly<Record<string, SmallVolume>>): Disk {
  /** Where the last write to a file ends. */
  const writtenTo = new Map<string, number>();

  function volumeOf(path: string): [string, SmallVolume] | null {
    const folders = Object.keys(volumes);
    const folder = folders.find((one) => path === one || path.startsWith(`${one}/`));
    const volume = folder === undefined ? undefined : volumes[folder];
    return folder === undefined || volume === undefined ? null : [folder, volume];
  }

  function check(path: string, { isChange = false } = {}): SmallVolume | null {
    const [, volume] = volumeOf(path) ?? [];
    if (volume?.goneCode) throw systemError(volume.goneCode);
    if (isChange && volume?.lockedCode) throw systemError(volume.lockedCode);
    return volume ?? null;
  }

  function sync(path: string): void {
    const volume = check(path, { isChange: true });
    if (volume !== null && volume.roomBytes < 0) throw systemError(volume.fullCode);
  }

  function watch(path: string, file: DiskFile): DiskFile {
    return {
      ...file,
      async read(into, position) {
        const volume = check(path);
        if (volume !== null) volume.readCount += 1;
        return file.read(into, position);
      },
      async write(buffers, position) {
        const volume = check(path, { isChange: true });
        if (volume === null) return file.write(buffers, position);
        const bytes = Buffer.concat(buffers);
        const presentBytes = await file.sizeBytes();
        // Another write may be on its way.
        const sizeBytes = Math.max(presentBytes, writtenTo.get(path) ?? 0);
        const fits = Math.max(0, sizeBytes - position) + volume.roomBytes;
        if (fits <= 0 && !volume.isLate) throw systemError(volume.fullCode);
        // The first write takes what still fits, as a real disk does.
        const taken = volume.isLate ? bytes : bytes.subarray(0, fits);
        const endBytes = Math.max(sizeBytes, position + taken.length);
        volume.roomBytes -= endBytes - sizeBytes;
        writtenTo.set(path, endBytes);
        return file.write([taken], position);
      },
      datasync: async () => (sync(path), file.datasync()),
      sync: async () => (sync(path), file.sync()),
      async truncate(lengthBytes) {
        const volume = check(path, { isChange: true });
        if (volume !== null) volume.roomBytes += Math.max(0, (await file.sizeBytes()) - lengthBytes);
        writtenTo.delete(path);
        await file.truncate(lengthBytes);
      },
      sizeBytes: async () => (check(path), file.sizeBytes()),
    };
  }

  return {
    async open(path, mode) {
      check(path, { isChange: mode !== 'read' });
      return watch(path, await systemDisk.open(path, mode));
    },
    link: async (from, to) => (check(to, { isChange: true }), systemDisk.link(from, to)),
    rename: async (from, to) => (check(to, { isChange: true }), systemDisk.rename(from, to)),
    async unlink(path) {
      const volume = check(path, { isChange: true });
      const { size, nlink } = await lstat(path);
      await systemDisk.unlink(path);
      writtenTo.delete(path);
      if (volume !== null && nlink === 1) volume.roomBytes += size;
    },
    mkdir: async (path) => (check(path, { isChange: true }), systemDisk.mkdir(path)),
    async lstat(path) {
      check(path);
      const found = await systemDisk.lstat(path);
      const [folder] = volumeOf(path) ?? [];
      return folder === undefined ? found : { ...found, device: `volume ${folder}` };
    },
    realpath: async (path) => (check(path), systemDisk.realpath(path)),
    readdir: async (path) => (check(path), systemDisk.readdir(path)),
    async freeBytes(path) {
      const volume = check(path);
      if (volume === null) return systemDisk.freeBytes(path);
      return volume.fullCode === 'EDQUOT' ? plenty : Math.max(0, volume.roomBytes);
    },
    setModified: async (path, timeMs) => (
      check(path, { isChange: true }),
      systemDisk.setModified(path, timeMs)
    ),
    syncFolder: async (path) => (check(path), systemDisk.syncFolder(path)),
  };
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
