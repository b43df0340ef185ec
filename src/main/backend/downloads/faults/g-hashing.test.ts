import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const mebibyte = 1024 * 1024;
// Several connections would take over from the one that is cut.
const limits = { ...defaultTransferLimits, connectionsPerFile: 1 };

describe('the hash of a large file', () => {
  const bytes = Buffer.alloc(64 * mebibyte, makeTiff(64 * 1024));
  const trial = useFaultTrial(bytes);

  it('G9 leaves the program free for other things', async () => {
    const { start, until } = trial.open({ checksum: null }, { limits });
    trial.bounds.wholes = 2;
    trial.storage.script = (index) => (index === 0 ? { cutAfterBytes: bytes.length - 1 } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    // After a restart all of it is still to be hashed when its last byte comes.
    await trial.harness.restart();
    const startMs = performance.now();
    let lastMs = startMs;
    let longestMs = 0;
    const look = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    await until(downloadId, ({ state }) => state === 'done');
    clearInterval(look);
    expect(longestMs).toBeLessThan((performance.now() - startMs) / 2);
  });
});

describe('the hash of a file on its way', () => {
  const bytes = makeTiff(24 * mebibyte);
  const trial = useFaultTrial(bytes);

  it('G9 is read while it comes, and not only when the last byte has come', async () => {
    let lateBytes = 0;
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        return {
          ...file,
          read: async (into, position) => {
            const count = await file.read(into, position);
            lateBytes += count;
            return count;
          },
          write: async (buffers, position) => {
            const count = await file.write(buffers, position);
            if (position + count === bytes.length) lateBytes = 0;
            return count;
          },
        };
      },
    };
    trial.open({}, { disk });
    trial.storage.bytesPerSecond = 12 * mebibyte;
    const { start, until } = trial.harness;
    await until(await start(['B04']), ({ state }) => state === 'done');
    expect(lateBytes).toBeGreaterThan(0);
    expect(lateBytes).toBeLessThan(bytes.length);
  });
});
