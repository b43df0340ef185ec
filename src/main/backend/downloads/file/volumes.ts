import { dirname } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { Disk, DiskEntry } from './disk.ts';
import { hasDiskCode, toDiskError } from './disk-error.ts';
import { largeBytes, takesLarge } from './probe-volume.ts';

/** Remembers which volume a destination was on. */
export interface VolumeMemory {
  volumeOf(destination: string): string | null;
  noteVolume(destination: string, volume: string): void;
}

/** What is asked of the volumes that transfers write to. */
export interface Volumes {
  /**
   * The real path of a destination, which must be on the volume that it was on before: the mount point of a drive that
   * was unplugged is a folder too. `partPath` is a file of the transfer that proves a volume that has another number now.
   * @throws AppError `transfer.destination-missing`, `transfer.disk-error`
   */
  enter(destination: string, partPath: string | null): Promise<string>;
  /** Whether a destination is there, and on the volume that it was on before. */
  isThere(destination: string): Promise<boolean>;
  /** Whether the volume is there that a destination was on, be it without the destination: then that was deleted. */
  isDriveThere(destination: string): Promise<boolean>;
  /** A person has chosen a destination: it is on the volume that it is on now. @throws AppError `transfer.*` */
  choose(destination: string): Promise<void>;
  /**
   * Makes sure that a file has room beside all others that are being written, until it is released.
   * @throws AppError `transfer.disk-full`, `transfer.fs-too-small`
   */
  claim(claim: SpaceClaim): Promise<void>;
  release(transferId: number): void;
}

/** Room for a file on its way. */
export interface SpaceClaim {
  transferId: number;
  /** The folder that it is in. */
  folder: string;
  /** Size of the whole. */
  sizeBytes: number;
  /** How much of it is still to come. */
  leftBytes: () => number;
}

/** Left free for the system, other programs and the sidecars: below that a volume counts as full. */
export const reserveBytes = 64 * 1024 * 1024;

/** Knowledge of volumes, kept for as long as the process runs; which is which, in a memory. */
export function createVolumes(disk: Disk, memory: VolumeMemory): Volumes {
  const claims = new Map<number, { device: string; leftBytes: () => number }>();
  const probes = new Map<string, Promise<boolean>>();

  async function isOurs(known: string, inode: string, partPath: string | null): Promise<boolean> {
    // A drive may get another number each time, but its folders keep theirs.
    if (known.split(':').at(-1) === inode) return true;
    if (partPath === null) return false;
    return disk.lstat(partPath).then(
      ({ kind }) => kind === 'file',
      () => false,
    );
  }

  async function requireLarge(folder: string, device: string): Promise<void> {
    const known = probes.get(device) ?? takesLarge(disk, folder);
    probes.set(device, known);
    // Known only once it was found out.
    const isLarge = await known.catch((error: unknown) => {
      probes.delete(device);
      throw toDiskError(error, folder);
    });
    if (isLarge) return;
    throw new AppError('transfer.fs-too-small', 'The volume takes no files of 4 GiB', {
      details: { path: folder },
    });
  }

  async function enter(destination: string, partPath: string | null): Promise<string> {
    try {
      const root = await disk.realpath(destination);
      const { device, inode, kind } = await disk.lstat(root);
      if (kind !== 'folder') throw away(destination, 'NO_FOLDER');
      const known = memory.volumeOf(destination);
      const isSame = known === null || known.split(':')[0] === device;
      if (!isSame && !(await isOurs(known, inode, partPath))) throw away(destination, 'OTHER_VOLUME');
      const volume = `${device}:${inode}`;
      if (known !== volume) memory.noteVolume(destination, volume);
      return root;
    } catch (error) {
      throw toDiskError(error, destination);
    }
  }

  function isThere(destination: string): Promise<boolean> {
    return enter(destination, null).then(
      () => true,
      () => false,
    );
  }

  // Where a drive was unplugged, what is left of the path is on another volume.
  async function isDeleted(destination: string): Promise<boolean> {
    const known = memory.volumeOf(destination);
    try {
      await disk.lstat(destination);
      return false;
    } catch (error) {
      if (known === null || !hasDiskCode(error, 'ENOENT')) return false;
    }
    const { device } = await nearestThere(dirname(destination));
    return known.split(':')[0] === device;
  }

  async function nearestThere(folder: string): Promise<DiskEntry> {
    try {
      return await disk.lstat(await disk.realpath(folder));
    } catch (error) {
      if (!hasDiskCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
      return nearestThere(dirname(folder));
    }
  }

  return {
    enter,
    isThere,
    isDriveThere: async (destination) =>
      (await isThere(destination)) || (await isDeleted(destination).catch(() => false)),
    async choose(destination) {
      try {
        const { device, inode } = await disk.lstat(await disk.realpath(destination));
        memory.noteVolume(destination, `${device}:${inode}`);
      } catch (error) {
        throw toDiskError(error, destination);
      }
    },
    async claim({ transferId, folder, sizeBytes, leftBytes }) {
      const { device } = await disk.lstat(folder);
      if (sizeBytes >= largeBytes) await requireLarge(folder, device);
      claims.delete(transferId);
      const freeBytes = await disk.freeBytes(folder);
      const neededBytes = leftBytes();
      let claimedBytes = 0;
      for (const other of claims.values()) if (other.device === device) claimedBytes += other.leftBytes();
      // The last one to come waits, not one that is under way.
      const missingBytes = neededBytes + claimedBytes + reserveBytes - freeBytes;
      if (missingBytes > 0) {
        const leftForIt = Math.max(0, freeBytes - claimedBytes);
        throw new AppError('transfer.disk-full', `There is too little space in ${folder}`, {
          details: { path: folder, neededBytes, freeBytes: leftForIt, missingBytes, reserveBytes },
          retryable: true,
        });
      }
      claims.set(transferId, { device, leftBytes });
    },
    release: (transferId) => void claims.delete(transferId),
  };
}

function away(path: string, reason: string): AppError {
  return new AppError('transfer.destination-missing', 'The destination is not where it was', {
    details: { path, reason },
    retryable: true,
  });
}
