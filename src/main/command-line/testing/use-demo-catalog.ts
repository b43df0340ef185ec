import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { afterAll, beforeAll, expect } from 'vitest';
import { collectOutcome, readFirstLine, startSwath, toLines, type Outcome } from './run-swath.ts';

/** What `swath demo` says about its service. */
export interface DemoService {
  baseUrl: string;
  assetUrl: string;
  token: string;
}

/** One item of `swath search`. */
export interface ItemLine {
  id: string;
  collection: string;
  properties: Record<string, unknown>;
}

/** Commands against a demo catalog that runs while the tests of a file do. */
export interface DemoCatalog {
  /** A folder for everything that the tests write. */
  readonly root: string;
  readonly service: DemoService;
  /** Starts a command against the catalog. */
  start(args: string[], env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams;
  /** Runs a command against the catalog to its end. */
  run(args: string[], options?: { stdin?: string; env?: NodeJS.ProcessEnv }): Promise<Outcome>;
  /** The items of a search, which must succeed. */
  search(args: string[]): Promise<ItemLine[]>;
  findItemId(): Promise<string>;
}

/** Serves a demo catalog of 300 items before the first test and ends it after the last. */
export function useDemoCatalog(): DemoCatalog {
  let root = '';
  let demo: ChildProcessWithoutNullStreams | null = null;
  let service: DemoService = { baseUrl: '', assetUrl: '', token: '' };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'swath-cli-'));
    demo = startSwath(['demo', '--items', '300', '--data-dir', join(root, 'demo')]);
    service = JSON.parse(await readFirstLine(demo)) as DemoService;
  }, 60_000);

  afterAll(async () => {
    if (!demo) return;
    const ended = once(demo, 'exit');
    demo.kill('SIGTERM');
    expect((await ended)[0], 'the demo catalog ends cleanly').toBe(0);
    rmSync(root, { recursive: true, force: true });
  });

  const catalog: DemoCatalog = {
    get root() {
      return root;
    },
    get service() {
      return service;
    },
    start: (args, env = {}) =>
      startSwath(['--data-dir', join(root, 'data'), '--base-url', service.baseUrl, ...args], {
        SWATH_TOKEN: service.token,
        ...env,
      }),
    run(args, options = {}) {
      const child = catalog.start(args, options.env);
      child.stdin.end(options.stdin ?? '');
      return collectOutcome(child);
    },
    async search(args) {
      const { code, stdout, stderr } = await catalog.run(['search', ...args]);
      expect(stderr).toContain('skipped');
      expect(code).toBe(0);
      return toLines(stdout).map((line) => JSON.parse(line) as ItemLine);
    },
    async findItemId() {
      const [item] = await catalog.search(['--collections', 'sentinel-2-l2a', '--max-items', '1']);
      return item?.id ?? '';
    },
  };
  return catalog;
}
