import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemDisk, type Disk, type DiskEntry } from './disk.ts';
import { createVolumes, type VolumeMemory } from './volumes.ts';

const gibibyte = 1024 ** 3;
const reserveBytes = 64 * 1024 * 1024;

let folder: string;
let memory: VolumeMemory;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-volumes-'));
  mkdirSync(join(folder, 'out'));
  const known = new Map<string, string>();
  memory = {
    volumeOf: (destination) => known.get(destination) ?? null,
    noteVolume: (destination, volume) => void known.set(destination, volume),
  };
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The disk with another volume at the destination. */
function mounted(changes: Partial<DiskEntry>): Disk {
  const out = join(folder, 'out');
  return {
    ...systemDisk,
    lstat: async (path) => ({ ...(await systemDisk.lstat(path)), ...(path === out ? changes : {}) }),
  };
}

const enter = (disk: Disk, partPath: string | null = null) =>
  createVolumes(disk, memory).enter(join(folder, 'out'), partPath);

describe('a destination', () => {
  it('is not entered while another volume is in its place', async () => {
    await enter(mounted({ device: '7', inode: '2' }));
    await expect(enter(mounted({ device: '1', inode: '99' }))).rejects.toMatchObject({
      code: 'transfer.destination-missing',
      details: { reason: 'OTHER_VOLUME' },
    });
    await enter(mounted({ device: '7', inode: '2' }));
  });

  it('is known again when its drive has got another number', async () => {
    await enter(mounted({ device: '7', inode: '2' }));
    await enter(mounted({ device: '8', inode: '2' }));
    await enter(mounted({ device: '8', inode: '2' }));
  });

  it('is known by the part file that lies there, where even the folder has another number', async () => {
    const part = join(folder, 'out', 'x.part');
    writeFileSync(part, '');
    await enter(mounted({ device: '7', inode: '2' }));
    await enter(mounted({ device: '8', inode: '3' }), part);
  });

  it('is not there when it is gone', async () => {
    rmSync(join(folder, 'out'), { recursive: true });
    await expect(enter(systemDisk)).rejects.toMatchObject({ code: 'transfer.destination-missing' });
  });
});

it('a destination that was deleted is told from one whose drive was unplugged', async () => {
  const out = join(folder, 'out');
  await enter(systemDisk);
  const volumes = createVolumes(systemDisk, memory);
  expect(await volumes.isDriveThere(out)).toBe(true);
  rmSync(out, { recursive: true });
  expect([await volumes.isThere(out), await volumes.isDriveThere(out)]).toEqual([false, true]);
  // What is left of the path is where the drive was mounted.
  memory.noteVolume(out, '9999:1');
  expect(await volumes.isDriveThere(out)).toBe(false);
});

describe('room', () => {
  const claimOf = (transferId: number, sizeBytes: number, leftBytes = sizeBytes) => ({
    transferId,
    folder,
    sizeBytes,
    leftBytes: () => leftBytes,
  });

  it('is shared by all files on a volume', async () => {
    const disk: Disk = { ...systemDisk, freeBytes: () => Promise.resolve(3 * gibibyte + reserveBytes) };
    const volumes = createVolumes(disk, memory);
    await volumes.claim(claimOf(1, 2 * gibibyte));
    await expect(volumes.claim(claimOf(2, 2 * gibibyte))).rejects.toMatchObject({
      code: 'transfer.disk-full',
      details: { neededBytes: 2 * gibibyte, freeBytes: gibibyte + reserveBytes, missingBytes: gibibyte },
    });
    await volumes.claim(claimOf(2, 2 * gibibyte, gibibyte));
    volumes.release(1);
    await volumes.claim(claimOf(3, 2 * gibibyte));
  });

  it('for a large file is looked for before its first byte', async () => {
    const fat32: Disk = {
      ...systemDisk,
      freeBytes: () => Promise.resolve(100 * gibibyte),
      open: async (path, mode) => ({
        ...(await systemDisk.open(path, mode)),
        truncate: () => Promise.reject(Object.assign(new Error('EFBIG'), { code: 'EFBIG' })),
      }),
    };
    const volumes = createVolumes(fat32, memory);
    await expect(volumes.claim(claimOf(1, 6 * gibibyte))).rejects.toMatchObject({
      code: 'transfer.fs-too-small',
      retryable: false,
    });
    await volumes.claim(claimOf(2, 3 * gibibyte));
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('is looked for once on each volume, and nothing is left of it', async () => {
    let probes = 0;
    const disk: Disk = {
      ...systemDisk,
      freeBytes: () => Promise.resolve(100 * gibibyte),
      open: (path, mode) => {
        probes += 1;
        return systemDisk.open(path, mode);
      },
    };
    const volumes = createVolumes(disk, memory);
    await volumes.claim(claimOf(1, 6 * gibibyte));
    await volumes.claim(claimOf(2, 6 * gibibyte));
    expect(probes).toBe(1);
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('takes away what an earlier look has left, and no file of a person', async () => {
    const pulledOut: Disk = {
      ...systemDisk,
      freeBytes: () => Promise.resolve(100 * gibibyte),
      unlink: () => Promise.reject(Object.assign(new Error('ENODEV'), { code: 'ENODEV' })),
    };
    writeFileSync(join(folder, '.swath-of-mine.part'), '');
    await createVolumes(pulledOut, memory).claim(claimOf(1, 6 * gibibyte));
    expect(readdirSync(folder)).toHaveLength(3);
    const back: Disk = { ...pulledOut, unlink: systemDisk.unlink };
    await createVolumes(back, memory).claim(claimOf(1, 6 * gibibyte));
    expect(readdirSync(folder).sort()).toEqual(['.swath-of-mine.part', 'out']);
  });
});
