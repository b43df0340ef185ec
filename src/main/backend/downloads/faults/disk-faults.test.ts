import Database from 'better-sqlite3';
import { existsSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../file/disk-error.ts';
import { partNotePath } from '../file/part-note.ts';
import { makeBytes, poll, type TestAsset } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';
import { partOf } from '../testing/files-in.ts';

const bytes = makeBytes(3_000_000);
const filePath = 's2/2024/scene/B04.bin';
const test = useDownloads(bytes);

function open(changes: Partial<TestAsset> = {}): void {
  test.open({ B04: test.asset('B04.bin', changes) });
}

/** A transfer of which 2 MB came before it was paused; its next request is answered whole. */
async function pauseHalfWay(): Promise<{ downloadId: number; transferId: number }> {
  open();
  test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
  return test.harness.pauseAt(2_000_000);
}

const ranges = () => test.server.requests.map(({ headers }) => headers.range ?? null);

describe('the disk', () => {
  it('may lose what it said was synced: of a chunk that is cut nothing is trusted', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    truncateSync(partOf(join(test.harness.destination, filePath)), 700_000);
    await test.harness.downloads.resume(transferId);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(ranges()[1]).toBeNull();
  });

  it('may be too full for the queue to note what it cleared away', async () => {
    open();
    test.server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 0);
    await test.harness.downloads.pause(transferId);
    await test.harness.downloads.close();
    const queue = new Database(join(test.harness.folder, 'transfers.sqlite'));
    queue.exec(`UPDATE transfer SET state = 'cancelled';
      CREATE TRIGGER full BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'full'); END`);
    queue.close();
    // A rejection that nobody takes would fail the run, as it would end the program.
    await test.harness.restart();
    await poll(() => test.harness.files().length === 0 || undefined);
    expect(test.harness.downloads.transfers()[0]?.state).toBe('cancelled');
  });

  it('may lose the part file', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    rmSync(join(test.harness.destination, 's2'), { recursive: true });
    await test.harness.downloads.resume(transferId);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(ranges()[1]).toBeNull();
  });

  it('may be unplugged: the transfer waits and never makes the folder elsewhere', async () => {
    open();
    test.server.script = (index) => (index === 0 ? { cutAfterBytes: 1_500_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    const away = join(test.harness.folder, 'unplugged');
    renameSync(test.harness.destination, away);
    test.harness.time.advance(5000);
    const { waiting } = await test.harness.until(
      downloadId,
      ({ waiting: why }) => why?.error.code === 'transfer.destination-missing',
    );
    expect(waiting?.resumeAt).toBe(new Date(test.harness.time.clock.now() + 30_000).toISOString());
    renameSync(away, test.harness.destination);
    test.harness.time.advance(30_000);
    await test.harness.until(downloadId, ({ state }) => state === 'done');
    expect(ranges()[1]).toBe(`bytes=${1_500_000 - 65_536}-`);
  });

  it('may be too small, which is seen before the first byte', async () => {
    open({ sizeBytes: 2 ** 52, checksum: null });
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error).toMatchObject({ code: 'transfer.disk-full', details: { neededBytes: 2 ** 52 } });
    expect(test.server.requests).toEqual([]);
  });

  it('may hold something else where the part file was', async () => {
    const { downloadId, transferId } = await pauseHalfWay();
    const partPath = partOf(join(test.harness.destination, filePath));
    rmSync(partPath);
    mkdirSync(partPath);
    writeFileSync(partNotePath(partPath), '{}');
    await test.harness.downloads.resume(transferId);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(existsSync(partPath), 'it is somebody else’s').toBe(true);
    expect(existsSync(partNotePath(partPath)), 'nobody takes it for an unfinished file').toBe(false);
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
