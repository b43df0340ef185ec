import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toAppError } from '#shared/errors/app-error.ts';
import { checksumOf, createHarness, makeBytes, type Harness } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { systemDisk, type Disk } from './disk.ts';
import { createWatchedDisk } from './testing/watched-disk.ts';

vi.setConfig({ testTimeout: 120_000 });

const bytes = makeBytes(150_000, 5);
const partSizes = { chunkBytes: 32_768, writeBytes: 16_384, mostWriteBytes: 32_768 };
const errnos = [
  'EIO',
  'ENOSPC',
  'EACCES',
  'EROFS',
  'ENOENT',
  'EBUSY',
  'EPERM',
  'EMFILE',
  'ESTALE',
  'EDQUOT',
  'EINVAL',
];
const sideBySide = 8;
const finalPath = 's2/2024/scene/B04.bin';

let server: FaultServer;

// What a sync is for is not looked at here, and a hundred downloads would wait for it.
const unsynced: Disk = {
  ...systemDisk,
  open: async (path, mode) => ({
    ...(await systemDisk.open(path, mode)),
    sync: () => Promise.resolve(),
    datasync: () => Promise.resolve(),
  }),
  syncFolder: () => Promise.resolve(),
};

beforeAll(async () => {
  server = await startFaultServer(bytes);
  // A cut in every download, so that it goes on as well.
  server.script = (_, { headers }) => (headers.range === undefined ? { cutAfterBytes: 90_000 } : undefined);
});

afterAll(async () => {
  await server.close();
});

/** Downloads one file on a disk whose calls may be made to fail; gives how many there were. */
async function download(failAt: number | null, errno: string, check: (harness: Harness) => Promise<void>) {
  let calls = 0;
  let failed = '';
  const disk = createWatchedDisk(unsynced, (name) => {
    calls += 1;
    if (calls !== failAt) return;
    failed = name;
    throw Object.assign(new Error(errno), { code: errno });
  });
  const asset = { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
  const harness = createHarness({ B04: asset }, { disk, partSizes });
  // A file that another program holds is asked for again after a while.
  const passing = setInterval(() => harness.time.advance(50), 5);
  try {
    await check(harness);
  } catch (error) {
    throw new Error(`Call ${failAt ?? 0}, ${failed}, ${errno}`, { cause: error });
  } finally {
    clearInterval(passing);
    await harness.close();
  }
  return calls;
}

function expectNothingWrong(harness: Harness): void {
  for (const path of harness.files().filter((name) => name.endsWith('.bin'))) {
    expect(readFileSync(join(harness.destination, path)).equals(bytes)).toBe(true);
  }
}

// Every second one: the calls between are of the same kinds, and take as long again.
describe('a disk on which any one call fails', () => {
  it('ends every time in a stated state, and the file comes when it is tried again', async () => {
    const total = await download(null, '', async (harness) => {
      expect((await harness.finish(await harness.start(['B04'])))[0]?.state).toBe('done');
    });
    expect(total).toBeGreaterThan(60);
    await Promise.all(
      Array.from({ length: sideBySide }, async (_, lane) => {
        for (let failAt = 1 + 2 * lane; failAt <= total; failAt += 2 * sideBySide) await failOnce(failAt);
      }),
    );
  });
});

async function failOnce(failAt: number): Promise<void> {
  const errno = errnos[failAt % errnos.length] ?? 'EIO';
  await download(failAt, errno, async (harness) => {
    // An order may be refused as well: nothing is queued then, and whoever ordered is told.
    const downloadId = await harness.start(['B04']).catch((thrown: unknown) => {
      expect(toAppError(thrown).code).toMatch(/^transfer\./);
      expect(harness.downloads.transfers()).toEqual([]);
      return harness.start(['B04']);
    });
    let [transfer] = await harness.finish(downloadId);
    expectNothingWrong(harness);
    if (transfer?.state === 'failed') {
      expect(transfer.error?.code).toMatch(/^transfer\./);
      await harness.downloads.resume(transfer.transferId);
      [transfer] = await harness.finish(downloadId);
    }
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expectNothingWrong(harness);
    expect(harness.read(finalPath).equals(bytes)).toBe(true);
    // Nothing half is left lying about.
    expect(harness.files().filter((name) => !/\.(bin|json)$/.test(name))).toEqual([]);
  });
}
