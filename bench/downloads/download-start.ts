import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';

const run = promisify(execFile);
const child = new URL('./start-child.ts', import.meta.url).pathname;

const count = 10_000;

/** From the start of a process until 10,000 queued transfers are listed and the first goes on, against one that does nothing. */
export const downloadStart: Bench = {
  name: 'download-start',
  unit: 'ms',
  target: { limit: 2000 },
  async prepare() {
    const queue = await fillQueue(count);
    return {
      rounds: 3,
      ours: async () => (await queue.open()).readyMs,
      reference: () => run(process.execPath, ['-e', '']),
      close: queue.close,
    };
  },
};

/** To give out slots anew, as each change of a limit and each end of a transfer does, of 10,000 and of 100 queued ones. */
export const downloadSlots: Bench = {
  name: 'download-slots',
  unit: 'ms',
  target: { limit: 10 },
  async prepare() {
    const [many, few] = [await fillQueue(count), await fillQueue(100)];
    return {
      rounds: 3,
      ours: async () => (await many.open()).slotsMs,
      reference: async () => (await few.open()).slotsMs,
      close: () => [many, few].forEach(({ close }) => close()),
    };
  },
};

async function fillQueue(fileCount: number) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
  const filePath = join(folder, 'downloads.sqlite');
  await run(process.execPath, [child, filePath, folder, String(fileCount), 'fill']);
  return {
    open: async () => {
      const { stdout } = await run(process.execPath, [child, filePath, folder, String(fileCount)]);
      return JSON.parse(stdout) as { readyMs: number; slotsMs: number };
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
