import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

describe('a queue that was damaged', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();

  it('is said to have been built anew, and what was in it not to be done', async () => {
    const to = join(catalog.root, 'home');
    const order = ['queue', 'add', 'sentinel-2-l2a', await catalog.findItemId(), '--assets', 'thumbnail'];
    expect((await catalog.run([...order, '--to', to])).code).toBe(0);
    const file = join(catalog.root, 'data', 'downloads.sqlite');
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 'x'), whole.subarray(4096)]));

    const run = await catalog.run(['queue', 'run']);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('0 files') as string });
    expect(run.stderr).toMatch(/queue was damaged[^]*no copy[^]*is lost[^]*downloads\.sqlite\.damaged-/);
    for (const command of ['list', 'report', 'run']) {
      const told = await catalog.run(['queue', command]);
      expect(told, command).toMatchObject({ code: 0 });
      expect(told.stderr, command).toContain('queue was damaged');
    }
    expect((await catalog.run(['queue', 'dismiss'])).code).toBe(0);
    expect((await catalog.run(['queue', 'list'])).stderr).not.toContain('damaged');
  });
});
