import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillVolume, mountVolume } from '../testing/full-volume.ts';
import { readFirstLine, toLines } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

const catalog = useDemoCatalog();

it('on a full disk swath looks at everything, and says of what would change something that there is no room', async ({
  skip,
}) => {
  const volume = mountVolume();
  if (volume === null) return skip();
  const [data, elsewhere] = [join(volume, 'data'), join(catalog.root, 'elsewhere')];
  mkdirSync(elsewhere);
  const question = ['search', '--collections', 'sentinel-2-l2a', '--max-items', '2'];
  await catalog.run([...question, '--save', 'Two']);
  cpSync(join(catalog.root, 'data'), data, { recursive: true });
  const filling = fillVolume(volume);
  const ask = (...args: string[]) => catalog.run(['--data-dir', data, ...args]);

  const found = await ask('search', '--offline', '--saved', 'Two');
  expect([found.code, toLines(found.stdout).length], found.stderr).toEqual([0, 2]);
  expect((await ask('saved', 'list')).stdout).toMatch(/^Two\t/);
  expect((await ask('library', 'verify')).code).toBe(0);
  const backup = await ask('library', 'backup', elsewhere);
  expect(JSON.parse(backup.stdout)).toMatchObject({ itemCount: 2 });
  expect((await ask('library', 'evict', '--dry-run', '--max-age', '1')).code).toBe(0);
  const pack = await ask('pack', 'export', '--saved', 'Two', join(elsewhere, 'trip.swathpack'));
  expect(pack.code, pack.stderr).toBe(0);
  const changed = await ask('saved', 'rename', 'Two', 'Pair');
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringMatching(/full|no room/)]);
  // Without its queue the window would look as if nothing was to come.
  const window = await ask('browser');
  expect([window.code, window.stdout, window.stderr]).toEqual([1, '', expect.stringContaining('no room')]);
  // SQLite leaves pieces of its journals there.
  expect((await ask('search', '--offline', '--saved', 'Two')).code).toBe(0);

  rmSync(filling);
  expect((await ask('saved', 'rename', 'Two', 'Pair')).code).toBe(0);
}, 120_000);

it('swath orders all or nothing where the disk of the queue becomes full, and says so', async ({ skip }) => {
  const volume = mountVolume();
  if (volume === null) return skip();
  const ask = (...args: string[]) => catalog.run(['--data-dir', join(volume, 'data'), ...args]);
  const { code } = await ask(
    'search',
    '--collections',
    'sentinel-2-l2a',
    '--max-items',
    '100',
    '--save',
    'Many',
  );
  expect(code).toBe(0);
  const filling = fillVolume(volume, 600 * 1024);
  const added = await ask('queue', 'add', '--from-search', 'Many', '--roles', 'data', '--to', catalog.root);
  expect([added.code, added.stderr]).toEqual([1, expect.stringMatching(/full\. Make room on the disk/)]);
  rmSync(filling);
  expect((await ask('queue', 'list')).stderr).toContain('0 transfers');
}, 60_000);

it('swath lists the queue of a program that was killed, on a full disk as well', async ({ skip }) => {
  const volume = mountVolume();
  if (volume === null) return skip();
  const ask = (...args: string[]) => catalog.run(['--data-dir', join(volume, 'data'), ...args]);
  await ask('queue', 'pause');
  const item = await catalog.findItemId();
  const add = ['queue', 'add', 'sentinel-2-l2a', item, '--roles', 'thumbnail', '--to', catalog.root];
  expect((await ask(...add)).code).toBe(0);
  const window = catalog.start(['--data-dir', join(volume, 'data'), 'browser']);
  await readFirstLine(window);
  const ended = once(window, 'exit');
  window.kill('SIGKILL');
  await ended;
  fillVolume(volume);

  const listed = await ask('queue', 'list');
  expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringContaining('queued')]);
}, 60_000);
