import { describe, expect, it } from 'vitest';
import { poll } from '../testing/download-harness.ts';
import type { Fault } from '../testing/fault.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(600_000);
const trial = useFaultTrial(bytes);
const hourMs = 3_600_000;

async function waitingFor(fault: Fault) {
  trial.storage.script = (index) => (index === 0 ? fault : undefined);
  const downloadId = await trial.harness.start(['B04']);
  const { waiting } = await trial.harness.until(downloadId, ({ state }) => state === 'waiting');
  return {
    downloadId,
    waiting,
    delayMs: Date.parse(waiting?.resumeAt ?? '') - trial.harness.time.clock.now(),
  };
}

describe('servers under load', () => {
  it('E1 comes back no sooner than the server asks', async () => {
    const { time, until } = trial.open();
    const { downloadId, waiting, delayMs } = await waitingFor({
      status: 503,
      headers: { 'retry-after': '7' },
    });
    expect(waiting?.error.code).toBe('http.too-many-requests');
    expect(delayMs).toBeGreaterThanOrEqual(7000);
    expect(delayMs).toBeLessThan(15_000);
    time.advance(6900);
    expect(trial.storage.requests).toHaveLength(1);
    time.advance(delayMs);
    await until(downloadId, ({ state }) => state === 'done');
  });

  it('E2 reads a date by the clock of the server', async () => {
    const { time, until } = trial.open();
    const serverMs = time.clock.now() - 3 * hourMs;
    const headers = {
      date: new Date(serverMs).toUTCString(),
      'retry-after': new Date(serverMs + 60_000).toUTCString(),
    };
    const { downloadId, delayMs } = await waitingFor({ status: 503, headers });
    expect(delayMs).toBeGreaterThanOrEqual(60_000);
    expect(delayMs).toBeLessThan(90_000);
    time.advance(delayMs);
    await until(downloadId, ({ state }) => state === 'done');
  });

  it('E3 gives the slot away and says when, if a server asks for days', async () => {
    const { downloads } = trial.open();
    const { waiting, delayMs } = await waitingFor({ status: 503, headers: { 'retry-after': '999999' } });
    expect(waiting?.resumeAt).not.toBeNull();
    expect(delayMs).toBeGreaterThanOrEqual(hourMs - 1000);
    expect(downloads.transfers()[0]?.state).toBe('waiting');
  });

  it('says that nothing runs, and until when, while the only server wants a pause', async () => {
    const keys = trial.openMany(12);
    const { downloads, time } = trial.harness;
    const isBusy = { status: 503, headers: { 'retry-after': '120' } };
    trial.storage.script = () => isBusy;
    trial.mirror.script = () => isBusy;
    await trial.harness.start(keys);
    const hold = await poll(() => downloads.status().hold ?? undefined);
    expect(hold.error.code).toBe('http.too-many-requests');
    expect(Date.parse(hold.resumeAt ?? '') - time.clock.now()).toBeGreaterThan(110_000);
    expect(downloads.transfers().some(({ state }) => state === 'queued')).toBe(true);
    const [pause] = downloads.status().pauses;
    const hosts = [trial.storage, trial.mirror].map(({ origin }) => new URL(origin).host);
    expect(hosts).toContain(pause?.host);
    expect(pause?.collectionId).toBe(downloads.transfers()[0]?.collectionId);
    expect(Date.parse(pause?.resumeAt ?? '') - time.clock.now()).toBeGreaterThan(110_000);
    trial.storage.script = () => undefined;
    time.advance(121_000);
    await poll(() => (downloads.status().hold === null ? true : undefined));
    expect(downloads.status().pauses).toEqual([]);
  });

  it('E4 leaves a server that is too busy alone, whatever is in the queue', async () => {
    const keys = trial.openMany(30);
    trial.bounds.requests = 200;
    trial.storage.script = () => ({ status: 429 });
    trial.mirror.script = () => ({ status: 429 });
    await trial.harness.start(keys);
    for (let second = 0; second < 60; second += 1) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      trial.harness.time.advance(1000);
    }
    // Twenty at once, and one more every three seconds (downloads.md c.3).
    expect(trial.storage.requests.length + trial.mirror.requests.length).toBeLessThanOrEqual(60);
    await trial.harness.downloads.pause({});
  });

  it('E4 comes back to a server that was too busy with half as many connections', async () => {
    const keys = trial.openMany(12, {}, { maxConcurrentTransfers: 4 });
    trial.bounds.requests = 60;
    trial.storage.script = () => ({ status: 429, delayMs: 150 });
    const downloadId = await trial.harness.start(keys, 'signed');
    await poll(() => (trial.harness.downloads.status().hold === null ? undefined : true));
    const mostOpen = (from: number) =>
      Math.max(0, ...trial.storage.requests.slice(from).map(({ openAnswers }) => openAnswers));
    expect(mostOpen(0)).toBe(4);
    const busyCount = trial.storage.requests.length;
    trial.storage.script = () => ({ delayMs: 50 });
    trial.harness.time.advance(11_000);
    await poll(() => (trial.storage.requests.length >= busyCount + 6 ? true : undefined));
    expect(mostOpen(busyCount)).toBe(2);
    await trial.harness.finish(downloadId);
  });

  it('E6 comes through a server that fails every second time', async () => {
    trial.open();
    trial.bounds.requests = 12;
    const faults = Array.from({ length: 8 }, (_, index): Fault =>
      index % 2 === 0 ? { status: 502 } : { cutAfterBytes: 150_000 },
    );
    expect((await trial.bring(...faults)).state).toBe('done');
  });

  it('E6 tries again after every error that passes', async () => {
    trial.open();
    trial.bounds.requests = 12;
    const faults = [408, 500, 502, 504, 520, 524].map((status): Fault => ({ status }));
    expect((await trial.bring(...faults)).state).toBe('done');
  });
});
