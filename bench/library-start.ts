import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Bench, Comparison } from './bench.ts';
import { bundleChild } from './bundle-child.ts';
import { openMillionLibrary } from './million-library.ts';

const run = promisify(execFile);

/** What `library-start-child.ts` tells. */
interface Start {
  startMs: number;
  rssBytes: number;
}

interface Subject {
  child: string;
  filePath: string;
}

/** Opens the library in a new process and answers a first page, against a process that does nothing. */
export const libraryStart: Bench = {
  name: 'library-start',
  unit: 'ms',
  target: { limit: 1500 },
  prepare: () =>
    compare((subject) => ({
      ours: async () => (await start(subject)).startMs,
      reference: () => run(process.execPath, ['-e', '']),
    })),
};

/** Memory of a process after all kinds of questions, against what a page and no more takes. */
export const libraryMemory: Bench = {
  name: 'library-memory',
  unit: 'MB',
  target: { limit: 250 },
  prepare: () =>
    compare((subject) => ({
      ours: async () => (await start(subject, '--all')).rssBytes / 1e6,
      reference: async () => (await start(subject)).rssBytes / 1e6,
    })),
};

async function compare(
  measures: (subject: Subject) => Pick<Comparison, 'ours' | 'reference'>,
): Promise<Comparison> {
  const million = await openMillionLibrary();
  const child = await bundleChild(new URL('./library-start-child.ts', import.meta.url));
  return { ...measures({ child, filePath: million.filePath }), rounds: 3, close: () => million.close() };
}

async function start({ child, filePath }: Subject, ...options: string[]): Promise<Start> {
  const startMs = performance.now();
  const { stdout } = await run(process.execPath, [child, filePath, ...options]);
  const told = JSON.parse(stdout) as { readyMs: number; rssBytes: number };
  // The child's clock began with its process.
  return { startMs: Math.min(told.readyMs, performance.now() - startMs), rssBytes: told.rssBytes };
}
