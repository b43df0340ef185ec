import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import type { ChildOrder } from '../testing/download-child.ts';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { checkFiles, checkSecrets, readDone } from '../testing/invariants.ts';
import { spawnDownloads, type DownloadProcess } from '../testing/spawn-downloads.ts';

// `SWATH_KILLS=300` for the long run, `SWATH_SEED` for others than these.
const killCount = Number(process.env['SWATH_KILLS'] ?? 15);
const seed = Number(process.env['SWATH_SEED'] ?? 1);
const fileCount = 20;
const files = Array.from({ length: fileCount }, (_, index) => makeBytes(300_000 + index * 60_000, index + 1));
const totalBytes = files.reduce((sum, file) => sum + file.length, 0);

let server: FaultServer;
let folder: string;

beforeEach(async () => {
  server = await startFaultServer(Buffer.alloc(0));
  server.bytesPerSecond = 8_000_000;
  folder = mkdtempSync(join(tmpdir(), 'swath-kill-'));
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function orderInto(round: number): ChildOrder {
  const assets = Object.fromEntries(
    files.map((file, index) => {
      const path = `/${round}/B${index}.bin`;
      server.files.set(path, file);
      const href = `${server.origin}${path}`;
      return [`B${index}`, { href, sizeBytes: file.length, checksum: checksumOf(file) }];
    }),
  );
  const destination = join(folder, `out-${round}`);
  mkdirSync(destination, { recursive: true });
  // Small chunks and quick time, so that checkpoints are many.
  const partSizes = { chunkBytes: 64 * 1024, checkpointBytes: 128 * 1024, writeBytes: 32 * 1024 };
  return { filePath: join(folder, 'transfers.sqlite'), destination, assets, hurry: 100, slots: 3, partSizes };
}

/** Kills a queue at some moment of its life; gives false if it ended before. */
async function killSometime(running: DownloadProcess, random: () => number): Promise<boolean> {
  const isOver = running.transfers.then(() => true);
  const kind = random();
  if (kind < 0.1) {
    await Promise.race([sleep(random() * 400), isOver]);
  } else if (kind < 0.4) {
    await running.isOpen;
    await Promise.race([sleep(random() * 250), isOver]);
  } else {
    const atBytes = server.sentBytes + random() * totalBytes * 0.4;
    const isReached = new Promise<void>((resolve) => {
      server.onSent = (sentBytes) => {
        if (sentBytes >= atBytes) resolve();
      };
    });
    await Promise.race([isReached, isOver]);
    // Bytes are seldom the last thing that happens to a file.
    await sleep(random() * 20);
  }
  running.kill();
  return (await running.transfers) === null;
}

describe('kill -9', () => {
  it(`I1 loses nothing at ${killCount} moments over ${fileCount} files`, { timeout: 3_600_000 }, async () => {
    const random = createRandom(seed);
    const settled = new Map<string, number>();
    let rowCount = 0;
    let killed = 0;
    server.script = () => (random() < 0.1 ? { cutAfterBytes: Math.floor(random() * 400_000) } : undefined);
    for (let round = 0; killed < killCount; round += 1) {
      const order = orderInto(round);
      const place = { folder, destination: order.destination };
      while (killed < killCount && (await killSometime(spawnDownloads(order), random))) {
        killed += 1;
        rowCount = checkFiles(place, files, [rowCount, (round + 1) * fileCount]);
        checkSecrets({ place, storages: [server], log: [], told: [], secrets: ['c2VjcmV0'] });
        checkNothingTwice(settled);
      }
      const transfers = await spawnDownloads(order).transfers;
      expect(transfers?.map(({ state, verification }) => `${state} ${verification}`)).toEqual(
        Array<string>(fileCount).fill('done checksum'),
      );
      rowCount = checkFiles(place, files, [(round + 1) * fileCount]);
      expect(finalNames(place)).toHaveLength(fileCount);
      checkNothingTwice(settled);
    }
  });
});

/** A file that was done is never asked for again. */
function checkNothingTwice(settled: Map<string, number>): void {
  const counts = new Map<string, number>();
  for (const { path } of server.requests) counts.set(path, (counts.get(path) ?? 0) + 1);
  for (const filePath of readDone({ folder, destination: folder })) {
    const round = /out-(\d+)/.exec(filePath)?.[1] ?? '';
    const path = `/${round}/${basename(filePath)}`;
    const count = counts.get(path) ?? 0;
    expect(count, `I4: ${path} again`).toBe(settled.get(path) ?? count);
    settled.set(path, count);
  }
}

function finalNames(place: { folder: string; destination: string }): string[] {
  return readDone(place).filter((path) => path.startsWith(`${place.destination}/`));
}
