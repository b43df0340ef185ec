import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { filesIn } from '../testing/files-in.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const test = useDownloads(bytes);
const half = 1_500_000;

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function makeFolder(name: string): string {
  const path = join(test.harness.folder, name);
  mkdirSync(path);
  return path;
}

/** Brings the first half of B04, and stops there. */
async function bringHalf(disk?: Disk): Promise<Transfer> {
  test.open({ B04: test.asset('B04.bin') }, disk === undefined ? {} : { disk });
  test.server.script = (index) => (index === 0 ? { cutAfterBytes: half } : undefined);
  const downloadId = await test.harness.start(['B04']);
  await test.harness.until(downloadId, ({ state }) => state === 'waiting');
  await test.harness.downloads.pause({ downloadId });
  return test.harness.until(downloadId, ({ state }) => state === 'paused');
}

async function finishIn(folder: string, transferId: number): Promise<Transfer> {
  const { downloads } = test.harness;
  const { downloadId } = downloads.transfer(transferId);
  await downloads.resume(transferId);
  await test.harness.finish(downloadId);
  const transfer = downloads.transfer(transferId);
  expect(transfer).toMatchObject({ state: 'done', filePath: join(folder, 's2/2024/scene/B04.bin') });
  expect(filesIn(folder)).toEqual([
    'catalog.json',
    's2/2024/scene/B04.bin',
    's2/2024/scene/item.json',
    's2/2024/scene/receipt.json',
    's2/collection.json',
  ]);
  return transfer;
}

describe('another folder', () => {
  it('has the bytes that came already, and all that belongs to a file', async () => {
    const { transferId, downloadId, receivedBytes } = await bringHalf();
    const other = makeFolder('other');
    const sent = await test.harness.downloads.sendTo(transferId, other);
    expect(sent).toEqual({ count: 1, anewCount: 0 });
    expect(test.harness.downloads.orders()).toMatchObject([{ downloadId, destination: other }]);
    const before = test.server.requests.length;
    await finishIn(other, transferId);
    expect(receivedBytes).toBeGreaterThan(1_000_000);
    expect(test.server.requests.slice(before).every(({ headers }) => headers.range !== undefined)).toBe(true);
    expect(filesIn(test.harness.destination)).toEqual([]);
  });

  it('has a copy where it is another volume', async () => {
    const isApart = (from: string, to: string): boolean => from.includes('/out/') && to.includes('/other/');
    const { transferId } = await bringHalf({
      ...systemDisk,
      link: (from, to) =>
        isApart(from, to) ? Promise.reject(systemError('EXDEV')) : systemDisk.link(from, to),
      rename: (from, to) =>
        isApart(from, to) ? Promise.reject(systemError('EXDEV')) : systemDisk.rename(from, to),
    });
    const other = makeFolder('other');
    await test.harness.downloads.sendTo(transferId, other);
    const before = test.server.requests.length;
    await finishIn(other, transferId);
    expect(test.server.requests.slice(before).every(({ headers }) => headers.range !== undefined)).toBe(true);
    expect(filesIn(test.harness.destination)).toEqual([]);
  });

  it('takes over what a crash has left of bringing', async () => {
    const { transferId } = await bringHalf();
    const other = makeFolder('other');
    await test.harness.downloads.sendTo(transferId, other);
    const [part = ''] = filesIn(test.harness.destination).filter((path) => path.endsWith('.part'));
    mkdirSync(join(other, 's2/2024/scene'), { recursive: true });
    renameSync(join(test.harness.destination, part), join(other, part));
    await finishIn(other, transferId);
  });

  it('begins anew, and says so, where the old one is gone', async () => {
    const { transferId } = await bringHalf();
    const other = makeFolder('other');
    rmSync(test.harness.destination, { recursive: true });
    expect(await test.harness.downloads.sendTo(transferId, other)).toEqual({ count: 1, anewCount: 1 });
    expect(test.harness.downloads.transfer(transferId)).toMatchObject({ state: 'paused', receivedBytes: 0 });
    await finishIn(other, transferId);
  });

  it('lets those go on by themselves that failed for their folder', async () => {
    test.open(
      { B04: test.asset('B04.bin') },
      {
        disk: {
          ...systemDisk,
          mkdir: (path) =>
            path.includes('/out/') ? Promise.reject(systemError('EROFS')) : systemDisk.mkdir(path),
        },
      },
    );
    const [failed] = await test.harness.finish(await test.harness.start(['B04']));
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'transfer.destination-not-writable' } });
    const other = makeFolder('other');
    await test.harness.downloads.sendTo({ states: ['failed'] }, other);
    await test.harness.finish(failed?.downloadId ?? 0);
    expect(existsSync(join(other, 's2/2024/scene/B04.bin'))).toBe(true);
  });

  it('takes those that run with them, and leaves those that are done', async () => {
    test.open({ A: test.asset('A.bin'), B04: test.asset('B04.bin') });
    const downloadId = await test.harness.start(['A']);
    await test.harness.finish(downloadId);
    test.server.script = (index) => (index === 1 ? { stallAfterBytes: half } : undefined);
    const running = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(
      running,
      ({ receivedBytes }) => receivedBytes > 1_000_000,
    );
    const other = makeFolder('other');
    expect(await test.harness.downloads.sendTo({}, other)).toMatchObject({ count: 1 });
    await poll(() => test.harness.downloads.transfer(transferId).state === 'done' || undefined);
    expect(existsSync(join(other, 's2/2024/scene/B04.bin'))).toBe(true);
    expect(filesIn(test.harness.destination).filter((path) => path.endsWith('.bin'))).toEqual([
      's2/2024/scene/A.bin',
    ]);
  });

  it('makes a part of an order when not all of it goes there', async () => {
    test.open({ A: test.asset('A.bin'), B: test.asset('B.bin'), C: test.asset('C.bin') });
    await test.harness.downloads.pauseQueue();
    const downloadId = await test.harness.start(['A', 'B', 'C']);
    const ids = test.harness.downloads.transfers().map(({ transferId }) => transferId);
    const other = makeFolder('other');
    for (const transferId of ids.slice(0, 2)) await test.harness.downloads.sendTo(transferId, other);
    expect(test.harness.downloads.orders().map(({ destination }) => destination)).toEqual([
      test.harness.destination,
      other,
    ]);
    await test.harness.downloads.sendTo({ downloadId }, other);
    expect(test.harness.downloads.orders()).toHaveLength(1);
    test.harness.downloads.resumeQueue();
    await poll(() => test.harness.downloads.transfers().every(({ state }) => state === 'done') || undefined);
    expect(filesIn(other).filter((path) => path.endsWith('.bin'))).toHaveLength(3);
  });

  it('leaves to each file its item when only some files of many items go there', async () => {
    test.open({ A: test.asset('A.bin'), B: test.asset('B.bin'), C: test.asset('C.bin') });
    const { downloads, destination, item } = test.harness;
    await downloads.pauseQueue();
    const items = ['one', 'two', 'three'].map((id) => ({
      ref: { collectionId: 's2', itemId: id },
      item: { ...item, id },
      wanted: ['A', 'B', 'C'],
    }));
    const what = {
      title: 'Fields',
      origin: { kind: 'selection' },
      priority: 'normal',
      links: 'auto',
    } as const;
    await downloads.order({ connectionId: 'test', destination, ...what, items, itemCount: 3 });
    const listed = () => downloads.transfers().map(({ itemId, assetKey }) => `${itemId} ${assetKey}`);
    const before = listed();
    const idsOf = (...keys: string[]) =>
      downloads.transfers().flatMap((one) => (keys.includes(one.assetKey) ? one.transferId : []));
    const other = makeFolder('other');
    await downloads.sendTo({ transferIds: idsOf('B') }, other);
    expect(listed()).toEqual(before);
    expect(downloads.orders()).toHaveLength(2);
    // To those that are there already.
    await downloads.sendTo({ transferIds: idsOf('A', 'C') }, other);
    expect(listed()).toEqual(before);
    expect(downloads.orders()).toMatchObject([{ title: 'Fields', destination: other }]);
  });

  it('was used when files were sent there, and keeps the time of that over a restart', async () => {
    const uses: { destination: string; usedAtMs: number }[] = [];
    const noteDestination = (used: (typeof uses)[number]) => uses.push(used);
    test.open({ B04: test.asset('B04.bin') }, { noteDestination });
    const { downloads, destination, time } = test.harness;
    await downloads.pauseQueue();
    const orderedAtMs = time.clock.now();
    await test.harness.start(['B04']);
    time.advance(1000);
    const other = makeFolder('other');
    await downloads.sendTo({}, other);
    time.advance(1000);
    await test.harness.restart();
    expect(uses.map(({ destination: path, usedAtMs }) => [path, usedAtMs - orderedAtMs])).toEqual([
      [destination, 0],
      [other, 1000],
      // The order's own time: whoever was told of a later use keeps that.
      [other, 0],
    ]);
  });

  it('refuses a folder that is not there', async () => {
    const { transferId } = await bringHalf();
    await expect(
      test.harness.downloads.sendTo(transferId, join(test.harness.folder, 'nowhere')),
    ).rejects.toMatchObject({ code: 'transfer.destination-missing' });
  });
});
