import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import { createNetwork } from '../../http/network/network.ts';
import { silentLogger } from '../../ports.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { createManualSystem } from '../testing/manual-system.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const test = useDownloads(bytes);
const hourMs = 3_600_000;
const tail = `bytes=${2_000_000 - 65_536}-`;

const states = () => test.harness.downloads.transfers().map(({ state }) => state);

/** A transfer whose first connection has fallen silent after two thirds. */
async function stall(changes: Parameters<typeof test.open>[1] = {}): Promise<number> {
  test.open({ B04: test.asset('B04.bin') }, changes);
  test.server.script = (index) => (index === 0 ? { stallAfterBytes: 2_000_000 } : undefined);
  const downloadId = await test.harness.start(['B04']);
  await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
  return downloadId;
}

async function untilDone(downloadId: number): Promise<void> {
  await test.harness.until(downloadId, ({ state }) => state === 'done');
}

describe('sleep', () => {
  it('lets go of connections before it, and goes on within 10 s after it', async () => {
    const system = createManualSystem();
    const downloadId = await stall({ system });
    system.emit('suspend');
    await poll(() => (states()[0] === 'queued' ? true : undefined));
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === 2_000_000);
    test.harness.time.setClock(test.harness.time.clock.now() + 10 * hourMs);
    expect(test.server.requests).toHaveLength(1);
    system.emit('resume');
    await untilDone(downloadId);
    expect(test.server.requests[1]?.headers.range).toBe(tail);
  });

  it('that nobody tells of is seen by the clock, and what ran is connected anew', async () => {
    const downloadId = await stall();
    test.harness.time.setClock(test.harness.time.clock.now() + 10 * hourMs);
    test.harness.time.advance(5000);
    await untilDone(downloadId);
    expect(test.server.requests[1]?.headers.range).toBe(tail);
  });

  it('that did not come after all stops nothing for long', async () => {
    const system = createManualSystem();
    const downloadId = await stall({ system });
    system.emit('suspend');
    await poll(() => (states()[0] === 'queued' ? true : undefined));
    test.harness.time.advance(61_000);
    await untilDone(downloadId);
  });
});

describe('a clock that is put', () => {
  it.each([-24, 24])('by %d h keeps nothing waiting and fails nothing', async (hours) => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = (index) => (index < 3 ? { status: 502 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await test.harness.until(downloadId, ({ state }) => state === 'waiting');
      test.harness.time.setClock(test.harness.time.clock.now() + hours * hourMs);
      test.harness.time.advance(60_000);
    }
    await untilDone(downloadId);
  });
});

describe('no network', () => {
  it('for two hours costs nothing: all wait, nothing fails, and all goes on when it is back', async () => {
    const keys = ['B02', 'B03', 'B04', 'B05'];
    let isUp = true;
    let probes = 0;
    test.open(Object.fromEntries(keys.map((key) => [key, test.asset(`${key}.bin`)])), {
      probe: () => {
        probes += 1;
        return Promise.resolve(isUp);
      },
    });
    test.server.script = (index) => (index < 3 ? { stallAfterBytes: 1_000_000 } : undefined);
    const downloadId = await test.harness.start(keys);
    await poll(() => (test.server.sentBytes >= 3_000_000 ? true : undefined));
    isUp = false;
    await test.server.goDown();
    await poll(() => {
      test.harness.time.advance(1000);
      return test.harness.downloads.status().hold !== null || undefined;
    });
    const { hold } = test.harness.downloads.status();
    expect(hold?.error.code).toBe('network.offline');
    expect(Date.parse(hold?.resumeAt ?? '')).toBeGreaterThan(test.harness.time.clock.now() - 1000);
    for (let minute = 0; minute < 120; minute += 1) {
      test.harness.time.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(states()).not.toContain('failed');
    }
    expect(test.harness.downloads.status().hold?.error.code).toBe('network.offline');
    // From 15 s to 5 min apart.
    expect(probes).toBeLessThan(40);
    isUp = true;
    await test.server.comeBack();
    test.harness.time.advance(300_000);
    expect((await test.harness.finish(downloadId)).map(({ state }) => state)).toEqual(keys.map(() => 'done'));
  });

  it('is looked for at once when the system says that something has changed', async () => {
    const system = createManualSystem();
    let isUp = false;
    const downloadId = await stall({ system, probe: () => Promise.resolve(isUp) });
    await test.server.goDown();
    await poll(() => {
      test.harness.time.advance(1000);
      return test.harness.downloads.status().hold !== null || undefined;
    });
    // It is there, but what the system said first was not true.
    system.emit('network');
    await poll(() => (test.harness.downloads.status().hold !== null ? true : undefined));
    isUp = true;
    await test.server.comeBack();
    test.harness.time.advance(2000);
    await poll(() => (test.harness.downloads.status().hold === null ? true : undefined));
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('is looked for at once when somebody goes on by hand', async () => {
    let isUp = false;
    const downloadId = await stall({ probe: () => Promise.resolve(isUp) });
    await test.server.goDown();
    await poll(() => {
      test.harness.time.advance(1000);
      return test.harness.downloads.status().hold !== null || undefined;
    });
    isUp = true;
    await test.server.comeBack();
    test.harness.downloads.resumeQueue();
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('to one storage alone holds up nothing else', async () => {
    const downloadId = await stall({ probe: () => Promise.resolve(true) });
    await test.server.goDown();
    await poll(() => {
      if (states()[0] === 'waiting') return true;
      test.harness.time.advance(1000);
      return undefined;
    });
    expect(test.harness.downloads.status().hold).toBeNull();
    await test.server.comeBack();
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });
});

describe('working offline', () => {
  it('ends what comes at once, however much of it is in hand and waits for bandwidth', async () => {
    const time = createManualTime();
    const settings = { proxy: { mode: 'none' as const, url: null }, extraCaFile: null };
    const network = createNetwork({ settings, env: {}, clock: time.clock, logger: silentLogger });
    const http = createHttpClient({
      credentials: null,
      clock: time.clock,
      logger: silentLogger,
      maxCatalogRequests: 4,
      network,
    });
    const limits = { ...defaultTransferLimits, bytesPerSecond: 64 * 1024 };
    test.open({ B04: test.asset('B04.bin') }, { http, limits, clock: time.clock, timers: time.timers });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => {
      time.advance(100);
      return receivedBytes > 0;
    });
    network.switchOff(true);
    const before = test.harness.downloads.transfers()[0]?.receivedBytes ?? 0;
    const { receivedBytes, waiting } = await test.harness.until(downloadId, ({ state }) => {
      time.advance(50);
      return state === 'waiting';
    });
    expect(waiting?.error.code).toBe('network.switched-off');
    expect(receivedBytes - before, 'what was allowed already').toBeLessThan(64 * 1024);
  });

  it('leaves all as it is, starts nothing, and goes on when that is over', async () => {
    test.open({ B04: test.asset('B04.bin'), B08: test.asset('B08.bin') }, { isOffline: true });
    const downloadId = await test.harness.start(['B04', 'B08']);
    const { downloads } = test.harness;
    const states = () => downloads.transfers().map(({ state }) => state);
    expect(states()).toEqual(['queued', 'queued']);
    expect(downloads.status().hold).toMatchObject({
      error: { code: 'network.switched-off' },
      resumeAt: null,
    });
    downloads.setOffline(false);
    const done = await test.harness.finish(downloadId);
    expect(done.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(downloads.status().hold).toBeNull();
  });

  it('stops what comes, which goes on where it was when that is over', async () => {
    const downloadId = await stall();
    const { downloads } = test.harness;
    downloads.setOffline(true);
    await poll(() => (states()[0] === 'queued' ? true : undefined));
    expect(test.server.requests).toHaveLength(1);
    downloads.setOffline(false);
    await untilDone(downloadId);
    expect(test.server.requests[1]?.headers.range).toBe(tail);
  });

  it('lets a file of which all bytes are here be verified and named', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<null>();
    const disk: Disk = {
      ...systemDisk,
      async open(path, mode) {
        if (mode === 'read' && path.endsWith('.part')) await held;
        return systemDisk.open(path, mode);
      },
    };
    test.open({ B04: test.asset('B04.bin') }, { disk });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'verifying');
    test.harness.downloads.setOffline(true);
    letGo(null);
    await untilDone(downloadId);
    expect(test.server.requests).toHaveLength(1);
  });

  it('leaves nothing behind that waited for the network before it', async () => {
    let isUp = false;
    const downloadId = await stall({ probe: () => Promise.resolve(isUp) });
    const { downloads } = test.harness;
    await test.server.goDown();
    await poll(() => {
      test.harness.time.advance(1000);
      return downloads.status().hold !== null || undefined;
    });
    downloads.setOffline(true);
    isUp = true;
    await test.server.comeBack();
    downloads.setOffline(false);
    // Without a second that passes.
    await untilDone(downloadId);
  });
});
