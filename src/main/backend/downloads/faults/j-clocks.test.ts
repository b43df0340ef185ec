import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { weekHours } from '#shared/settings/week-schedule.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import type { Harness } from '../testing/download-harness.ts';
import { poll } from '../testing/download-harness.ts';
import type { Fault } from '../testing/fault.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

// J5, at every moment: our clock is put, and those of the servers go on as they did.

const bytes = makeTiff(600_000);
const trial = useFaultTrial(bytes);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const stalledAt = 400_000;
const resumed = `bytes=${stalledAt - 65_536}-`;
const cut: Fault = { cutAfterBytes: stalledAt };
const jumps = [-20, -5, 5, 20];

/** Opens the queue beside servers whose clocks nobody puts. */
function open(...options: Parameters<typeof trial.open>): Harness {
  const harness = trial.open(...options);
  putServersAhead(0);
  return harness;
}

function putServersAhead(hours: number): void {
  const { clock, timers } = trial.harness.time;
  const startMs = clock.now() - timers.elapsedMs() + hours * hourMs;
  trial.catalog.now = () => startMs + timers.elapsedMs();
}

/** Begins to bring the file, whose first body falls silent on the way, and lets it come so far. */
async function startStalled(): Promise<Transfer> {
  trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: stalledAt } : undefined);
  const downloadId = await trial.harness.start(['B04']);
  return trial.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === stalledAt);
}

/** Begins to bring the file, for which the storage wants two minutes' pause first. */
async function startPaused(): Promise<void> {
  const { start, until } = open();
  trial.storage.script = (index) =>
    index === 0 ? { status: 503, headers: { 'retry-after': '120' } } : undefined;
  await until(await start(['B04']), ({ state }) => state === 'waiting');
}

function putClock(hours: number): void {
  const { time } = trial.harness;
  time.setClock(time.clock.now() + hours * hourMs);
}

/**
 * Lets seconds pass, one after the other, until something is so; gives how many. A slow machine needs more of them, but
 * none needs hours.
 */
async function secondsUntil(isSo: () => boolean, most = 600): Promise<number> {
  for (let seconds = 0; seconds < most; seconds += 1) {
    for (let turn = 0; turn < 5; turn += 1) {
      if (isSo()) return seconds;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    trial.harness.time.advance(1000);
  }
  throw new Error(`Not so after ${most} s: ${JSON.stringify(trial.harness.downloads.transfers())}`);
}

const isDone = () => trial.harness.downloads.transfers().every(({ state }) => state === 'done');

describe.each(jumps)('a clock that is put by %i h', (hours) => {
  it('while bytes flow costs no more than a connection', async () => {
    open();
    await startStalled();
    putClock(hours);
    await secondsUntil(isDone);
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('while a transfer waits to try again neither keeps it nor uses its patience up', async () => {
    const { start, until } = open();
    trial.storage.script = (index) => (index < 2 ? { status: 500 } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    putClock(hours);
    // Seconds that pass while bytes come would be a stall to a slow machine.
    const [done] = await trial.harness.finish(downloadId);
    expect(done?.state).toBe('done');
    trial.bounds.requests = 6;
  });

  it('while a storage wants a pause neither shortens that by much nor makes it longer', async () => {
    await startPaused();
    putClock(hours);
    expect(await secondsUntil(() => trial.storage.requests.length === 2)).toBeGreaterThanOrEqual(119);
    await secondsUntil(isDone);
  });

  it('while the catalog wants a pause neither shortens that nor makes it longer', async () => {
    const { start } = open();
    trial.api.script = (index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : undefined;
    await start(['B04']);
    await poll(() => trial.api.requests.length === 1 || undefined);
    await poll(() => trial.harness.downloads.transfers()[0]?.state === 'waiting' || undefined);
    putClock(hours);
    expect(await secondsUntil(() => trial.api.requests.length === 2)).toBeGreaterThanOrEqual(119);
    await secondsUntil(isDone);
  });

  it('after which the queue is opened again keeps nothing waiting that long', async () => {
    await startPaused();
    await trial.harness.downloads.close();
    putClock(hours);
    await trial.harness.restart();
    await secondsUntil(isDone);
  });

  it('while a file is verified has none of it fetched or read again', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let reads = 0;
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        if (mode === 'read' && path.endsWith('.part')) {
          reads += 1;
          await held;
        }
        return systemDisk.open(path, mode);
      },
    };
    const { start, until } = open({}, { disk });
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'verifying');
    putClock(hours);
    trial.harness.time.advance(6000);
    letGo();
    await secondsUntil(isDone);
    expect(trial.storage.requests).toHaveLength(1);
    expect(reads).toBe(1);
  });

  it('while a link has minutes left costs one request, and one link', async () => {
    open();
    trial.catalog.lifeMs = 8 * minuteMs;
    await startStalled();
    putClock(hours);
    await secondsUntil(isDone);
    expect(trial.ranges()).toEqual([null, resumed]);
    expect(trial.catalog).toMatchObject({ signedCount: 2, proxiedCount: 0 });
  });

  it('while a link ends is met with one more', async () => {
    const { downloads, time } = open();
    trial.catalog.lifeMs = 8 * minuteMs;
    const { transferId } = await startStalled();
    await downloads.pause(transferId);
    time.advance(20 * minuteMs);
    putClock(hours);
    await downloads.resume(transferId);
    await secondsUntil(isDone);
    expect(trial.catalog).toMatchObject({ signedCount: 2, proxiedCount: 0 });
  });

  it('while a cancelled file can be had back leaves it that time, and no more', async () => {
    trial.openMany(2);
    const { start, downloads, files, time } = trial.harness;
    trial.bounds.requests = 12;
    trial.storage.script = () => ({ stallAfterBytes: stalledAt });
    await start(['B0', 'B1']);
    await poll(
      () => downloads.transfers().every(({ receivedBytes }) => receivedBytes === stalledAt) || undefined,
    );
    const [first, second] = downloads.transfers().map(({ transferId }) => transferId);
    const parts = () => files().filter((path) => path.endsWith('.part')).length;
    await downloads.cancel(first ?? 0);
    time.advance(20_000);
    putClock(hours);
    await downloads.cancel(second ?? 0);
    expect(parts()).toBe(2);
    expect(await secondsUntil(() => parts() === 1)).toBeGreaterThanOrEqual(9);
    await secondsUntil(() => parts() === 0);
  });

  it('into or out of the hours that transfers run in is noticed', async () => {
    const nowMs = Date.parse('2026-03-01T12:00:00Z');
    const outside = new Date(nowMs + hours * hourMs);
    const hour = ((outside.getDay() + 6) % 7) * 24 + outside.getHours();
    const all = Array.from({ length: weekHours }, (_, index) => index !== hour);
    const schedule = { isOn: true, hours: all, outsideBytesPerSecond: null };
    const { downloads } = open({}, { limits: { ...defaultTransferLimits, schedule } });
    await startStalled();
    putClock(hours);
    await secondsUntil(() => downloads.status().hold !== null);
    putClock(-hours);
    await secondsUntil(isDone);
  });
});

describe.each([-30, -5, 5, 30])('servers whose clocks are ahead by %i h', (hours) => {
  it('need no request more', async () => {
    const { start } = open();
    putServersAhead(hours);
    trial.storage.script = (index) => (index === 0 ? cut : undefined);
    await start(['B04']);
    await secondsUntil(isDone);
    expect(trial.ranges()).toEqual([null, resumed]);
    expect(trial.api.requests).toHaveLength(1);
  });

  it('have links renewed before these end', async () => {
    const { downloads, time } = open();
    putServersAhead(hours);
    trial.catalog.lifeMs = 20 * minuteMs;
    const { transferId } = await startStalled();
    await downloads.pause(transferId);
    time.advance(17 * minuteMs);
    await downloads.resume(transferId);
    await secondsUntil(isDone);
    expect(trial.ranges()).toEqual([null, resumed]);
    expect(trial.catalog.signedCount).toBe(2);
  });

  it('are asked once for what the proxy leads to', async () => {
    const { start } = open();
    putServersAhead(hours);
    trial.mirror.script = (index) => (index < 2 ? { cutAfterBytes: 200_000 } : undefined);
    await start(['B04'], 'proxy');
    await secondsUntil(isDone);
    expect(trial.catalog.proxiedCount).toBe(1);
    trial.bounds.requests = 5;
  });

  it('refuse one link that is signed by the user’s own credentials; all others are signed by their time', async () => {
    const keys = trial.openMany(3, { members: { alternate: {} } }, { maxConcurrentTransfers: 1 });
    putServersAhead(hours);
    const { downloads, item, destination } = trial.harness;
    const ref = { collectionId: 's2', itemId: 'scene' };
    await downloads.order({
      connectionId: 'test',
      destination,
      links: 'auto',
      s3Access: 'credentials',
      title: 'Scene',
      origin: { kind: 'item' },
      priority: 'normal',
      items: [{ ref, item, wanted: keys }],
      itemCount: 1,
    });
    await secondsUntil(isDone);
    expect(downloads.transfers().map(({ linkKind }) => linkKind)).toEqual(['aws', 'aws', 'aws']);
    expect(trial.storage.requests).toHaveLength(4);
  });
});
