import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSwathInto } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

// A file that has no room for anything (full(4)).
const full = '/dev/full';

describe.skipIf(!existsSync(full))('an output that goes to a full disk', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();
  const into = (output: 'stdout' | 'stderr', ...args: string[]) => {
    const { baseUrl, token } = catalog.service;
    const all = ['--data-dir', join(catalog.root, 'data'), '--base-url', baseUrl, ...args];
    return runSwathInto(full, output, { args: all, env: { SWATH_TOKEN: token } });
  };

  it('ends no download', async () => {
    const itemId = await catalog.findItemId();
    const to = join(catalog.root, 'home');
    const order = ['queue', 'add', 'sentinel-2-l2a', itemId, '--assets', 'thumbnail', '--to', to];

    const added = await into('stdout', ...order);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') as string });
    expect(added.stderr).toContain('What it did is done');
    expect(added.stderr).not.toContain('    at ');

    const run = await into('stderr', 'queue', 'run');
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('done and verified: 1 file') as string,
    });
  });
});
