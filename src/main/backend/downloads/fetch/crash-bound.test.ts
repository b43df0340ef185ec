import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import type { ChildOrder } from '../testing/download-child.ts';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { readRange } from '../testing/fault.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';

import { spawnDownloads } from '../testing/spawn-downloads.ts';

// `SWATH_SEED` for other moments than these.
const seed = Number(process.env['SWATH_SEED'] ?? 1);
const mebibyte = 1024 * 1024;
const killCount = 3;
// Synced and journalled by then, or before that many more have come (downloads.md b.3, T4).
const checkpointBytes = 64 * mebibyte;
// What is on its way in sockets, and in memory.
const slackBytes = 24 * mebibyte;
const overlapBytes = 64 * 1024;
const bytes = makeBytes(300 * mebibyte);

type Range = NonNullable<ReturnType<typeof readRange>>;

let server: FaultServer;
let folder: string;
let order: ChildOrder;

beforeEach(async () => {
  server = await startFaultServer(bytes);
  // What is slow is each connection, so that several are faster; all four bring less in a second than a checkpoint has.
  server.bytesPerSecond = 15 * mebibyte;
  folder = mkdtempSync(join(tmpdir(), 'swath-crash-'));
  const asset = { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: checksumOf(bytes) };
  order = {
    filePath: join(folder, 'transfers.sqlite'),
    destination: join(folder, 'out'),
    assets: { B04: asset },
    hurry: 1,
    slots: 1,
    // That of a near server, however busy this computer is.
    partSizes: { windowChunks: 4 },
  };
  mkdirSync(order.destination);
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Bytes that came of one process, and with which requests. */
async function count(run: () => Promise<void>): Promise<{ sentBytes: number; ranges: (Range | null)[] }> {
  const before = { sentBytes: server.sentBytes, requests: server.requests.length };
  await run();
  const requests = server.requests.slice(before.requests);
  return {
    sentBytes: server.sentBytes - before.sentBytes,
    ranges: requests.map(({ headers }) => readRange(headers.range)),
  };
}

async function killAfter(moreBytes: number): Promise<void> {
  const atBytes = server.sentBytes + moreBytes;
  const running = spawnDownloads(order);
  server.onSent = (sentBytes) => {
    if (sentBytes >= atBytes) running.kill();
  };
  expect(await running.transfers).toBeNull();
  server.onSent = () => undefined;
}

function readDurable(): number {
  const database = new Database(order.filePath);
  try {
    const sum =
      'SELECT durable_bytes + coalesce((SELECT sum(end_bytes - start_bytes) FROM island), 0) FROM transfer';
    return database.prepare<[], number>(sum).pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

describe('kill -9 in the middle of a large file', () => {
  it(
    'I4 costs no more than a checkpoint each time, though much of it lies beyond gaps',
    { timeout: 240_000 },
    async () => {
      const random = createRandom(seed);
      let durableBytes = 0;
      for (let killed = 0; killed < killCount; killed += 1) {
        const share = 0.3 + random() * 0.6;
        const { sentBytes, ranges } = await count(() => killAfter((bytes.length - durableBytes) * share));
        const nowDurable = readDurable();
        const lostBytes = sentBytes - (nowDurable - durableBytes);
        expect(lostBytes, `kill ${killed}`).toBeLessThanOrEqual(
          checkpointBytes + slackBytes + ranges.length * overlapBytes,
        );
        expect(ranges[1]?.start, 'where the first body ends').toBeGreaterThanOrEqual(ranges[0]?.end ?? 0);
        durableBytes = nowDurable;
      }
      expect(durableBytes).toBeGreaterThan(0);
      const last = await count(async () => {
        expect(await spawnDownloads(order).transfers).toMatchObject([
          { state: 'done', verification: 'checksum' },
        ]);
      });
      // A connection that was found slow and given up may have had some bytes in its socket.
      const againBytes = last.sentBytes - (bytes.length - durableBytes);
      expect(againBytes).toBeLessThanOrEqual(last.ranges.length * overlapBytes + 8 * mebibyte);
    },
  );
});
