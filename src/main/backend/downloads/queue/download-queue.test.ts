import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransferChanges } from '../downloads.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const folder = 's2/2024/scene';
const test = useDownloads(bytes);

describe('the queue', () => {
  it('goes on by itself after a restart, where it was', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
    await test.harness.restart();
    const [transfer] = await test.harness.finish(downloadId);
    expect(transfer?.state).toBe('done');
    expect(test.server.requests[1]?.headers.range).toBe(`bytes=${2_000_000 - 65_536}-`);
    expect(test.server.requests[1]?.headers['if-range']).toBe('"v1"');
    expect(test.harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
  });

  it('takes an unfinished transfer over when the same is ordered again', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const { transferId } = await test.harness.pauseAt(2_000_000);
    const second = await test.harness.start(['B04']);
    const [transfer, ...others] = await test.harness.finish(second);
    expect(transfer).toMatchObject({ transferId, state: 'done' });
    expect(others).toEqual([]);
    expect(test.harness.downloads.transfers()).toHaveLength(1);
    expect(test.server.requests[1]?.headers.range).toBe(`bytes=${2_000_000 - 65_536}-`);
  });

  it('pauses and goes on', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 1_500_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(
      downloadId,
      ({ receivedBytes }) => receivedBytes === 1_500_000,
    );
    await test.harness.downloads.pause(transferId);
    expect(test.harness.downloads.transfers()[0]).toMatchObject({
      state: 'paused',
      receivedBytes: 1_500_000,
    });
    await test.harness.restart();
    expect(test.harness.downloads.transfers()[0]?.state).toBe('paused');
    await test.harness.downloads.resume(transferId);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('survives pausing and resuming as fast as one can click', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const downloadId = await test.harness.start(['B04']);
    const [first] = test.harness.downloads.transfers();
    const transferId = first?.transferId ?? 0;
    for (let click = 0; click < 100; click += 1) {
      void test.harness.downloads.pause(transferId);
      void test.harness.downloads.resume(transferId);
      if (click % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await test.harness.downloads.resume(transferId);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(test.harness.read(`${folder}/B04.bin`).equals(bytes)).toBe(true);
  });

  it('deletes the part file of a cancelled transfer and forgets a removed one', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = () => ({ stallAfterBytes: 1_000_000 });
    const downloadId = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 0);
    expect(test.harness.files()).toEqual([
      expect.stringMatching(new RegExp(`^${folder}/B04\\.bin\\.${transferId}-[0-9a-f]{6}\\.part$`)) as string,
    ]);
    await test.harness.downloads.cancel(transferId);
    expect(test.harness.downloads.transfers()[0]?.state).toBe('cancelled');
    test.harness.time.advance(31_000);
    await poll(() => test.harness.files().length === 0 || undefined);
    await test.harness.downloads.remove(transferId);
    expect(test.harness.downloads.transfers()).toEqual([]);
    await expect(test.harness.downloads.pause(transferId)).rejects.toMatchObject({
      code: 'transfer.not-found',
    });
  });

  it('runs no more at once than it may, and puts the newest back when it may run fewer', async () => {
    test.open(Object.fromEntries([1, 2, 3, 4].map((n) => [`B${n}`, test.asset(`B${n}.bin`)])), {
      maxConcurrentTransfers: 3,
    });
    test.server.script = (index) => (index < 3 ? { stallAfterBytes: 1_000_000 } : undefined);
    const downloadId = await test.harness.start(['B1', 'B2', 'B3', 'B4']);
    const states = () => test.harness.downloads.transfers().map(({ state }) => state);
    await poll(() => states().filter((state) => state === 'downloading').length === 3 || undefined);
    expect(states()[3]).toBe('queued');
    test.harness.downloads.setMaxConcurrentTransfers(1);
    expect(states()).toEqual(['downloading', 'queued', 'queued', 'queued']);
    await test.harness.downloads.cancel(test.harness.downloads.transfers()[0]?.transferId ?? 0);
    const transfers = await test.harness.finish(downloadId);
    expect(transfers.map(({ state }) => state)).toEqual(['cancelled', 'done', 'done', 'done']);
  });

  it('tells watchers everything at first and then no more than four times a second', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const seen: TransferChanges[] = [];
    const stop = test.harness.downloads.watch((changes) => seen.push(changes));
    const downloadId = await test.harness.start(['B04']);
    await test.harness.downloads.waitUntilSettled(downloadId);
    expect(seen).toMatchObject([{ changed: [], removed: [], orders: [], isComplete: true }]);
    test.harness.time.advance(250);
    expect(seen).toHaveLength(2);
    expect(seen[1]?.changed[0]?.state).toBe('done');
    await test.harness.downloads.remove(seen[1]?.changed[0]?.transferId ?? 0);
    test.harness.time.advance(250);
    expect(seen[2]).toMatchObject({ changed: [], removed: [1], orders: [] });
    stop();
  });

  it('is driven by one process at a time', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const { createDownloads } = await import('../create-downloads.ts');
    const open = () =>
      createDownloads({
        filePath: join(test.harness.folder, 'transfers.sqlite'),
        http: {} as never,
        resolveLink: () => Promise.reject(new Error('not asked')),
        loadItem: () => Promise.reject(new Error('not asked')),
        loadCollection: () => Promise.reject(new Error('not asked')),
        clock: test.harness.time.clock,
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
        appVersion: '9.9.9',
        maxConcurrentTransfers: 1,
      });
    expect(open).toThrow(expect.objectContaining({ code: 'library.in-use' }));
  });
});
