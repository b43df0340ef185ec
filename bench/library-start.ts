import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { Bench, Comparison } from './bench.ts';
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
  prepare: () =>
    compare((filePath) => ({
      ours: async () => (await start(filePath)).startMs,
      reference: () => run(process.execPath, ['-e', '']),
    })),
};

/** Memory of a process after all kinds of questions, against what a page and no more takes. */
export const libraryMemory: Bench = {
  name: 'library-memory',
  unit: 'MB',
  target: { limit: 250 },
  prepare: () =>
    compare((filePath) => ({
      ours: async () => (await start(filePath, '--all')).rssBytes / 1e6,
      reference: async () => (await start(filePath)).rssBytes / 1e6,
    })),
};

async function compare(
  measures: (filePath: string) => Pick<Comparison, 'ours' | 'reference'>,
): Promise<Comparison> {
  const million = await openMillionLibrary();
  await bundleChild();
  return { ...measures(million.filePath), rounds: 3, close: () => million.close() };
}

const bundleFolder = fileURLToPath(new URL('../out/bench/', import.meta.url));

// As the program is shipped: what takes the types out of its sources takes memory too, some 80 MB.
async function bundleChild(): Promise<void> {
  const entry = fileURLToPath(new URL('./library-start-child.ts', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: entry, outDir: bundleFolder, rolldownOptions: { external: ['better-sqlite3'] } },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
  });
}

async function start(filePath: string, ...options: string[]): Promise<Start> {
  const startMs = performance.now();
  const child = `${bundleFolder}library-start-child.js`;
  const { stdout } = await run(process.execPath, [child, filePath, ...options]);
  const told = JSON.parse(stdout) as { readyMs: number; rssBytes: number };
  // The child's clock began with its process.
  return { startMs: Math.min(told.readyMs, performance.now() - startMs), rssBytes: told.rssBytes };
}
