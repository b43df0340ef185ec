import { describe, expect, it } from 'vitest';
import { defaultTransferLimits, type TransferLimits } from '#shared/settings/transfer-limits.ts';
import { weekHours } from '#shared/settings/week-schedule.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { createManualSystem } from '../testing/manual-system.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const test = useDownloads(bytes);
const hourMs = 3_600_000;

/** Only the hour of the week that it is at a time, and the one after it. */
function hoursAt(timeMs: number): boolean[] {
  const first = hourOf(timeMs);
  return Array.from({ length: weekHours }, (_, hour) => hour === first || hour === (first + 1) % weekHours);
}

function hourOf(timeMs: number): number {
  const date = new Date(timeMs);
  return ((date.getDay() + 6) % 7) * 24 + date.getHours();
}

function scheduled(hours: boolean[], outsideBytesPerSecond: number | null = null): TransferLimits {
  return { ...defaultTransferLimits, schedule: { isOn: true, hours, outsideBytesPerSecond } };
}

const states = () => test.harness.downloads.transfers().map(({ state }) => state);

describe('the connections of a server', () => {
  it('are waited for in line by whoever has a slot, and that is said', async () => {
    const limits = { ...defaultTransferLimits, connectionsPerHost: 1 };
    test.open({ B04: test.asset('B04.bin'), B08: test.asset('B08.bin') }, { limits });
    const { downloads, start, finish, time } = test.harness;
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    // Both have slots before it is known that they come from the same server.
    const { resolveLink } = test.harness;
    test.harness.resolveLink = async (...asked) => {
      await poll(() => test.harness.resolved.length >= 2 || undefined);
      return resolveLink(...asked);
    };
    const downloadId = await start(['B04', 'B08']);
    const inLine = () => downloads.transfers().filter(({ isInLine }) => isInLine === true);
    await poll(() => inLine().length === 1 || undefined);
    expect(inLine()).toMatchObject([{ state: 'preparing' }]);
    await poll(() => downloads.transfers().some((one) => one.receivedBytes === 2_000_000) || undefined);
    time.advance(40_000);
    for (const { state, isInLine } of await finish(downloadId))
      expect([state, isInLine]).toEqual(['done', undefined]);
  });
});

describe('hours of the week', () => {
  it('let nothing begin before them, and say when it begins', async () => {
    const nowMs = Date.parse('2026-03-01T12:00:00Z');
    test.open({ B04: test.asset('B04.bin') }, { limits: scheduled(hoursAt(nowMs + 2 * hourMs)) });
    const downloadId = await test.harness.start(['B04']);
    const { hold } = test.harness.downloads.status();
    expect(hold?.error.code).toBe('limit.schedule');
    const leftMs = Date.parse(hold?.resumeAt ?? '') - nowMs;
    expect(leftMs).toBeGreaterThan(hourMs);
    expect(leftMs).toBeLessThanOrEqual(2 * hourMs);
    test.harness.time.advance(leftMs - 1000);
    expect(states()).toEqual(['queued']);
    expect(test.server.requests).toHaveLength(0);
    test.harness.time.advance(2000);
    expect(test.harness.downloads.status().hold).toBeNull();
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('end in the middle of a file, which goes on in the next ones where it was', async () => {
    const nowMs = Date.parse('2026-03-01T12:00:00Z');
    test.open({ B04: test.asset('B04.bin') }, { limits: scheduled(hoursAt(nowMs)) });
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
    // The hours end; in one step, so that silence is not what stops it.
    test.harness.time.setClock(nowMs + 3 * hourMs);
    test.harness.downloads.setLimits(scheduled(hoursAt(nowMs)));
    await poll(() => (states()[0] === 'queued' ? true : undefined));
    test.harness.downloads.setLimits(defaultTransferLimits);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(test.server.requests.at(-1)?.headers.range).toBe(`bytes=${2_000_000 - 65_536}-`);
  });

  it('may leave some bandwidth for the others', async () => {
    const nowMs = Date.parse('2026-03-01T12:00:00Z');
    test.open({ B04: test.asset('B04.bin') }, { limits: scheduled(hoursAt(nowMs + 5 * hourMs), 500_000) });
    expect(await secondsToFinish(['B04'])).toBeGreaterThan(4);
  });
});

async function secondsToFinish(keys: string[]): Promise<number> {
  const { downloads, time } = test.harness;
  const downloadId = await test.harness.start(keys);
  const startMs = time.timers.elapsedMs();
  await poll(() => {
    time.advance(50);
    const all = downloads.transfers().filter((transfer) => transfer.downloadId === downloadId);
    return all.every(({ state }) => state === 'done') || undefined;
  });
  return (time.timers.elapsedMs() - startMs) / 1000;
}

function expectAbout(actual: number, expected: number): void {
  expect(actual).toBeGreaterThan(expected * 0.7);
  expect(actual).toBeLessThan(expected * 1.3);
}

describe('a limit of bandwidth', () => {
  it('is kept by all files together, and no silence that it makes is held against the server', async () => {
    const limits = { ...defaultTransferLimits, bytesPerSecond: 100_000 };
    test.open({ B04: test.asset('B04.bin'), B08: test.asset('B08.bin') }, { limits });
    expect(await secondsToFinish(['B04', 'B08'])).toBeGreaterThan(45);
    expect(test.server.requests).toHaveLength(2);
  });

  it('is told alike of each file, of its order and of all', async () => {
    const limits = { ...defaultTransferLimits, bytesPerSecond: 400_000 };
    test.open({ B04: test.asset('B04.bin'), B08: test.asset('B08.bin') }, { limits });
    const { downloads, time } = test.harness;
    const downloadId = await test.harness.start(['B04', 'B08']);
    const startMs = time.timers.elapsedMs();
    await poll(() => {
      time.advance(50);
      const seconds = (time.timers.elapsedMs() - startMs) / 1000;
      if (seconds > 6) {
        const status = downloads.status();
        for (const told of [status, ...status.flows]) expectAbout(told.bytesPerSecond, 400_000);
        for (const { bytesPerSecond, pace } of downloads.transfers()) {
          expectAbout(bytesPerSecond, 200_000);
          expectAbout(pace, 200_000);
        }
      }
      return seconds > 9 || undefined;
    });
    downloads.setLimits(defaultTransferLimits);
    await test.harness.finish(downloadId);
  });

  it('is gone as soon as it is taken away', async () => {
    test.open({ B04: test.asset('B04.bin') }, { limits: { ...defaultTransferLimits, bytesPerSecond: 1024 } });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'downloading');
    test.harness.time.advance(1000);
    test.harness.downloads.setLimits(defaultTransferLimits);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(test.harness.time.timers.elapsedMs()).toBeLessThan(5000);
  });
});

describe('power and price of the network', () => {
  it.each([
    ['battery', { isPausedOnBattery: true }, { isOnBattery: true, isMetered: false }],
    ['metered', { isPausedOnMetered: true }, { isOnBattery: false, isMetered: true }],
  ] as const)('stop transfers on %s and let them go on after it', async (name, limits, state) => {
    const system = createManualSystem();
    test.open({ B04: test.asset('B04.bin') }, { system, limits: { ...defaultTransferLimits, ...limits } });
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
    system.state = state;
    system.emit('power');
    await poll(() => (states()[0] === 'queued' ? true : undefined));
    expect(test.harness.downloads.status().hold).toMatchObject({
      error: { code: `limit.${name}` },
      resumeAt: null,
    });
    system.state = { isOnBattery: false, isMetered: false };
    system.emit('network');
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('are asked again now and then where the system has no events', async () => {
    const system = createManualSystem();
    system.state = { isOnBattery: true, isMetered: null };
    const limits = { ...defaultTransferLimits, isPausedOnBattery: true };
    test.open({ B04: test.asset('B04.bin') }, { system, limits });
    const downloadId = await test.harness.start(['B04']);
    await poll(() => (test.harness.downloads.status().hold !== null ? true : undefined));
    system.state = { isOnBattery: null, isMetered: null };
    test.harness.time.advance(31_000);
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });
});

describe('keeping the computer awake', () => {
  it('lasts as long as something runs', async () => {
    const system = createManualSystem();
    test.open({ B04: test.asset('B04.bin') }, { system });
    expect(system.isAwakeKept).toBe(false);
    const downloadId = await test.harness.start(['B04']);
    expect(system.isAwakeKept).toBe(true);
    await test.harness.finish(downloadId);
    await poll(() => !system.isAwakeKept || undefined);
  });

  it('is a choice, and ends when it is taken back', async () => {
    const system = createManualSystem();
    test.open({ B04: test.asset('B04.bin') }, { system });
    test.server.script = () => ({ stallAfterBytes: 1_000_000 });
    await test.harness.start(['B04']);
    expect(system.isAwakeKept).toBe(true);
    test.harness.downloads.setLimits({ ...defaultTransferLimits, isKeptAwake: false });
    expect(system.isAwakeKept).toBe(false);
  });
});

describe('how many run at once', () => {
  it('goes down at once, and those that stop keep what they have', async () => {
    const keys = ['B02', 'B03', 'B04'];
    test.open(Object.fromEntries(keys.map((key) => [key, test.asset(`${key}.bin`)])));
    test.server.script = (index) => (index < 3 ? { stallAfterBytes: 1_000_000 } : undefined);
    await test.harness.start(keys);
    const received = () => test.harness.downloads.transfers().map(({ receivedBytes }) => receivedBytes);
    await poll(() => (received().every((count) => count === 1_000_000) ? true : undefined));
    test.harness.downloads.setMaxConcurrentTransfers(1);
    await poll(() => (states().join() === 'downloading,queued,queued' ? true : undefined));
    // What they have is on disk a moment later.
    await poll(() => (received().every((count) => count === 1_000_000) ? true : undefined));
  });
});
