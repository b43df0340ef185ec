import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { poll } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const cutAt = 400_000;
const resumed = `bytes=${cutAt - 65_536}-`;
const queueFiles = ['', '-wal'].map((end) => `transfers.sqlite${end}`);

/** A transfer whose first connection has fallen silent. */
async function stall(): Promise<number> {
  trial.open();
  trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: cutAt } : undefined);
  const downloadId = await trial.harness.start(['B04']);
  await trial.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === cutAt);
  return downloadId;
}

describe('the queue’s file', () => {
  it('I5 goes on from before, when its last commits are lost and the bytes are there', async () => {
    const { start, until, finish, time, folder } = trial.open();
    trial.bounds.wholes = 2;
    trial.storage.script = (index) => [{ cutAfterBytes: cutAt }, { cutAfterBytes: 400_000 }][index];
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    for (const name of queueFiles) copyFileSync(join(folder, name), join(folder, `${name}.before`));
    time.advance(5000);
    await until(downloadId, ({ receivedBytes, state }) => state === 'waiting' && receivedBytes > cutAt);
    await trial.harness.downloads.close();
    for (const name of queueFiles) {
      rmSync(join(folder, name), { force: true });
      copyFileSync(join(folder, `${name}.before`), join(folder, name));
    }
    await trial.harness.restart();
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.ranges()).toEqual([null, resumed, resumed]);
  });
});

describe('the program', () => {
  it('I9 goes on where it was when it is ended for an update in the middle of a file', async () => {
    const downloadId = await stall();
    await trial.harness.restart({ appVersion: '10.0.0' });
    expect((await trial.harness.finish(downloadId))[0]).toMatchObject({ state: 'done' });
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('I9 is no death of a file that is getting its name, however often it is ended meanwhile', async () => {
    let isLocked = true;
    let triedCount = 0;
    const unlessLocked =
      (work: (from: string, to: string) => Promise<void>) =>
      (from: string, to: string): Promise<void> => {
        if (!isLocked || !from.endsWith('.part')) return work(from, to);
        triedCount += 1;
        return Promise.reject(Object.assign(new Error('EBUSY'), { code: 'EBUSY' }));
      };
    const disk: Disk = {
      ...systemDisk,
      link: unlessLocked(systemDisk.link),
      rename: unlessLocked(systemDisk.rename),
    };
    const { start, until, restart, finish } = trial.open({}, { disk });
    const downloadId = await start(['B04']);
    for (let ends = 0; ends < 4; ends += 1) {
      const isThere = ({ state }: Transfer) => state === 'finalizing' || state === 'failed';
      expect((await until(downloadId, isThere)).state).toBe('finalizing');
      // It waits for the file to be let go, by a clock that stands still.
      await poll(() => triedCount > 0 || undefined);
      await trial.harness.downloads.close();
      triedCount = 0;
      await restart();
    }
    isLocked = false;
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.ranges()).toEqual([null]);
  });

  it('I10 is ended at once whatever it waits for, and keeps every byte', async () => {
    const keys = trial.openMany(4, {}, { maxConcurrentTransfers: 4 });
    const { start } = trial.harness;
    trial.storage.script = (_index, { path }) =>
      ({
        '/B0.tif': { stallAfterBytes: cutAt },
        '/B1.tif': { isSilent: true },
        '/B2.tif': { status: 503, headers: { 'retry-after': '100' } },
      })[path];
    trial.api.script = (_index, { headers }) =>
      headers['x-proxy-asset-urls'] === 'true' ? { isSilent: true } : undefined;
    await start(keys.slice(0, 3), 'signed');
    await start(keys.slice(3), 'proxy');
    const received = () => trial.harness.downloads.transfers().map(({ receivedBytes }) => receivedBytes);
    await poll(() => (received()[0] === cutAt && trial.api.requests.length === 2) || undefined);
    const startMs = performance.now();
    // No time passes by the clock that retries and watchdogs go by.
    await trial.harness.downloads.close();
    expect(performance.now() - startMs).toBeLessThan(5000);
    await trial.harness.restart({ isAtRest: true });
    expect(received()[0]).toBe(cutAt);
  });
});
