import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';

const run = promisify(execFile);
const child = new URL('./start-child.ts', import.meta.url).pathname;

/** From the start of a process until 10,000 queued transfers are listed and the first goes on, against one that does nothing. */
export const downloadStart: Bench = {
  name: 'download-start',
  unit: 'ms',
  target: { limit: 2000 },
  async prepare() {
    const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
    const filePath = join(folder, 'downloads.sqlite');
    await run(process.execPath, [child, filePath, folder, '10000']);
    return {
      rounds: 3,
      ours: async () => {
        const { stdout } = await run(process.execPath, [child, filePath, folder]);
        return (JSON.parse(stdout) as { readyMs: number }).readyMs;
      },
      reference: () => run(process.execPath, ['-e', '']),
      close: () => rmSync(folder, { recursive: true }),
    };
  },
};
