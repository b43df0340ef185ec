import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checksumOf, createHarness, makeBytes, type Harness } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { systemDisk, type Disk } from './disk.ts';
import { createPowerLossDisk, type PowerLossImage } from './testing/power-loss-disk.ts';

vi.setConfig({ testTimeout: 120_000 });

const bytes = makeBytes(400_000, 3);
const partSizes = {
  chunkBytes: 32_768,
  writeBytes: 16_384,
  mostWriteBytes: 32_768,
  checkpointBytes: 60_000,
};
const finalPath = 's2/2024/scene/B04.bin';

/** The queue's file and the destination as a power cut finds them. */
interface Moment {
  call: string;
  queue: string;
  /** The queue's file as it was when its log was synced last. */
  settledQueue: string;
  image: PowerLossImage;
}

let server: FaultServer;
let harness: Harness;
let store: string;

afterEach(async () => {
  await harness.close();
  await server.close();
  rmSync(store, { recursive: true, force: true });
});

const queueNames = ['transfers.sqlite', 'transfers.sqlite-wal'];

function copyQueue(name: string): string {
  const queue = join(store, name);
  mkdirSync(queue);
  for (const file of queueNames) {
    const path = join(harness.folder, file);
    if (existsSync(path)) copyFileSync(path, join(queue, file));
  }
  return queue;
}

/** A disk that tells what of the queue's log a power cut leaves in any case. */
function watchLog(onSynced: (queue: string) => void): Disk {
  let count = 0;
  return {
    ...systemDisk,
    async open(path, mode) {
      const file = await systemDisk.open(path, mode);
      if (!path.endsWith('-wal')) return file;
      return {
        ...file,
        async datasync() {
          const queue = copyQueue(`synced-${(count += 1)}`);
          await file.datasync();
          onSynced(queue);
        },
      };
    },
  };
}

function random(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state / 2 ** 32;
  };
}

/** A download with a cut in the middle, and its state at each change that it makes to the disk. */
async function record(): Promise<Moment[]> {
  server = await startFaultServer(bytes);
  store = mkdtempSync(join(tmpdir(), 'swath-power-'));
  const moments: Moment[] = [];
  const asset = { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  harness = createHarness(
    { B04: asset },
    {
      partSizes,
      // So that there is a checkpoint wherever enough has come.
      clock: { now: () => (nowMs += 300) },
    },
  );
  let settledQueue: string | null = null;
  const watched = watchLog((queue) => (settledQueue = queue));
  const disk = createPowerLossDisk(watched, harness.destination, (call) => {
    const queue = copyQueue(String(moments.length));
    // The order itself was durable before anything was done about it.
    settledQueue ??= queue;
    moments.push({ call, queue, settledQueue, image: disk.image() });
  });
  await harness.restart({ disk });
  server.script = (index) => (index === 0 ? { cutAfterBytes: 250_000 } : undefined);
  await harness.finish(await harness.start(['B04']));
  return moments;
}

function putBack({ image }: Moment, queue: string, seed: number): void {
  rmSync(harness.destination, { recursive: true });
  mkdirSync(harness.destination);
  image.writeTo(harness.destination, random(seed));
  for (const name of ['transfers.sqlite', 'transfers.sqlite-wal', 'transfers.sqlite-shm']) {
    rmSync(join(harness.folder, name), { force: true });
    if (existsSync(join(queue, name))) copyFileSync(join(queue, name), join(harness.folder, name));
  }
}

interface Row {
  state: string;
  part: string | null;
  durable: number;
}

function readRow(): Row {
  const database = new Database(join(harness.folder, 'transfers.sqlite'));
  const row = database
    .prepare('SELECT state, part_path AS part, durable_bytes AS durable FROM transfer')
    .get() as Row;
  database.close();
  return row;
}

describe('a power cut', () => {
  it('I3 at any moment leaves nothing wrong under the final name, and the file comes whole', async () => {
    const moments = await record();
    await harness.downloads.close();
    expect(moments.length).toBeGreaterThan(40);
    expect(new Set(moments.map(({ call }) => call))).toEqual(
      new Set(['mkdir', 'syncFolder', 'create', 'write', 'datasync', 'sync', 'link', 'unlink', 'rename']),
    );
    const final = join(harness.destination, finalPath);
    let resumed = 0;
    // Not all, so that it ends soon; which ones is another matter each time something is added to a download.
    for (const [index, moment] of moments.entries()) {
      for (const seed of index % 2 === 0 ? [index] : []) {
        const isSettled = index % 4 === 0;
        putBack(moment, isSettled ? moment.settledQueue : moment.queue, seed);
        const where = `${moment.call} ${index}, seed ${seed}, ${isSettled ? 'settled' : 'as it is'}`;
        if (existsSync(final)) expect(readFileSync(final).equals(bytes), where).toBe(true);
        const row = readRow();
        const isFetching = ['queued', 'preparing', 'downloading', 'waiting'].includes(row.state);
        if (isFetching && row.part !== null && row.durable > 0) {
          const survivor = readFileSync(row.part);
          expect(survivor.length, where).toBeGreaterThanOrEqual(row.durable);
          expect(survivor.subarray(0, row.durable).equals(bytes.subarray(0, row.durable)), where).toBe(true);
        }
        const requests = server.requests.length;
        server.script = () => undefined;
        await harness.restart();
        const [transfer] = await harness.finish(1);
        expect(transfer, where).toMatchObject({ state: 'done', verification: 'checksum' });
        expect(readFileSync(transfer?.filePath ?? '').equals(bytes), where).toBe(true);
        if (server.requests[requests]?.headers.range !== undefined) resumed += 1;
        await harness.downloads.close();
      }
    }
    expect(resumed).toBeGreaterThan(3);
  });
});
