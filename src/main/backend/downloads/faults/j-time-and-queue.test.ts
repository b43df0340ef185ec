import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { poll } from '../testing/download-harness.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';
import { createManualSystem } from '../testing/manual-system.ts';

const bytes = makeTiff(600_000);
const trial = useFaultTrial(bytes);
const hourMs = 3_600_000;
const stalledAt = 400_000;
const resumed = `bytes=${stalledAt - 65_536}-`;

/** A transfer whose first connection has fallen silent. */
async function stall(options: Parameters<typeof trial.open>[1] = {}): Promise<number> {
  trial.open({}, options);
  trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: stalledAt } : undefined);
  const downloadId = await trial.harness.start(['B04']);
  await trial.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === stalledAt);
  return downloadId;
}

describe('sleep, network and clock', () => {
  it.each([10_000, 10 * hourMs])('J1 goes on after a sleep of %i ms', async (sleepMs) => {
    const system = createManualSystem();
    const downloadId = await stall({ system });
    const { time, until } = trial.harness;
    system.emit('suspend');
    await until(downloadId, ({ state }) => state !== 'downloading');
    time.setClock(time.clock.now() + sleepMs);
    system.emit('resume');
    time.advance(10_000);
    await until(downloadId, ({ state }) => state === 'done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('J2 goes on after a sleep that nobody told of', async () => {
    const downloadId = await stall();
    const { time, until } = trial.harness;
    time.setClock(time.clock.now() + 10 * hourMs);
    time.advance(5000);
    await until(downloadId, ({ state }) => state === 'done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('J4 fails nothing in two hours without a network', async () => {
    const { start, until, finish, time, downloads } = trial.open();
    trial.bounds.requests = 10;
    trial.storage.script = (index) => (index === 0 ? { cutAfterBytes: stalledAt } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    await Promise.all([trial.storage.goDown(), trial.mirror.goDown(), trial.api.goDown()]);
    for (let minute = 0; minute < 120; minute += 1) {
      time.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 3));
      expect(downloads.transfers()[0]?.state).not.toBe('failed');
    }
    await Promise.all([trial.storage.comeBack(), trial.mirror.comeBack(), trial.api.comeBack()]);
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it.each([-24, 24])(
    'J5 goes on, and takes no link for dead, when the clock is put by %i h',
    async (hours) => {
      const { start, until, finish, time } = trial.open();
      trial.storage.script = (index) =>
        index === 0 ? { status: 503, headers: { 'retry-after': '60' } } : undefined;
      const downloadId = await start(['B04']);
      await until(downloadId, ({ state }) => state === 'waiting');
      // The servers' clocks are right.
      const serverMs = time.clock.now();
      for (const server of [trial.api, trial.storage, trial.mirror]) server.now = () => serverMs + 60_000;
      time.setClock(time.clock.now() + hours * hourMs);
      trial.bounds.requests = 8;
      // A server's own pause is no matter of any clock.
      time.advance(65_000);
      expect((await finish(downloadId))[0]?.state).toBe('done');
    },
  );
});

describe('another network', () => {
  it('J3 is taken up without a person, whether the old connections end or say nothing', async () => {
    const system = createManualSystem();
    const keys = trial.openMany(2, {}, { system });
    const { start, downloads, time, finish } = trial.harness;
    const before = new Set<string>();
    trial.storage.script = (_index, { path }) => {
      if (before.has(path)) return undefined;
      before.add(path);
      return path === '/B0.tif' ? { stallAfterBytes: stalledAt } : { resetAfterBytes: stalledAt };
    };
    trial.bounds.wholes = 3;
    const downloadId = await start(keys);
    await poll(() => {
      const [silent, ended] = downloads.transfers();
      return (silent?.receivedBytes === stalledAt && ended?.state === 'waiting') || undefined;
    });
    system.emit('network');
    time.advance(40_000);
    for (const transfer of await finish(downloadId)) expect(transfer.state).toBe('done');
    expect(time.timers.elapsedMs()).toBeLessThan(120_000);
  });

  it('J7 is believed to be there by whether the catalog answers, not by what the system says', async () => {
    const system = createManualSystem();
    let isUp = true;
    const probe = () => Promise.resolve(isUp);
    const downloadId = await stall({ system, probe });
    const { downloads, time, finish } = trial.harness;
    trial.bounds.requests = 10;
    isUp = false;
    await Promise.all([trial.storage.goDown(), trial.mirror.goDown(), trial.api.goDown()]);
    const hold = () => downloads.status().hold?.error.code;
    await poll(() => {
      time.advance(1000);
      return hold() === 'network.offline' || undefined;
    });
    // The tunnel is up again, so the system says, and leads nowhere.
    for (let look = 0; look < 5; look += 1) {
      system.emit('network');
      time.advance(2000);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(hold()).toBe('network.offline');
    }
    isUp = true;
    await Promise.all([trial.storage.comeBack(), trial.mirror.comeBack(), trial.api.comeBack()]);
    system.emit('network');
    time.advance(2000);
    await poll(() => hold() === undefined || undefined);
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges().at(-1)).toBe(resumed);
  });

  it.each([
    ['battery', { isPausedOnBattery: true }, { isOnBattery: true, isMetered: false }],
    ['metered', { isPausedOnMetered: true }, { isOnBattery: false, isMetered: true }],
  ] as const)('J8 is left alone on %s, and the file goes on where it was', async (name, limits, state) => {
    const system = createManualSystem();
    const downloadId = await stall({ system, limits: { ...defaultTransferLimits, ...limits } });
    const { downloads, finish } = trial.harness;
    system.state = state;
    system.emit('power');
    await poll(() => downloads.status().hold?.error.code === `limit.${name}` || undefined);
    await poll(() => downloads.transfers()[0]?.state === 'queued' || undefined);
    system.state = { isOnBattery: false, isMetered: false };
    system.emit('power');
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });
});

describe('the queue', () => {
  it('K1 puts two of three back at once, and keeps what they have', async () => {
    const keys = trial.openMany(3);
    const { start, downloads, finish } = trial.harness;
    const held = new Set<string>();
    trial.storage.script = (_, { path }) => {
      if (held.has(path)) return undefined;
      held.add(path);
      return { stallAfterBytes: stalledAt };
    };
    const downloadId = await start(keys);
    const states = () => downloads.transfers().map(({ state, receivedBytes }) => `${state} ${receivedBytes}`);
    await poll(() => states().every((state) => state === `downloading ${stalledAt}`) || undefined);
    downloads.setMaxConcurrentTransfers(1);
    await poll(() => states().filter((state) => state.startsWith('downloading')).length === 1 || undefined);
    downloads.setMaxConcurrentTransfers(3);
    trial.harness.time.advance(40_000);
    for (const { state } of await finish(downloadId)) expect(state).toBe('done');
  });

  it('K4 has one writer, however fast a person pauses and goes on', async () => {
    const { start, downloads, finish } = trial.open();
    trial.bounds.requests = 120;
    trial.bounds.wholes = 60;
    const downloadId = await start(['B04']);
    const [{ transferId } = { transferId: 0 }] = downloads.transfers();
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        await downloads.pause(transferId);
        await downloads.resume(transferId);
      }),
    );
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it.each([
    ['downloading', 'cancelled'],
    ['verifying', 'cancelled'],
    // What is getting its name can't be taken back.
    ['finalizing', 'done'],
  ] as const)('K5 is done or gone, and never half, when it is cancelled while %s', async (state, outcome) => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        if (state === 'verifying' && mode === 'read' && path.endsWith('.part')) await held;
        return systemDisk.open(path, mode);
      },
      async link(from, to) {
        if (state === 'finalizing' && from.endsWith('.part')) await held;
        return systemDisk.link(from, to);
      },
    };
    const { start, downloads, finish, until, destination, time } = trial.open({}, { disk });
    if (state === 'downloading') trial.storage.script = () => ({ stallAfterBytes: stalledAt });
    const downloadId = await start(['B04']);
    const { transferId } = await until(downloadId, (transfer) => transfer.state === state);
    const cancelled = downloads.cancel(transferId);
    letGo();
    await cancelled;
    expect((await finish(downloadId))[0]?.state).toBe(outcome);
    expect(finalFiles(destination)).toHaveLength(outcome === 'done' ? 1 : 0);
    time.advance(60_000);
    await poll(() => !trial.harness.files().some((path) => path.endsWith('.part')) || undefined);
  });
});
