import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChildOrder } from './testing/download-child.ts';
import { checksumOf, createHarness, makeBytes, type Harness } from './testing/download-harness.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const mebibyte = 1024 * 1024;
const child = fileURLToPath(new URL('./testing/download-child.ts', import.meta.url));
let server: FaultServer;

afterEach(async () => {
  await server.close();
});

describe('kill -9', () => {
  const bytes = makeBytes(150 * mebibyte);
  let folder: string;
  let order: ChildOrder;

  beforeEach(async () => {
    server = await startFaultServer(bytes);
    folder = mkdtempSync(join(tmpdir(), 'swath-crash-'));
    order = {
      filePath: join(folder, 'transfers.sqlite'),
      destination: join(folder, 'out'),
      href: `${server.origin}/B04.bin`,
      sizeBytes: bytes.length,
      checksum: checksumOf(bytes),
    };
    mkdirSync(order.destination);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function startChild(): { process: ChildProcess; output: Promise<string> } {
    const running = spawn(process.execPath, [child, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = new Promise<string>((resolve) => {
      let text = '';
      running.stdout.on('data', (data: Buffer) => (text += data.toString()));
      running.on('close', () => resolve(text));
    });
    return { process: running, output };
  }

  it('costs at most 64 MiB each time, and never a wrong byte', async () => {
    const killedAt: number[] = [];
    for (const at of [20 * mebibyte, 110 * mebibyte]) {
      const { process: running, output } = startChild();
      server.onSent = (sentBytes) => {
        if (sentBytes >= at) running.kill('SIGKILL');
      };
      await output;
      const start = Number(/\d+/.exec(server.requests.at(-1)?.headers.range ?? '0')?.[0] ?? 0);
      killedAt.push(start + (server.requests.at(-1)?.sentBytes ?? 0));
      expect(findFiles(order.destination).filter((name) => name.endsWith('.bin'))).toEqual([]);
    }
    server.onSent = () => undefined;
    const transfer = JSON.parse(await startChild().output) as { state: string; verification: string };
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.headers.range).toBeDefined();
    server.requests.slice(1).forEach(({ headers }, index) => {
      const start = Number(/\d+/.exec(headers.range ?? '0')?.[0] ?? 0);
      expect((killedAt[index] ?? 0) - start).toBeLessThanOrEqual(64 * mebibyte);
    });
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

function findFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
