import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../file/disk.ts';
import { createWatchedDisk } from '../file/testing/watched-disk.ts';
import type { Fault } from '../testing/fault.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const cutAt = 700_000;
const cut: Fault = { cutAfterBytes: cutAt };
const resumed = `bytes=${cutAt - 65_536}-`;

/** A disk whose calls of one name for part files fail with an error of the system for as long as `isBroken` says. */
function breakCalls(broken: { call: string; code: string; isBroken: boolean }) {
  return createWatchedDisk(systemDisk, (name, path) => {
    if (!broken.isBroken || name !== broken.call || !path.endsWith('.part')) return;
    throw Object.assign(new Error(broken.code), { code: broken.code });
  });
}

describe('disk and file system', () => {
  it.each(['ENOSPC', 'EDQUOT'])(
    'H1 waits for room after %s, and goes on when there is some',
    async (code) => {
      const broken = { call: 'write', code, isBroken: false };
      const { start, until, finish, time, destination } = trial.open({}, { disk: breakCalls(broken) });
      trial.bounds.wholes = 2;
      trial.storage.script = (index) => (index === 0 ? cut : undefined);
      const downloadId = await start(['B04']);
      await until(downloadId, ({ state }) => state === 'waiting');
      broken.isBroken = true;
      time.advance(5000);
      const { waiting } = await until(
        downloadId,
        ({ waiting: why }) => why?.error.code === 'transfer.disk-full',
      );
      expect(waiting?.resumeAt).toBe(new Date(time.clock.now() + 30_000).toISOString());
      broken.isBroken = false;
      expect((await finish(downloadId))[0]?.state).toBe('done');
      expect(destination).toBe(trial.harness.destination);
    },
  );

  it('H5 waits for a drive that was unplugged, and writes nowhere else', async () => {
    const { start, until, finish, time, destination, folder } = trial.open();
    trial.storage.script = (index) => (index === 0 ? cut : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    const away = join(folder, 'unplugged');
    renameSync(destination, away);
    time.advance(5000);
    await until(downloadId, ({ waiting: why }) => why?.error.code === 'transfer.destination-missing');
    renameSync(away, destination);
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it.each(['EACCES', 'EROFS'])('H6 asks a person, and does not try for ever, after %s', async (code) => {
    const broken = { call: 'write', code, isBroken: true };
    const { start, finish } = trial.open({}, { disk: breakCalls(broken) });
    const [transfer] = await finish(await start(['B04']));
    expect(transfer).toMatchObject({
      state: 'failed',
      error: { code: 'transfer.destination-not-writable' },
    });
  });

  it('H11 never touches a file that was there before', async () => {
    const { start, finish, destination, read } = trial.open();
    const path = join(destination, trialPath);
    mkdirSync(dirname(path), { recursive: true });
    const own = Buffer.from('somebody else’s');
    writeFileSync(path, own);
    trial.bounds.sources.push(own);
    const [transfer] = await finish(await start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(transfer?.filePath).not.toBe(path);
    expect(read(trialPath).equals(own)).toBe(true);
  });

  it('H14 fails with a word about the disk when it can not be read, after one more try', async () => {
    const broken = { call: 'datasync', code: 'EIO', isBroken: true };
    const { start, finish } = trial.open({}, { disk: breakCalls(broken) });
    trial.bounds.wholes = 3;
    const [transfer] = await finish(await start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.disk-error' } });
  });

  it('H9, H10 keeps two files of one name apart', async () => {
    const { start, finish } = trial.open();
    const [asset] = Object.values(trial.catalog.assets);
    if (asset === undefined) return;
    const keys = ['B04', 'b04', 'other'];
    const hrefs = ['/one/B04.tif', '/two/b04.TIF', '/three/B04.tif'];
    const entries = keys.map((key, index) => [
      key,
      { ...asset, href: `${trial.storage.origin}${hrefs[index]}` },
    ]);
    trial.catalog.assets = Object.fromEntries(entries) as typeof trial.catalog.assets;
    trial.harness.item.assets = Object.fromEntries(
      keys.map((key, index) => [key, { href: `s3://bucket${hrefs[index]}`, 'file:size': bytes.length }]),
    );
    Object.assign(trial.bounds, { transferCount: 3, wholes: 3, requests: 8 });
    const transfers = await finish(await start(keys));
    const names = transfers.map(({ state, filePath }) => `${state} ${filePath?.toLowerCase()}`);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name.startsWith('done ')).toBe(true);
  });

  it('H15 waits for a destination that was deleted under it, and makes none itself', async () => {
    const { start, until, finish, time, destination, folder } = trial.open();
    trial.bounds.wholes = 2;
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: cutAt } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ receivedBytes }) => receivedBytes === cutAt);
    rmSync(destination, { recursive: true });
    time.advance(60_000);
    await until(downloadId, ({ state }) => state === 'waiting');
    time.advance(60_000);
    await until(downloadId, ({ waiting: why }) => why?.error.code === 'transfer.destination-missing');
    expect(existsSync(destination)).toBe(false);
    const others = readdirSync(folder).filter((name) => !name.startsWith('transfers.sqlite'));
    expect(others).toEqual([]);
    mkdirSync(destination);
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
  });
});
