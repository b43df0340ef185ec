import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksumOf, makeBytes, poll } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { spawnDownloads } from '../testing/spawn-downloads.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const canMount = spawnSync('sh', ['-c', 'unshare -rm mount -t tmpfs none "$0"', tmpdir()]).status === 0;

// A small volume of its own, which only the process that keeps the queue there can see.
describe.skipIf(!canMount)(
  'a disk that is full for the queue itself (skipped without user namespaces)',
  () => {
    const bytes = makeBytes(300_000);
    let server: FaultServer;
    let folder: string;

    beforeEach(async () => {
      server = await startFaultServer(bytes);
      folder = mkdtempSync(join(tmpdir(), 'swath-full-'));
      for (const name of ['queue', 'out']) mkdirSync(join(folder, name));
    });

    afterEach(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('H2 says so, stops nothing for good, and loses no row', async () => {
      server.bytesPerSecond = 300_000;
      const keys = Array.from({ length: 6 }, (_, index) => `B${index}`);
      const known = { sizeBytes: bytes.length, checksum: checksumOf(bytes) };
      const assets = Object.fromEntries(
        keys.map((key) => [key, { href: `${server.origin}/${key}.bin`, ...known }]),
      );
      const queue = join(folder, 'queue');
      const order = {
        filePath: join(queue, 'transfers.sqlite'),
        destination: join(folder, 'out'),
        assets,
        hurry: 50,
        slots: 3,
      };
      const running = spawnDownloads(order, { volumeAt: queue });
      await running.isQueued;
      const filler = join('/proc', String(running.pid), 'root', queue, 'filler');
      await poll(() => (server.sentBytes > 100_000 ? true : undefined));
      expect(() => fill(filler)).toThrow('ENOSPC');
      // It has tried again in vain.
      await running.hasLogged('queue.stuck', 4);
      await running.hasLogged('held: transfer.disk-full', 1);
      expect(() => fill(filler)).toThrow('ENOSPC');
      rmSync(filler);
      const transfers = await running.transfers;
      expect(transfers?.map(({ state, verification }) => `${state} ${verification}`)).toEqual(
        keys.map(() => 'done checksum'),
      );
    });
  },
);

function fill(path: string): void {
  for (const size of [65_536, 4096, 512]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size, 'x'));
    } catch (error) {
      if (size === 512) throw error;
    }
  }
}

describe('a queue that can’t be written', () => {
  const trial = useFaultTrial(makeTiff(300_000));

  /** Has every change of a table refused, as by a full disk, until the way back is called. */
  async function refuse(what: string): Promise<() => Promise<void>> {
    const { downloads, folder } = trial.harness;
    const change = async (sql: string) => {
      await trial.harness.downloads.close();
      const database = new Database(join(folder, 'transfers.sqlite'));
      database.exec(sql);
      database.close();
      await trial.harness.restart();
    };
    expect(downloads).toBe(trial.harness.downloads);
    await change(`CREATE TRIGGER full BEFORE ${what} BEGIN SELECT RAISE(FAIL, 'full'); END`);
    return () => change('DROP TRIGGER full');
  }

  it('H2 says so to whoever orders, and keeps what was there', async () => {
    trial.open();
    const back = await refuse('INSERT ON transfer');
    await expect(trial.harness.start(['B04'])).rejects.toThrow();
    expect(trial.harness.downloads.transfers()).toEqual([]);
    expect(trial.harness.downloads.orders()).toEqual([]);
    await back();
    expect((await trial.harness.finish(await trial.harness.start(['B04'])))[0]?.state).toBe('done');
  });

  it('H2 forgets no login: all that waited for it go on together once that can be written', async () => {
    const keys = trial.openMany(2);
    const isPaused = "(SELECT value_json FROM queue_fact WHERE name = 'isPaused') = 'true'";
    await refuse(`UPDATE ON transfer WHEN OLD.state = 'waiting' AND OLD.asset_key = 'B1' AND ${isPaused}`);
    const { downloads, start, time } = trial.harness;
    trial.api.script = (_, { path }) => (path === '/v1/asset' ? { status: 401 } : undefined);
    const downloadId = await start(keys, 'proxy');
    const codes = () => downloads.transfers().map(({ waiting }) => waiting?.error.code);
    const isRefused = () => codes().every((code) => code === 'auth.required') || undefined;
    await poll(isRefused);
    trial.api.script = () => undefined;
    // The refusal is not asked for again before.
    time.advance(61_000);
    await downloads.pauseQueue();
    downloads.noteSignedIn('test');
    expect(isRefused()).toBe(true);
    downloads.resumeQueue();
    const settled = await downloads.waitUntilSettled(downloadId);
    expect(settled.map(({ state }) => state)).toEqual(['done', 'done']);
  });
});
