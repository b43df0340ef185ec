import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { protocolVersion } from '#shared/rpc/wire-message.ts';
import { makeOwnerFolder, writeOwnerAddress } from '../../host/owner/owner-address.ts';
import { collectOutcome, startSwath, toLines, type Outcome } from '../testing/run-swath.ts';
import { startEndingOwner } from '../testing/start-ending-owner.ts';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

interface Listed {
  queue: { isPaused: boolean };
  orders: { downloadId: number }[];
  transfers: { transferId: number; state: string; priority: string }[];
}

describe('swath queue when the program that has the queue ends', { timeout: 240_000 }, () => {
  const catalog = useDemoCatalog();
  let folderCount = 0;

  function openFolder() {
    const dataDir = join(catalog.root, `ended-${++folderCount}`);
    const { baseUrl, token } = catalog.service;
    const run = (...args: string[]): Promise<Outcome> => {
      const named = ['--data-dir', dataDir, '--base-url', baseUrl];
      const child = startSwath([...named, ...args], { SWATH_TOKEN: token });
      child.stdin.end();
      return collectOutcome(child);
    };
    const list = async () => JSON.parse((await run('queue', 'list', '--json')).stdout) as Listed;
    const add = async () => {
      const to = join(catalog.root, `files-${folderCount}`);
      const item = await catalog.findItemId();
      return run('queue', 'add', 'sentinel-2-l2a', item, '--assets', 'visual,thumbnail', '--to', to);
    };
    /** What a command comes to that has to be given twice, because whoever did it the first time ended. */
    const runTwice = async (endsAfter: string, command: () => Promise<Outcome>): Promise<Outcome> => {
      const { hasEnded } = await startEndingOwner({ dataDir, baseUrl, token, endsAfter });
      const outcome = await command();
      await hasEnded;
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(outcome.stderr).toContain('which had the queue, has ended; going on without it');
      return outcome;
    };
    return { dataDir, run, list, add, runTwice };
  }

  it('places an order once, and says its number, though the first answer never came', async () => {
    const { list, add, runTwice } = openFolder();
    const { stdout, stderr } = await runTwice('orders.place', add);
    const { orders, transfers } = await list();
    // A second one would have taken the first one's files over, and have the next number.
    expect(stdout).toBe('1\n');
    expect(orders.map(({ downloadId }) => downloadId)).toEqual([1]);
    expect(transfers.map(({ state }) => state)).toEqual(['queued', 'queued']);
    expect(stderr.match(/2 files of 1 item/g)).toHaveLength(1);
  });

  it('places an order that was not placed yet', async () => {
    const { list, add, runTwice } = openFolder();
    const { stdout } = await runTwice('orders.plan', add);
    expect((await list()).orders.map(({ downloadId }) => `${downloadId}\n`)).toEqual([stdout]);
  });

  it.each<[string, string, string, unknown, string?]>([
    ['pause', 'pauseQueue', 'the queue is paused', ['queued', 'queued']],
    ['pause --order 1', 'pause', 'paused: 2 transfers', ['paused', 'paused']],
    ['resume 1 2', 'resume', 'resumed: 2 transfers', ['queued', 'queued'], 'pause --order 1'],
    ['cancel --all', 'cancel', 'cancelled: 2 transfers. swath queue undo 1 has', ['cancelled', 'cancelled']],
    ['undo 1', 'undoCancel', 'taken back: 1 transfer', ['queued', 'queued'], 'cancel 2'],
    ['remove 1 2', 'remove', 'removed: 2 transfers', [], 'cancel --all'],
    ['priority high 1', 'prioritise', 'now high: 1 transfer', ['high', 'queued']],
  ])('%s is done once, and what was done is said (%s)', async (command, call, says, expected, before) => {
    const { list, add, run, runTwice } = openFolder();
    expect((await add()).code).toBe(0);
    if (before) expect((await run('queue', ...before.split(' '))).code).toBe(0);
    const { stderr } = await runTwice(`queue.${call}`, () => run('queue', ...command.split(' ')));
    expect(stderr).toContain(says);
    const { queue, transfers } = await list();
    expect(queue.isPaused).toBe(command === 'pause');
    expect(transfers.map(({ state, priority }) => (priority === 'high' ? 'high' : state))).toEqual(expected);
  });

  it('says of a transfer that never was there that it is not, and of one that was removed before', async () => {
    const { add, run } = openFolder();
    await add();
    await run('queue', 'cancel', '--all');
    expect((await run('queue', 'remove', '1')).code).toBe(0);
    expect((await run('queue', 'remove', '1')).code).toBe(1);
  });

  it('hands each file over once', async () => {
    const { add, run, runTwice } = openFolder();
    await add();
    const { stdout: whole } = await run('queue', 'export', '--curl');
    const { stdout } = await runTwice('queue.handOver', () => run('queue', 'export', '--curl'));
    expect(stdout).toBe(whole);
    expect(toLines(whole).length).toBeGreaterThan(1);
  });

  it('runs rules of saved searches, each once', async () => {
    const { run, runTwice } = openFolder();
    for (const name of ['One', 'Two'])
      await run('search', '--collections', 'sentinel-2-l2a', '--max-items', '3', '--save', name);
    const set = (name: string) =>
      run('saved', 'rule', 'set', name, '--assets', 'visual', '--to', join(catalog.root, name));
    expect((await runTwice('rules.save', () => set('One'))).stderr).toMatch(/took note of \d+ items/);
    await set('Two');
    const { stderr } = await runTwice('rules.run', () => run('saved', 'rule', 'run'));
    expect(stderr.match(/swath: (One|Two): /g)).toEqual(['swath: One: ', 'swath: Two: ']);
    await runTwice('rules.switch', () => run('saved', 'rule', 'off', 'One'));
    await runTwice('rules.remove', () => run('saved', 'rule', 'remove', 'Two'));
    const { stdout } = await run('saved', 'rule', 'list');
    expect(toLines(stdout).map((line) => line.split('\t').slice(0, 2))).toEqual([['One', 'off']]);
  });

  it.each(['list', 'report', 'pause'])(
    '%s is asked for again where it hung up at the first word',
    async (word) => {
      const { dataDir, run } = openFolder();
      await startHangingUp(dataDir, { times: 1 });
      const { code, stderr } = await run('queue', word);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('which had the queue, has ended; going on without it');
    },
  );

  it('is not asked for again and again where it is there and hangs up', async () => {
    const { dataDir, run } = openFolder();
    await startHangingUp(dataDir, { times: Infinity });
    const { code, stderr } = await run('queue', 'list');
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('ended before it answered');
  });
});

/** A program that has the queue and hangs up at the first word, so many times. */
async function startHangingUp(dataDir: string, { times }: { times: number }): Promise<void> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(`${JSON.stringify({ version: protocolVersion, pid: 4711 })}\n`);
      socket.once('data', () => {
        if (++count >= times) server.close();
        socket.destroy();
      });
    });
  });
  onTestFinished(() => void server.close());
  makeOwnerFolder(dataDir);
  const socketPath = join(dataDir, 'owner', 'socket');
  server.listen(socketPath);
  await once(server, 'listening');
  writeOwnerAddress(dataDir, { socketPath, token: 'a-token' });
}
