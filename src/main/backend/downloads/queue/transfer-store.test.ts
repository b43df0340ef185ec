import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQueueFile } from './open-queue-file.ts';
import type { NewTransfer } from './order-store.ts';
import { openQueue, type QueueFile } from './queue-file.ts';

let folder: string;
let filePath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-store-'));
  filePath = join(folder, 'transfers.sqlite');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const order = {
  connectionId: 'test',
  destination: '/out',
  linkMode: 'auto' as const,
  title: 'Scenes',
  origin: { kind: 'item' as const },
  createdAtMs: 1,
};
const transfer = {
  assetKey: 'B04',
  state: 'queued' as const,
  error: null,
  mediaType: null,
  announcedBytes: 2 ** 40,
  announcedChecksum: null,
};

function add(queue: QueueFile, ...transfers: NewTransfer[]): number {
  const downloadId = queue.orders.begin(order);
  const items = [{ ref: { collectionId: 's2', itemId: 'scene' }, item: { id: 'scene' } }];
  const [itemPk = 0] = queue.orders.addItems(downloadId, items);
  const ordered = transfers.map((one) => ({ itemPk, transfer: one, adoptId: null }));
  queue.orders.commit(downloadId, ordered, { priority: 0, nowMs: 1 });
  return downloadId;
}

describe('the queue on disk', () => {
  it('syncs every commit, which better-sqlite3 by itself does not', () => {
    const database = openQueueFile(filePath);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    database.close();
  });

  it('tells what waits for room apart from all that is to come', () => {
    const queue = openQueue(filePath);
    add(queue, { ...transfer, announcedBytes: 100 }, { ...transfer, assetKey: 'B08', announcedBytes: 1000 });
    add(queue, { ...transfer, assetKey: 'B03', announcedBytes: 10_000 });
    const wait = (code: 'transfer.disk-full' | 'network.offline' | 'auth.required') =>
      ({ state: 'waiting', error: { code, message: '', details: {}, retryable: true } }) as const;
    queue.transfers.update(2, { ...wait('transfer.disk-full'), durableBytes: 300 });
    queue.transfers.update(3, { ...wait('network.offline'), resumeAtMs: 5000 });
    expect(queue.totals()).toMatchObject({
      leftBytes: 100 + 700 + 10_000,
      stuckBytes: 700,
      lastResumeAtMs: 5000,
    });
    queue.transfers.update(3, { ...wait('auth.required'), resumeAtMs: 9000 });
    expect(queue.totals()).toMatchObject({ stuckBytes: 700 + 10_000, lastResumeAtMs: null });
    // Only the proxy's login is a person's: one that can't be reached is looked for again.
    const proxy = (details: Record<string, string | number>) =>
      ({ code: 'network.proxy', message: '', details, retryable: true }) as const;
    queue.transfers.update(3, { error: proxy({ status: 407 }) });
    expect(queue.totals()).toMatchObject({ stuckBytes: 700 + 10_000, lastResumeAtMs: null });
    queue.transfers.update(3, { error: proxy({ reason: 'ECONNREFUSED' }) });
    expect(queue.totals()).toMatchObject({ stuckBytes: 700, lastResumeAtMs: 9000 });
    queue.transfers.update(3, { state: 'queued' });
    // What it failed by before says nothing of one that is queued.
    queue.transfers.update(2, { state: 'queued' });
    expect(queue.totals().stuckBytes).toBe(0);
    queue.close();
  });

  it('gives back what was written, sizes beyond 32 bits included', () => {
    const before = openQueue(filePath);
    const downloadId = add(before, transfer);
    before.transfers.update(1, {
      durableBytes: 2 ** 41,
      error: { code: 'internal', message: 'x', details: {}, retryable: false },
    });
    before.close();
    const after = openQueue(filePath);
    expect(after.transfers.rowsOf(downloadId)).toMatchObject([
      {
        assetKey: 'B04',
        collectionId: 's2',
        announcedBytes: 2 ** 40,
        durableBytes: 2 ** 41,
        error: { code: 'internal' },
      },
    ]);
    expect(after.transfers.itemOf(1)).toEqual({ id: 'scene' });
    after.close();
  });

  it('gives one name to one transfer, and an id only once', () => {
    const queue = openQueue(filePath);
    const { transfers: store } = queue;
    add(queue, transfer, { ...transfer, assetKey: 'B05' });
    expect(store.reserveName(1, { nameKey: '/out/a' })).toBe(true);
    expect(store.reserveName(2, { nameKey: '/out/a' })).toBe(false);
    store.remove([2]);
    add(queue, transfer);
    expect(store.rows().map(({ transferId }) => transferId)).toEqual([1, 3]);
    queue.close();
  });

  it('keeps folders for their first owner', () => {
    const queue = openQueue(filePath);
    const { transfers: store } = queue;
    expect(store.claimFolder('/out/s2/a', 'one')).toBe(true);
    expect(store.claimFolder('/out/s2/a', 'one')).toBe(true);
    expect(store.claimFolder('/out/s2/a', 'two')).toBe(false);
    queue.close();
  });

  it('refuses a newer schema and leaves it as it is', () => {
    openQueue(filePath).close();
    const newer = new Database(filePath);
    newer.pragma('user_version = 99');
    newer.close();
    expect(() => openQueue(filePath)).toThrow(expect.objectContaining({ code: 'library.newer-schema' }));
    const untouched = new Database(filePath);
    expect(untouched.pragma('user_version', { simple: true })).toBe(99);
    untouched.close();
  });

  it.each([
    ['no database', () => writeFileSync(filePath, 'x'.repeat(5000))],
    [
      "another program's database",
      () => {
        const other = new Database(filePath);
        other.exec('CREATE TABLE t (x)');
        other.pragma('application_id = 7');
        other.close();
      },
    ],
  ])('refuses a file that is %s', (_, write) => {
    write();
    expect(() => openQueue(filePath)).toThrow(expect.objectContaining({ code: 'library.corrupt' }));
  });
});
