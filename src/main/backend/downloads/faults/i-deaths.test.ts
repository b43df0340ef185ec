import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChildOrder } from '../testing/download-child.ts';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { checkFiles, checkSecrets } from '../testing/invariants.ts';
import { spawnDownloads } from '../testing/spawn-downloads.ts';

const bytes = makeBytes(600_000, 7);
let server: FaultServer;
let folder: string;
let destination: string;
let rowCount: number;

beforeEach(async () => {
  server = await startFaultServer(bytes);
  folder = mkdtempSync(join(tmpdir(), 'swath-death-'));
  destination = join(folder, 'out');
  mkdirSync(destination);
});

afterEach(async () => {
  const place = { folder, destination };
  try {
    checkFiles(place, [server.file], [rowCount]);
    checkSecrets({ place, storages: [server], log: [], told: [], secrets: ['c2VjcmV0'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.close();
  }
});

/** An order of so many files with the server's bytes, `B0` and on. */
function orderOf(count: number, changes: Partial<ChildOrder> = {}): ChildOrder {
  rowCount = count;
  const known = { sizeBytes: server.file.length, checksum: checksumOf(server.file) };
  const assets = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `B${index}`,
      { href: `${server.origin}/B${index}.bin`, ...known },
    ]),
  );
  return { filePath: join(folder, 'transfers.sqlite'), destination, assets, hurry: 20, slots: 3, ...changes };
}

describe('a process that dies', () => {
  // The part is the only file that is synced by its data alone, and it is linked and unlinked once.
  it.each([
    ['after a write, before it is synced', { call: 'datasync', count: 1, isAfter: false }],
    ['after a sync, before it is journalled', { call: 'datasync', count: 1, isAfter: true }],
    ['after the journal, before the file is proved', { call: 'close', count: 1, isAfter: true }],
    ['after the file was proved, before it has its name', { call: 'link', count: 1, isAfter: false }],
    ['with two names, before the old one is gone', { call: 'unlink', count: 1, isAfter: false }],
    ['with its name, before it is said to be done', { call: 'unlink', count: 1, isAfter: true }],
  ])('I2 %s, goes on with nothing wrong', async (_, death) => {
    const order = orderOf(1);
    expect(await spawnDownloads({ ...order, death }).transfers).toBeNull();
    const final = join(destination, 's2', 'undated', 'scene', 'B0.bin');
    if (existsSync(final)) expect(readFileSync(final).equals(bytes)).toBe(true);
    expect(await spawnDownloads(order).transfers).toMatchObject([
      { state: 'done', verification: 'checksum' },
    ]);
    expect(readFileSync(final).equals(bytes)).toBe(true);
    expect(readdirSync(join(final, '..')).sort()).toEqual(['B0.bin', 'item.json', 'receipt.json']);
  });

  it('leaves no half of a note beside a part', async () => {
    server.file = makeBytes(12_000_000, 5);
    server.bytesPerSecond = 20_000_000;
    const order = orderOf(1);
    const death = { call: 'rename', count: 1, isAfter: false, path: '.part.json' };
    expect(await spawnDownloads({ ...order, death }).transfers).toBeNull();
    const inFolder = () => readdirSync(join(destination, 's2', 'undated', 'scene')).sort();
    expect(inFolder()).toContainEqual(expect.stringMatching(/\.part\.json\.tmp$/));
    expect(await spawnDownloads(order).transfers).toMatchObject([{ state: 'done' }]);
    expect(inFolder()).toEqual(['B0.bin', 'item.json', 'receipt.json']);
  });

  it('I7 right when it has said that 500 files are queued, has them all and brings them home', async () => {
    server.file = makeBytes(2000, 3);
    const order = orderOf(500);
    const running = spawnDownloads(order);
    await running.isQueued;
    running.kill();
    expect(await running.transfers).toBeNull();
    checkFiles({ folder, destination }, [server.file], [500]);
    const transfers = await spawnDownloads(order).transfers;
    expect(transfers?.filter(({ state }) => state === 'done')).toHaveLength(500);
  });

  it('I8 of one file again and again, puts that aside and brings the others home', async () => {
    const death = { call: 'open', count: 1, isAfter: false, path: 'B1.bin.' };
    const order = orderOf(4, { death, isContent: true });
    let deaths = 0;
    for (; deaths < 10; deaths += 1) {
      const transfers = await spawnDownloads(order).transfers;
      if (transfers === null) continue;
      const states = transfers.map(({ assetKey, state, error }) => `${assetKey} ${error?.code ?? state}`);
      expect(states.sort()).toEqual(['B0 done', 'B1 transfer.crashed', 'B2 done', 'B3 done']);
      break;
    }
    // Its neighbours are under suspicion with it, and cleared one by one.
    expect(deaths).toBeGreaterThanOrEqual(3);
    expect(deaths).toBeLessThanOrEqual(5);
  });

  it('I13 because memory is short, has lost no more than five seconds', async () => {
    server.file = makeBytes(6_000_000, 5);
    // Five of its seconds are a quarter of ours.
    const bytesPerSecond = 1_000_000;
    server.bytesPerSecond = bytesPerSecond;
    const order = orderOf(1, { slots: 1 });
    const running = spawnDownloads(order);
    await new Promise<void>((resolve) => {
      server.onSent = (totalBytes) => {
        if (totalBytes >= 2_500_000) resolve();
      };
    });
    running.kill();
    const { sentBytes } = server;
    expect(await running.transfers).toBeNull();
    server.bytesPerSecond = null;
    expect(await spawnDownloads(order).transfers).toMatchObject([
      { state: 'done', verification: 'checksum' },
    ]);
    const start = Number(/^bytes=(\d+)-/.exec(server.requests[1]?.headers.range ?? '')?.[1] ?? 0);
    // A quarter of a second and as much again for a machine that is busy, and the overlap.
    const wantedBytes = sentBytes - bytesPerSecond - 65_536;
    expect(start).toBeGreaterThanOrEqual(wantedBytes);
  });
});
