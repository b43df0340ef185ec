import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import type { Fault } from '../testing/fault.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';
import { partOf } from '../testing/files-in.ts';

const mebibyte = 1024 * 1024;
const bytes = makeTiff(48 * mebibyte + 4321);
// Bytes that come over several connections are read back.
const limits = { ...defaultTransferLimits, connectionsPerFile: 1 };

// Time stands still in these tests, so that nothing could come faster.
describe('a file that comes faster than a disk can be written and read back', () => {
  const trial = useFaultTrial(bytes);

  /** Brings the file while faults befall the requests; gives how much of it was read back. */
  async function bring(...faults: (Fault | undefined)[]): Promise<number> {
    let readBytes = 0;
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        if (mode !== 'read' || !path.endsWith('.part')) return file;
        const read = async (into: Uint8Array, position: number) => {
          const count = await file.read(into, position);
          readBytes += count;
          return count;
        };
        return { ...file, read };
      },
    };
    const { start, finish } = trial.open({}, { disk, limits });
    Object.assign(trial.bounds, { requests: 12, wholes: 2 });
    trial.storage.script = (index) => faults[index];
    const [transfer] = await finish(await start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
    return readBytes;
  }

  it('is hashed as it is given to the disk, and hardly read back', async () => {
    expect(await bring()).toBeLessThan(bytes.length * 0.75);
  });

  it('is put right where a bit of it was wrong', async () => {
    expect(await bring({ flippedByte: 40 * mebibyte })).toBeGreaterThanOrEqual(bytes.length);
  });

  it('goes on where a connection broke, at whatever byte', async () => {
    await bring({ cutAfterBytes: 29_999_999 }, { cutAfterBytes: 7_777_777 });
  });

  it.each<[what: string, harm: (partPath: string, folder: string) => void]>([
    [
      'another takes its place',
      (partPath, folder) => {
        const other = join(folder, 'other');
        writeFileSync(other, makeTiff(bytes.length, 9));
        renameSync(other, partPath);
      },
    ],
    ['another program cuts it off', (partPath) => truncateSync(partPath, 5 * mebibyte)],
  ])('comes whole although %s', async (_what, harm) => {
    const { start, until, finish, destination, folder } = trial.open({}, { limits });
    Object.assign(trial.bounds, { requests: 12, wholes: 3 });
    trial.storage.script = (index) => (index === 0 ? { bytesPerSecond: 80 * mebibyte } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ receivedBytes }) => receivedBytes > 39 * mebibyte);
    harm(partOf(join(destination, trialPath)), folder);
    const [transfer] = await finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
  });

  it('comes whole although its beginning was damaged while the program was away', async () => {
    const { start, until, finish, destination, downloads, restart } = trial.open({}, { limits });
    Object.assign(trial.bounds, { requests: 12, wholes: 3 });
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: 30 * mebibyte } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ receivedBytes }) => receivedBytes > 29 * mebibyte);
    await downloads.close();
    const part = openSync(partOf(join(destination, trialPath)), 'r+');
    writeSync(part, 'mine', 3 * mebibyte);
    closeSync(part);
    await restart();
    const [transfer] = await finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
  });
});
