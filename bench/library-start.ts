import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { openMillionLibrary } from './million-library.ts';

const run = promisify(execFile);

/** What `library-start-child.ts` tells. */
interface Start {
  startMs: number;
  rssBytes: number;
}

/** Opens the library in a new process and answers a first page, against a process that does nothing. */
export const libraryStart: Bench = {
  name: 'library-start',
  unit: 'ms',
  target: { limit: 1500 },
  async prepare() {
    const million = await openMillionLibrary();
    const { filePath } = million;
    return {
      rounds: 3,
      ours: async () => (await start(filePath)).startMs,
      reference: () => run(process.execPath, ['-e', '']),
      close: () => million.close(),
    };
  },
};

/** Memory of a process after all kinds of questions, against what a page and no more takes. */
export const libraryMemory: Bench = {
  name: 'library-memory',
  unit: 'MB',
  target: { limit: 250 },
  async prepare() {
    const million = await openMillionLibrary();
    const { filePath } = million;
    return {
      rounds: 1,
      ours: async () => (await start(filePath, '--all')).rssBytes / 1e6,
      reference: async () => (await start(filePath)).rssBytes / 1e6,
      close: () => million.close(),
    };
  },
};

async function start(filePath: string, ...options: string[]): Promise<Start> {
  const child = new URL('./library-start-child.ts', import.meta.url).pathname;
  const startMs = performance.now();
  const { stdout } = await run(process.execPath, [child, filePath, ...options]);
  const told = JSON.parse(stdout) as { readyMs: number; rssBytes: number };
  // The child's clock began with its process.
  return { startMs: Math.min(told.readyMs, performance.now() - startMs), rssBytes: told.rssBytes };
}
