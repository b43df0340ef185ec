import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChildOrder } from '../testing/download-child.ts';
import { checksumOf, createHarness, makeBytes, type Harness } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { readRange } from '../testing/fault.ts';
import { checkFiles } from '../testing/invariants.ts';
import { spawnDownloads } from '../testing/spawn-downloads.ts';

const mebibyte = 1024 * 1024;
let server: FaultServer;

afterEach(async () => {
  await server.close();
});

describe('kill -9', () => {
  const bytes = makeBytes(100 * mebibyte);
  let folder: string;
  let order: ChildOrder;

  beforeEach(async () => {
    server = await startFaultServer(bytes);
    // Faster, and what comes in a second is more than that: checkpoints are a second apart.
    server.bytesPerSecond = 60 * mebibyte;
    folder = mkdtempSync(join(tmpdir(), 'swath-crash-'));
    order = {
      filePath: join(folder, 'transfers.sqlite'),
      destination: join(folder, 'out'),
      assets: {
        B04: { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum: checksumOf(bytes) },
      },
      hurry: 1,
      slots: 1,
    };
    mkdirSync(order.destination);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on where the journal says, which is on the disk', async () => {
    for (const at of [20 * mebibyte, 80 * mebibyte]) {
      const running = spawnDownloads(order);
      server.onSent = (sentBytes) => {
        if (sentBytes >= at) running.kill();
      };
      expect(await running.transfers).toBeNull();
      checkFiles({ folder, destination: order.destination }, [bytes], [1]);
    }
    server.onSent = () => undefined;
    const durableBytes = readDurable(order.filePath);
    const before = { requests: server.requests.length, sentBytes: server.sentBytes };
    expect(await spawnDownloads(order).transfers).toMatchObject([
      { state: 'done', verification: 'checksum' },
    ]);
    const later = server.requests.slice(before.requests);
    const starts = later.map(({ headers }) => readRange(headers.range)?.start ?? 0);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(durableBytes - 65_536);
    const againBytes = server.sentBytes - before.sentBytes - (bytes.length - durableBytes);
    expect(againBytes).toBeLessThanOrEqual(later.length * 131_072 + 8 * mebibyte);
    const path = join(order.destination, 's2', 'undated', 'scene', 'B04.bin');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
});

describe('a crash while a file gets its name', () => {
  const bytes = makeBytes(500_000);
  let harness: Harness;
  let final: string;
  let part: string;

  beforeEach(async () => {
    server = await startFaultServer(bytes);
    const checksum = checksumOf(bytes);
    harness = createHarness({ B04: { href: `${server.origin}/B04.bin`, sizeBytes: bytes.length, checksum } });
    const [transfer] = await harness.finish(await harness.start(['B04']));
    final = transfer?.filePath ?? '';
    part = `${final}.1.part`;
  });

  afterEach(async () => {
    await harness.close();
  });

  // The row as it was written just before the name was given.
  async function crash(arrange: () => void) {
    await harness.downloads.close();
    const database = new Database(join(harness.folder, 'transfers.sqlite'));
    database.prepare("UPDATE transfer SET state = 'finalizing', part_path = ?, name_key = 'x'").run(part);
    database.close();
    arrange();
    await harness.restart();
    const [transfer] = await harness.finish(1);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
    expect(existsSync(part)).toBe(false);
    return transfer;
  }

  it('before it: it gets it now', async () => {
    await crash(() => renameSync(final, part));
    expect(server.requests).toHaveLength(1);
  });

  it('between the new name and the end of the old one: the old one goes', async () => {
    await crash(() => linkSync(final, part));
    expect(server.requests).toHaveLength(1);
  });

  it('after it: it is done', async () => {
    await crash(() => undefined);
    expect(server.requests).toHaveLength(1);
  });

  it('and somebody else takes the name: it gets the next one', async () => {
    const transfer = await crash(() => {
      renameSync(final, part);
      writeFileSync(final, 'somebody else');
    });
    expect(transfer?.filePath).toMatch(/B04 \(2\)\.bin$/);
    expect(readFileSync(final, 'utf8')).toBe('somebody else');
  });

  it('and the file is damaged under its name: it is fetched again beside it', async () => {
    const transfer = await crash(() => writeFileSync(final, Buffer.alloc(bytes.length)));
    expect(transfer?.filePath).not.toBe(final);
    expect(server.requests).toHaveLength(2);
  });

  it('and both are gone: it is fetched again', async () => {
    await crash(() => rmSync(final));
    expect(server.requests).toHaveLength(2);
  });
});

function readDurable(filePath: string): number {
  const database = new Database(filePath);
  try {
    return database.prepare<[], number>('SELECT durable_bytes FROM transfer').pluck().get() ?? 0;
  } finally {
    database.close();
  }
}
