import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChildOrder } from '../testing/download-child.ts';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { spawnDownloads } from '../testing/spawn-downloads.ts';

vi.setConfig({ testTimeout: 60_000 });

const bytes = makeBytes(600_000, 7);
let server: FaultServer;

beforeAll(async () => {
  server = await startFaultServer(bytes);
});

afterAll(async () => {
  await server.close();
});

// The part is the only file that is synced by its data alone, and it is linked and unlinked once.
describe('a process that dies', () => {
  it.each([
    ['after a write, before it is synced', { call: 'datasync', count: 1, isAfter: false }],
    ['after a sync, before it is journalled', { call: 'datasync', count: 1, isAfter: true }],
    ['after the journal, before the file is proved', { call: 'close', count: 2, isAfter: true }],
    ['after the file was proved, before it has its name', { call: 'link', count: 1, isAfter: false }],
    ['with two names, before the old one is gone', { call: 'unlink', count: 1, isAfter: false }],
    ['with its name, before it is said to be done', { call: 'unlink', count: 1, isAfter: true }],
  ])('%s, goes on with nothing wrong', async (_, death) => {
    const folder = mkdtempSync(join(tmpdir(), 'swath-death-'));
    try {
      const destination = join(folder, 'out');
      mkdirSync(destination);
      const asset = {
        href: `${server.origin}/B04.bin`,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      };
      const order: ChildOrder = {
        filePath: join(folder, 'transfers.sqlite'),
        destination,
        assets: { B04: asset },
        hurry: 20,
        slots: 1,
      };
      expect(await spawnDownloads({ ...order, death }).transfers).toBeNull();
      const final = join(destination, 's2', 'undated', 'scene', 'B04.bin');
      if (existsSync(final)) expect(readFileSync(final).equals(bytes)).toBe(true);
      expect(await spawnDownloads(order).transfers).toMatchObject([
        { state: 'done', verification: 'checksum' },
      ]);
      expect(readFileSync(final).equals(bytes)).toBe(true);
      expect(readdirSync(join(final, '..')).sort()).toEqual(['B04.bin', 'item.json', 'receipt.json']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
