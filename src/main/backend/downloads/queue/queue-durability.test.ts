import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openQueue } from './queue-file.ts';

const child = fileURLToPath(new URL('testing/order-child.ts', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-durable-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Kills a process that orders, at its first word or after a time. */
async function killWhileOrdering(filePath: string, afterMs: number | null): Promise<boolean> {
  const order = JSON.stringify({ filePath, itemCount: 500 });
  const running = spawn(process.execPath, [child, order], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => running.on('exit', () => resolve()));
  let isQueued = false;
  const timer = afterMs === null ? null : setTimeout(() => running.kill('SIGKILL'), afterMs);
  running.stdout.on('data', () => {
    isQueued = true;
    running.kill('SIGKILL');
  });
  await ended;
  if (timer) clearTimeout(timer);
  return isQueued;
}

it('has all 500 transfers after a kill right when it said "queued", and before that all or none', async () => {
  const counts: number[] = [];
  for (const afterMs of [null, 150, 250, 350, 450]) {
    const filePath = join(folder, `queue-${afterMs ?? 'end'}.sqlite`);
    const isQueued = await killWhileOrdering(filePath, afterMs);
    const queue = openQueue(filePath);
    const count = queue.transfers.idsOf({}).length;
    if (isQueued) expect(count).toBe(500);
    if (count > 0) expect(queue.orders.orders()).toHaveLength(1);
    counts.push(count);
    queue.close();
  }
  expect(counts[0]).toBe(500);
  expect(counts.filter((count) => count !== 0 && count !== 500)).toEqual([]);
}, 60_000);
