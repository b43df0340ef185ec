import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import { connectToCatalog } from '../testing/connect-to-catalog.ts';
import { checksumOf, createHarness, type Harness } from '../testing/download-harness.ts';
import { accountToken, serveCatalog } from '../testing/fault-catalog.ts';
import { makeTiff } from '../testing/fault-trial.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { createHurriedTime } from '../testing/hurried-time.ts';
import { checkFiles, checkSecrets, checkWakeConditions } from '../testing/invariants.ts';
import { createOddNetwork } from '../testing/odd-network.ts';
import { randomFault } from '../testing/random-fault.ts';

// `npm run test:soak` takes ten minutes; `SWATH_SOAK_MINUTES` and `SWATH_SEED` for other runs.
const minutes = Number(process.env['SWATH_SOAK_MINUTES'] ?? 0.1);
const random = createRandom(Number(process.env['SWATH_SEED'] ?? 1));
const fileCount = 50;
const roughMs = 6000;
const mostHeapGrowth = 48 * 1024 * 1024;
const fewRounds = 5;
const mostMoreFiles = 8;
const dayMs = 86_400_000;

const files = Array.from({ length: fileCount }, (_, index) => makeTiff(100_000 + index * 8000, index + 1));
const assetKeys = files.map((_, index) => `B${index}`);
const time = createHurriedTime(50);
const log: string[] = [];
let servers: Record<'api' | 'storage' | 'mirror', FaultServer>;
let harness: Harness;

beforeEach(async () => {
  const [api, storage, mirror] = await Promise.all([1, 2, 3].map(() => startFaultServer(Buffer.alloc(0))));
  if (!api || !storage || !mirror) return;
  servers = { api, storage, mirror };
  const assets = Object.fromEntries(
    files.map((file, index) => {
      const path = `/B${index}.tif`;
      for (const store of [storage, mirror]) store.files.set(path, file);
      const href = `${storage.origin}${path}`;
      return [`B${index}`, { href, sizeBytes: file.length, checksum: checksumOf(file) }];
    }),
  );
  serveCatalog(servers, assets, time.clock);
  const network = createOddNetwork({ headMs: 500 });
  const connection = connectToCatalog({ origin: api.origin, token: () => accountToken, time, log, network });
  const partSizes = { chunkBytes: 64 * 1024, checkpointBytes: 128 * 1024, writeBytes: 32 * 1024 };
  harness = createHarness(assets, { ...connection, partSizes, random, maxConcurrentTransfers: 6 }, time);
});

afterEach(async () => {
  rmSync(harness.folder, { recursive: true, force: true });
  await Promise.all(Object.values(servers).map((server) => server.close()));
});

/** What a person, a computer and a network may do in between. */
const happenings: readonly (() => unknown)[] = [
  () => harness.downloads.pause({ states: ['downloading'] }),
  () => harness.downloads.pause({}),
  () => harness.downloads.setMaxConcurrentTransfers(1 + Math.floor(random() * 8)),
  () => harness.restart(),
  () => time.advance(10 * 3_600_000),
  () => time.advance(-dayMs),
  () => time.advance(dayMs),
  async () => {
    await servers.storage.goDown();
    await sleep(random() * 200);
    await servers.storage.comeBack();
  },
];

function misbehave(isOn: boolean): void {
  const isHit = (share: number) => isOn && random() < share;
  const befall = () => (isHit(0.35) ? randomFault(random, 300_000) : undefined);
  servers.storage.script = befall;
  servers.mirror.script = befall;
  servers.api.script = () => (isHit(0.1) ? { status: random() < 0.5 ? 503 : 429 } : undefined);
}

async function bringHome(): Promise<void> {
  misbehave(true);
  const downloadId = await harness.start(assetKeys);
  const endMs = performance.now() + Math.min(roughMs, minutes * 60_000);
  while (performance.now() < endMs) {
    await sleep(random() * 300);
    if (random() < 0.3) await happenings[Math.floor(random() * happenings.length)]?.();
    if (random() < 0.5) await harness.downloads.resume({ states: ['paused', 'failed'] });
  }
  misbehave(false);
  harness.downloads.setMaxConcurrentTransfers(6);
  await harness.downloads.resume({});
  // A file that was given up in the worst of it is tried again now.
  await harness.downloads.waitUntilSettled(downloadId);
  await harness.downloads.resume({ states: ['paused', 'failed'] });
  const transfers = await harness.downloads.waitUntilSettled(downloadId);
  expect(transfers.map(({ state, error }) => `${state} ${error?.code ?? ''}`)).toEqual(
    Array<string>(fileCount).fill('done '),
  );
}

describe('a long evening', () => {
  it(
    `L1 brings ${fileCount} files home again and again for ${minutes} min`,
    { timeout: 7_200_000 },
    async () => {
      const endMs = performance.now() + minutes * 60_000;
      const measured: { heapBytes: number; openFiles: number }[] = [];
      let requests = 0;
      do {
        await bringHome();
        await harness.downloads.close();
        const { api, storage, mirror } = servers;
        checkFiles(harness, files, [fileCount]);
        checkWakeConditions(harness);
        checkSecrets({ place: harness, storages: [storage, mirror], log, told: [] });
        requests += storage.requests.length + mirror.requests.length;
        for (const server of [api, storage, mirror]) server.requests.length = 0;
        log.length = 0;
        await harness.restart();
        await harness.downloads.remove({});
        rmSync(join(harness.destination, 's2'), { recursive: true });
        measured.push(measure());
      } while (performance.now() < endMs);
      await harness.downloads.close();
      const first = measured[Math.min(2, measured.length - 1)];
      const last = measured.at(-1);
      if (!first || !last) return;
      const heapGrowth = last.heapBytes - first.heapBytes;
      const openFiles = [measured.slice(0, fewRounds), measured.slice(-fewRounds)].map(leastOpenFiles);
      const [openAtFirst = 0, openAtLast = 0] = openFiles;
      process.stdout.write(
        `soak: ${measured.length} rounds of ${fileCount} files, ${requests} requests for files, ` +
          `heap ${toMib(first.heapBytes)} to ${toMib(last.heapBytes)} MiB, ` +
          `open files ${openAtFirst} to ${openAtLast}\n`,
      );
      expect(heapGrowth, 'memory stays flat').toBeLessThan(mostHeapGrowth);
      expect(openAtLast - openAtFirst, 'open files stay flat').toBeLessThanOrEqual(mostMoreFiles);
    },
  );
});

// What is still held, and not what waits to be collected.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function measure(): { heapBytes: number; openFiles: number } {
  collect();
  const openFiles = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heapBytes: heapUsed + arrayBuffers, openFiles };
}

// Connections that are being closed just then come and go; what leaks stays.
function leastOpenFiles(rounds: readonly { openFiles: number }[]): number {
  return Math.min(...rounds.map(({ openFiles }) => openFiles));
}

function toMib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
