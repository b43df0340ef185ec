import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { collectOutcome, toLines } from '../testing/run-swath.ts';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

describe('swath queue', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();
  const listOf = async (...args: string[]) => {
    const { stdout } = await catalog.run(['queue', 'list', '--json', ...args]);
    return (JSON.parse(stdout) as { transfers: { transferId: number; state: string; assetKey: string }[] })
      .transfers;
  };

  it('says what an order brings, keeps it, and brings it home when it is run', async () => {
    const folder = join(catalog.root, 'named');
    const add = ['queue', 'add', 'sentinel-2-l2a', await catalog.findItemId(), '--to', folder];
    const dry = await catalog.run([...add, '--assets', 'visual', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: '' });
    expect(dry.stderr).toMatch(/1 file of 1 item, [\d.]+ MB[^]*free space: /);
    expect(await listOf()).toEqual([]);

    const how = ['--priority', 'high', '--s3-access', 'requester-pays'];
    const added = await catalog.run([...add, '--assets', 'visual,thumbnail', ...how]);
    expect(added.code, added.stderr).toBe(0);
    const order = added.stdout.trim();
    expect(order).toMatch(/^\d+$/);
    expect(await listOf()).toMatchObject([{ state: 'queued' }, { state: 'queued' }]);
    const { stdout: listed } = await catalog.run(['queue', 'list', '--json']);
    expect(JSON.parse(listed)).toMatchObject({ orders: [{ s3Access: 'requester-pays' }] });
    expect(existsSync(join(folder, 'sentinel-2-l2a')), 'nothing runs before it is told to').toBe(false);

    const run = await catalog.run(['queue', 'run']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('visual: done and verified');
    expect(run.stdout).toContain('done and verified: 2 files');
    const report = await catalog.run(['queue', 'report', '--order', order, '--json']);
    expect(JSON.parse(report.stdout)).toMatchObject({ isSettled: true, verified: { count: 2 }, failed: [] });

    const again = await catalog.run([...add, '--assets', 'visual']);
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain('already there: 1 file');
    const unknown = await catalog.run([...add, '--assets', 'B99']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('B99');
  });

  it('names what it leaves out of an order, and says so to a script as well', async () => {
    const itemId = await catalog.findItemId();
    const rest = ['--to', join(catalog.root, 'partly'), '--assets'];
    const add = ['queue', 'add', 'sentinel-2-l2a', itemId];
    const nothing = ['--to', join(catalog.root, 'partly'), '--pattern', 'zzz*'];
    for (const args of [
      [...add, ...nothing],
      [...add, ...nothing, '--dry-run'],
    ])
      expect((await catalog.run(args)).stderr).toContain('None of the items has an asset that fits');
    for (const what of [['list'], ['export', '--curl'], ['report']]) {
      const { code, stderr } = await catalog.run(['queue', ...what, '--order', '99']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('There is no order 99')]);
    }
    const orders = [
      { args: [...add, 'no-such-item', ...rest, 'visual'], left: /not queued: no-such-item: / },
      { args: [...add, ...rest, 'visual,B99'], left: /not queued: \S+ B99: / },
    ];
    for (const { args, left } of orders) {
      const dry = await catalog.run([...args, '--dry-run']);
      expect(dry).toMatchObject({ code: 6, stdout: '' });
      expect(dry.stderr).toMatch(left);
      const added = await catalog.run(args);
      expect(added.code, added.stderr).toBe(6);
      expect(added.stdout).toMatch(/^\d+\n$/);
      expect(added.stderr).toMatch(left);
      for (const end of ['cancel', 'remove'])
        await catalog.run(['queue', end, '--order', added.stdout.trim()]);
    }
  });

  it('takes items from standard input and from a saved search', async () => {
    const search = ['search', '--collections', 'sentinel-2-l2a', '--max-items', '3'];
    const { stdout: lines } = await catalog.run([...search, '--save', 'Three']);
    const folder = join(catalog.root, 'many');
    const choice = ['--roles', 'thumbnail', '--to', folder];
    const piped = await catalog.run(['queue', 'add', ...choice, '-'], { stdin: lines });
    expect(piped.stderr).toContain('3 files of 3 items');
    expect(piped.stdout).toMatch(/^\d+\n$/);
    const saved = await catalog.run(['queue', 'add', '--from-search', 'Three', ...choice]);
    expect(saved.stderr).toContain('on the list for there already, and taken over into this order: 3 files');

    const broken = await catalog.run(['queue', 'add', ...choice, '-'], { stdin: '{"id":"x"}\nno JSON\n' });
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toContain('names no collection');
    const unclear = await catalog.run(['queue', 'add', ...choice], { stdin: lines });
    expect(unclear.code, 'standard input is read only when asked for').toBe(2);
    expect((await catalog.run(['queue', 'run'])).code).toBe(0);
  });

  it('tells of itself while it runs, and goes on after Ctrl-C', async () => {
    const folder = join(catalog.root, 'large');
    const item = await catalog.findItemId();
    await catalog.run(['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'B02', '--to', folder]);
    const limited = await catalog.run(['queue', 'limit', '--bandwidth', '20MB', '--hours', 'all']);
    expect(limited.stdout).toContain('bandwidth: 20.0 MB/s');
    const child = catalog.start(['queue', 'run']);
    const interrupted = collectOutcome(child);
    await eventually(() => expect(partBytes(folder)).toBeGreaterThan(4_000_000));
    expect(await listOf('--state', 'downloading'), 'the one at work tells').toMatchObject([
      { assetKey: 'B02' },
    ]);
    child.kill('SIGINT');
    expect(await interrupted).toMatchObject({ code: 1 });
    const binary = await catalog.run(['queue', 'limit', '--bandwidth', '5MiB']);
    expect(binary.stdout).toContain('bandwidth: 5.24 MB/s');
    await catalog.run(['queue', 'limit', '--bandwidth', 'none']);
    const whole = await catalog.run(['queue', 'run', '--json']);
    expect(whole.code, whole.stderr).toBe(0);
    expect(JSON.parse(whole.stdout)).toMatchObject({ isSettled: true, failed: [], waiting: [] });
    expect(partBytes(folder)).toBe(0);
    const verified = await catalog.run(['verify', folder]);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stderr).toContain('1 ok');
  });

  it('takes a cancellation back, and says when something is left paused', async () => {
    const folder = join(catalog.root, 'cancelled');
    const item = await catalog.findItemId();
    await catalog.run(['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'thumbnail', '--to', folder]);
    const [first] = await listOf('--state', 'queued');
    const id = String(first?.transferId);
    const cancelled = await catalog.run(['queue', 'cancel', id, '--json']);
    const { cancelId, undoUntil } = JSON.parse(cancelled.stdout) as { cancelId: number; undoUntil: string };
    expect(Date.parse(undoUntil)).toBeGreaterThan(Date.now() + 60_000);
    expect(await listOf('--state', 'cancelled')).toMatchObject([{ transferId: first?.transferId }]);
    expect(toLines((await catalog.run(['queue', 'undo', String(cancelId)])).stderr)).toEqual([
      'swath: taken back: 1 transfer',
    ]);

    await catalog.run(['queue', 'pause', id]);
    const half = await catalog.run(['queue', 'run']);
    expect(half.code, half.stderr).toBe(6);
    await catalog.run(['queue', 'resume', id]);
    expect((await catalog.run(['queue', 'run'])).code).toBe(0);
  });

  it('gives up when only a login helps, and leaves the files to be fetched', async () => {
    const folder = join(catalog.root, 'locked');
    const item = await catalog.findItemId();
    await catalog.run(['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'thumbnail', '--to', folder]);
    const locked = await catalog.run(['queue', 'run'], { env: { SWATH_TOKEN: 'wrong' } });
    expect(locked.code, locked.stderr).toBe(3);
    expect(await listOf('--state', 'failed')).toEqual([]);
    expect((await catalog.run(['queue', 'run'])).code).toBe(0);
  });
});

function partBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.part'),
  );
  return names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
