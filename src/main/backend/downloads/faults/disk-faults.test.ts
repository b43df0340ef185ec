import Database from 'better-sqlite3';
import { mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../file/disk-error.ts';
import {
  checksumOf,
  createHarness,
  makeBytes,
  poll,
  type Harness,
  type TestAsset,
} from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';

vi.setConfig({ testTimeout: 30_000 });

const bytes = makeBytes(3_000_000);
const filePath = 's2/2024/scene/B04.bin';
let server: FaultServer;
let harness: Harness;

beforeEach(async () => {
  server = await startFaultServer(bytes);
});

afterEach(async () => {
  await harness.close();
  await server.close();
});

function open(changes: Partial<TestAsset> = {}): void {
  const asset = { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
  harness = createHarness({ B04: { ...asset, ...changes } });
}

/** A transfer of which 2 MB came before it was paused; its next request is answered whole. */
async function pauseHalfWay(): Promise<{ downloadId: number; transferId: number }> {
  open();
  server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
  const downloadId = await harness.start(['B04']);
  const { transferId } = await harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
  await harness.downloads.pause(transferId);
  return { downloadId, transferId };
}

const ranges = () => server.requests.map(({ headers }) => headers.range ?? null);

describe('the disk', () => {
  it('may lose what it said was synced: of a chunk that is cut nothing is trusted', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    truncateSync(join(harness.destination, `${filePath}.${transferId}.part`), 700_000);
    await harness.downloads.resume(transferId);
    expect((await harness.finish(downloadId))[0]?.state).toBe('done');
    expect(ranges()[1]).toBeNull();
  });

  it('may be too full for the queue to note what it cleared away', async () => {
    open();
    server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await harness.start(['B04']);
    const { transferId } = await harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 0);
    await harness.downloads.pause(transferId);
    await harness.downloads.close();
    const queue = new Database(join(harness.folder, 'transfers.sqlite'));
    queue.exec(`UPDATE transfer SET state = 'cancelled';
      CREATE TRIGGER full BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'full'); END`);
    queue.close();
    // A rejection that nobody takes would fail the run, as it would end the program.
    await harness.restart();
    await poll(() => harness.files().length === 0 || undefined);
    expect(harness.downloads.transfers()[0]?.state).toBe('cancelled');
  });

  it('may lose the part file', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    rmSync(join(harness.destination, 's2'), { recursive: true });
    await harness.downloads.resume(transferId);
    expect((await harness.finish(downloadId))[0]?.state).toBe('done');
    expect(ranges()[1]).toBeNull();
  });

  it('may be unplugged: the transfer waits and never makes the folder elsewhere', async () => {
    open();
    server.script = (index) => (index === 0 ? { cutAfterBytes: 1_500_000 } : undefined);
    const downloadId = await harness.start(['B04']);
    await harness.until(downloadId, ({ state }) => state === 'waiting');
    const away = join(harness.folder, 'unplugged');
    renameSync(harness.destination, away);
    harness.time.advance(5000);
    const { waiting } = await harness.until(
      downloadId,
      ({ waiting: why }) => why?.error.code === 'transfer.destination-missing',
    );
    expect(waiting?.resumeAt).toBe(new Date(harness.time.clock.now() + 30_000).toISOString());
    renameSync(away, harness.destination);
    harness.time.advance(30_000);
    await harness.until(downloadId, ({ state }) => state === 'done');
    expect(ranges()[1]).toBe(`bytes=${1_500_000 - 65_536}-`);
  });

  it('may be too small, which is seen before the first byte', async () => {
    open({ sizeBytes: 2 ** 52, checksum: null });
    const downloadId = await harness.start(['B04']);
    const { waiting } = await harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error).toMatchObject({ code: 'transfer.disk-full', details: { neededBytes: 2 ** 52 } });
    expect(server.requests).toEqual([]);
  });

  it('may hold something else where the part file was', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    const partPath = join(harness.destination, `${filePath}.${transferId}.part`);
    rmSync(partPath);
    mkdirSync(partPath);
    await harness.downloads.resume(transferId);
    expect((await harness.finish(downloadId))[0]?.state).toBe('done');
  });
});

describe('toDiskError', () => {
  it.each([
    ['ENOSPC', 'transfer.disk-full'],
    ['EDQUOT', 'transfer.disk-full'],
    ['ENOENT', 'transfer.destination-missing'],
    ['ESTALE', 'transfer.destination-missing'],
    ['EACCES', 'transfer.destination-not-writable'],
    ['EROFS', 'transfer.destination-not-writable'],
    ['EIO', 'transfer.disk-error'],
  ])('makes %s %s', (errno, code) => {
    const thrown = Object.assign(new Error('x'), { code: errno });
    expect(toDiskError(thrown, '/out')).toMatchObject({ code, details: { path: '/out', reason: errno } });
  });

  it('leaves what is known already', () => {
    const known = new AppError('link.none', 'x');
    expect(toDiskError(known, '/out')).toBe(known);
  });
});
