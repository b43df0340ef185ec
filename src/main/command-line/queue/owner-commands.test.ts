import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import WebSocket from 'ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { createWebSocketPipe } from '../../browser/web-socket-pipe.ts';
import { collectOutcome, readFirstLine, startSwath, toLines, type Outcome } from '../testing/run-swath.ts';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

interface Listed {
  queue: { isPaused: boolean; counts: Record<string, number> };
  orders: { downloadId: number; title: string; destination: string; origin: unknown }[];
  transfers: { transferId: number; downloadId: number; state: string; assetKey: string }[];
}

describe('swath queue while a window has the queue', { timeout: 240_000 }, () => {
  const catalog = useDemoCatalog();
  let folderCount = 0;

  /** A window's program with a data folder of its own, and commands in that folder. */
  async function startOwner() {
    const dataDir = join(catalog.root, `owned-${++folderCount}`);
    const { baseUrl, token } = catalog.service;
    const inFolder = (args: string[], cwd?: string) =>
      startSwath(
        ['--data-dir', dataDir, '--base-url', baseUrl, ...args],
        { SWATH_TOKEN: token },
        cwd === undefined ? {} : { cwd },
      );
    const run = (args: string[], { stdin = '', cwd }: { stdin?: string; cwd?: string } = {}) => {
      const child = inFolder(args, cwd);
      child.stdin.end(stdin);
      return collectOutcome(child);
    };
    const owner = inFolder(['browser']);
    const ended = once(owner, 'exit') as Promise<[number | null, string | null]>;
    onTestFinished(async () => {
      owner.kill('SIGKILL');
      await ended;
    });
    const { url } = JSON.parse(await readFirstLine(owner)) as { url: string };
    const list = async (...args: string[]): Promise<Listed> => {
      const { code, stdout, stderr } = await run(['queue', 'list', '--json', ...args]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as Listed;
    };
    return { dataDir, owner, ended, url, inFolder, run, list };
  }

  it('carries commands out as alone, and the window shows at once what they did', async () => {
    const { url, run, list, owner } = await startOwner();
    const seen = await openWindow(url);
    const where = join(catalog.root, 'where-the-command-runs');
    mkdirSync(where);
    const item = await catalog.findItemId();

    expect((await run(['queue', 'pause'])).code).toBe(0);
    await eventually(() => expect(seen.isPaused).toBe(true));
    const add = ['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'visual,thumbnail', '--to', 'here'];
    const added = await run(add, { cwd: where });
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/^\d+\n$/);
    expect(added.stderr).toMatch(/2 files of 1 item, [\d.]+ MB[^]*free space: /);
    const order = Number(added.stdout);
    await eventually(() => expect(seen.orders).toMatchObject([{ downloadId: order, title: item }]));
    expect(seen.states).toEqual(['queued', 'queued']);
    const listed = await list();
    expect(listed.orders).toMatchObject([{ destination: join(where, 'here'), origin: { kind: 'item' } }]);

    const id = String(listed.transfers[0]?.transferId);
    const cancelled = await run(['queue', 'cancel', id, '--json']);
    await eventually(() => expect(seen.states).toContain('cancelled'));
    const { cancelId } = JSON.parse(cancelled.stdout) as { cancelId: number };
    expect((await run(['queue', 'undo', String(cancelId)])).stderr).toContain('taken back: 1 transfer');
    expect((await run(['queue', 'priority', 'high', '--order', String(order)])).code).toBe(0);
    const limited = await run(['queue', 'limit', '--at-once', '2', '--bandwidth', '50MB', '--json']);
    expect(JSON.parse(limited.stdout)).toMatchObject({ maxConcurrentTransfers: 2 });
    await eventually(() => expect(seen.maxConcurrentTransfers).toBe(2));

    const resumed = await run(['queue', 'resume']);
    expect(resumed.stderr).toContain(`process ${String(owner.pid)} works it`);
    const followed = await run(['queue', 'run']);
    expect(followed.code, followed.stderr).toBe(0);
    expect(followed.stderr).toContain(`process ${String(owner.pid)} has the queue and works it`);
    expect(followed.stdout).toContain('done and verified: 2 files');
    const report = await run(['queue', 'report', '--order', String(order), '--json']);
    expect(JSON.parse(report.stdout)).toMatchObject({ isSettled: true, verified: { count: 2 } });
    expect(toLines((await run(['queue', 'history', 'visual'])).stdout)).toHaveLength(1);
    expect((await run(['queue', 'history'])).stderr).toContain('2 of 2 files');
    const again = await run(add, { cwd: where });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain('already there: 2 files');
    const path = (await run(['queue', 'history', 'visual'])).stdout.trim().split('\t')[2] ?? '';
    rmSync(path);
    expect((await run(['verify', 'here'], { cwd: where })).stderr).toContain('to have 1 file again');
    await eventually(() => expect(seen.findings).toEqual(['missing']));
    rmSync(dirname(path), { recursive: true });
    expect((await run(['verify', 'here'], { cwd: where })).stderr).toContain('to have 2 files again');
    await eventually(() => expect(seen.findings).toEqual(['missing', 'missing']));
    expect((await run(['queue', 'remove', '--all'])).code).toBe(0);
    await eventually(() => expect(seen.orders).toEqual([]));
  });

  it('takes items from standard input and from a saved search, and hands over what is to come', async () => {
    const { url, run, list } = await startOwner();
    const seen = await openWindow(url);
    await run(['queue', 'pause']);
    const search = ['search', '--collections', 'sentinel-2-l2a', '--max-items', '3', '--save', 'Three'];
    const { stdout: lines, stderr } = await run(search);
    expect(toLines(lines), stderr).toHaveLength(3);
    const choice = ['--roles', 'thumbnail', '--to', join(catalog.root, 'piped')];
    const piped = await run(['queue', 'add', ...choice, '-'], { stdin: lines });
    expect(piped.stderr).toContain('3 files of 3 items');
    const rest = ['--roles', 'overview', '--to', join(catalog.root, 'saved')];
    const saved = await run(['queue', 'add', '--from-search', 'three', ...rest]);
    expect(saved.code, saved.stderr).toBe(0);
    await eventually(() =>
      expect(seen.orders).toMatchObject([
        { origin: { kind: 'selection' } },
        { title: 'Three', origin: { kind: 'saved-search', name: 'Three' } },
      ]),
    );
    expect((await list('--order', saved.stdout.trim())).transfers).toHaveLength(3);
    const exported = await run(['queue', 'export', '--curl', '--order', piped.stdout.trim()]);
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.stderr).toContain('3 files for curl');
    const rule = ['saved', 'rule', 'set', 'Three', '--assets', 'visual', '--to', join(catalog.root, 'rule')];
    expect((await run(rule)).stderr).toMatch(/took note of \d+ items/);
    expect((await run(['saved', 'rule', 'list'])).stdout).toMatch(/^Three\ton\tvisual\t/);

    const broken = await run(['queue', 'add', ...choice, '-'], { stdin: 'no JSON\n' });
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    const lost = await run(['queue', 'add', '--from-search', 'Nothing', ...choice]);
    expect(lost).toMatchObject({ code: 2, stdout: '' });
    expect(lost.stderr).toContain('There is no saved search named Nothing');
    const unknown = await run(['queue', 'cancel', '999999']);
    expect(unknown.code).toBe(1);
  });

  it('hands on no token: a catalog that the window does not know is refused', async () => {
    const { dataDir, list } = await startOwner();
    const elsewhere = ['--data-dir', dataDir, '--base-url', 'https://stac.example.org/v1'];
    const add = ['queue', 'add', 'c', 'i', '--assets', 'a', '--to', join(catalog.root, 'unknown')];
    const env = { SWATH_TOKEN: 'secret-of-the-command' };
    const refused = await collectOutcome(startSwath([...elsewhere, ...add], env));
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('does not know this catalog');
    expect((await list()).orders).toEqual([]);
    expect(readFileSync(join(dataDir, 'swath.log'), 'utf8')).not.toContain('secret-of-the-command');
  });

  it('leaves the window at work when nobody follows any more, and works the queue when the window is killed', async () => {
    const { dataDir, owner, ended, run, list, inFolder } = await startOwner();
    const folder = join(catalog.root, 'killed');
    const item = await catalog.findItemId();
    await run(['queue', 'limit', '--bandwidth', '100kB']);
    await run(['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'B02', '--to', folder]);
    const [first, second] = [follow(inFolder(['queue', 'run'])), follow(inFolder(['queue', 'run']))];
    await Promise.all([first.hasBegun, second.hasBegun]);
    first.child.kill('SIGINT');
    const left = await first.outcome;
    expect(left.code).toBe(1);
    expect(left.stderr).toContain(`no longer followed; process ${String(owner.pid)} goes on with the queue`);
    const { transfers } = await list('--state', 'downloading');
    expect(transfers).toHaveLength(1);

    owner.kill('SIGKILL');
    await ended;
    await eventually(async () => {
      const { stderr } = await run(['queue', 'limit', '--bandwidth', 'none']);
      expect(stderr).not.toContain('ended before it answered');
    });
    const whole = await second.outcome;
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.stderr).toContain(
      `process ${String(owner.pid)}, which had the queue, has ended; going on without it`,
    );
    expect(whole.stdout).toContain('done and verified: 1 file');
    expect(existsSync(join(dataDir, 'owner', 'address.json'))).toBe(false);
  });

  it('follows swath queue run as well, to the end that it has', async () => {
    const { owner, ended, run, inFolder, list } = await startOwner();
    const item = await catalog.findItemId();
    const to = join(catalog.root, 'two-runs');
    await run(['queue', 'pause']);
    await run(['queue', 'limit', '--bandwidth', '20MB']);
    await run(['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'B02', '--to', to]);
    await run(['queue', 'resume']);
    owner.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    const first = follow(inFolder(['queue', 'run']));
    await first.hasBegun;
    const [itself, follower] = await Promise.all([first.outcome, run(['queue', 'run'])]);
    expect(itself.code, itself.stderr).toBe(0);
    expect(follower.code, follower.stderr).toBe(0);
    expect(follower.stderr).toContain(`process ${String(first.child.pid)} has the queue`);
    expect(follower.stdout).toBe(itself.stdout);
    expect((await list('--state', 'done')).transfers).toHaveLength(1);
  });
});

interface Seen {
  isPaused: boolean;
  orders: Listed['orders'];
  /** Of all transfers. */
  readonly states: string[];
  /** What is wrong with files that are done. */
  readonly findings: string[];
  maxConcurrentTransfers: number;
}

/** A window as the program sees it, and what it is told. */
async function openWindow(url: string): Promise<Seen> {
  const { host } = new URL(url);
  const signedIn = await fetch(url, { redirect: 'manual' });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const socket = new WebSocket(`ws://${host}/pipe`, { origin: `http://${host}`, headers: { cookie } });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const window: Client<typeof contract> = createClient(contract, createWebSocketPipe(socket), {
    isValidating: true,
  });
  const transfers = new Map<number, Pick<Transfer, 'state' | 'finding'>>();
  const seen: Seen = {
    isPaused: false,
    orders: [],
    get states() {
      return [...transfers.values()].map(({ state }) => state);
    },
    get findings() {
      return [...transfers.values()].flatMap(({ finding }) => finding ?? []);
    },
    maxConcurrentTransfers: 0,
  };
  window.downloads.watch(
    {},
    {
      onEvent: ({ queue, orders, changed, removed }) => {
        seen.isPaused = queue.isPaused;
        seen.orders = orders ?? seen.orders;
        for (const one of changed) transfers.set(one.transferId, one);
        for (const transferId of removed) transfers.delete(transferId);
      },
    },
  );
  window.settings.watch(
    {},
    { onEvent: (settings) => (seen.maxConcurrentTransfers = settings.maxConcurrentTransfers) },
  );
  await eventually(() => expect(seen.maxConcurrentTransfers).toBeGreaterThan(0));
  return seen;
}

/** A `swath queue run` that says how it goes. */
function follow(child: ChildProcessWithoutNullStreams): {
  child: ChildProcessWithoutNullStreams;
  hasBegun: Promise<unknown>;
  outcome: Promise<Outcome>;
} {
  const lines = createInterface({ input: child.stderr });
  const hasBegun = new Promise<void>((resolve) =>
    lines.on('line', (line) => {
      if (line.includes('to come')) resolve();
    }),
  );
  return { child, hasBegun, outcome: collectOutcome(child) };
}
