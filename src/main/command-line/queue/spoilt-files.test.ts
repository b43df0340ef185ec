import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { toLines } from '../testing/run-swath.ts';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

describe('swath verify and the queue', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();

  /** Brings these assets home, into a folder of that name. */
  async function bring(name: string, assets: string) {
    const folder = join(catalog.root, name);
    const item = await catalog.findItemId();
    const add = ['queue', 'add', 'sentinel-2-l2a', item, '--assets', assets, '--to', folder];
    const added = await catalog.run(add);
    expect(added.code, added.stderr).toBe(0);
    await catalog.run(['queue', 'run']);
    const order = added.stdout.trim();
    // Files of other orders may be missing: the run says so with its exit code.
    expect(await reportOf(order)).toMatchObject({ isSettled: true, failed: [] });
    return { folder, add, order };
  }

  async function reportOf(order: string): Promise<TransferReport> {
    const { stdout } = await catalog.run(['queue', 'report', '--order', order, '--json']);
    return JSON.parse(stdout) as TransferReport;
  }

  it('has a file again that was changed, and one that is gone, as the report says', async () => {
    const { folder, add, order } = await bring('spoilt', 'visual,thumbnail');
    const { verified } = await reportOf(order);
    expect(verified.count).toBe(2);
    const [visual, thumbnail] = [findFile(folder, /visual|TCI/i), findFile(folder, /thumbnail/i)];
    const whole = readFileSync(visual);
    flipByte(visual);
    rmSync(thumbnail);

    const found = await catalog.run(['verify', folder]);
    expect(found.code).toBe(1);
    expect(found.stderr).toContain('1 changed, 1 missing');
    expect(found.stderr).toContain('to have 2 files again: swath queue retry, then swath queue run');
    expect((await reportOf(order)).lost.map(({ finding }) => finding).toSorted()).toEqual([
      'changed',
      'missing',
    ]);
    const csv = await catalog.run(['queue', 'report', '--order', order, '--format', 'csv']);
    expect(csv.stdout).toMatch(/^missing,.*,the file is not there any more,try again: swath queue retry$/m);
    expect((await catalog.run(['queue', 'run'])).code, 'not all of it is there').toBe(1);
    const dry = await catalog.run([...add, '--dry-run']);
    expect(dry.stderr).toContain('2 files of 1 item');
    expect(dry.stderr).not.toContain('already there');

    const retried = await catalog.run(['queue', 'retry']);
    expect(retried.stderr).toContain('queued again: 2 transfers');
    expect((await catalog.run(['queue', 'run'])).code).toBe(0);
    expect(await reportOf(order)).toMatchObject({ lost: [], verified: { count: 2 } });
    const copies = filesIn(folder).filter((path) => readFileSync(path).equals(whole));
    expect(copies, 'the changed one is left to whoever changed it').toHaveLength(1);
    expect(copies).not.toContain(visual);
  });

  it('forgets what was found once a file is whole again, by whatever name its folder is looked through', async () => {
    const { folder, order } = await bring('mended', 'thumbnail');
    symlinkSync(catalog.root, join(catalog.root, 'over-a-link'));
    const link = join(catalog.root, 'over-a-link', 'mended');
    const path = findFile(folder, /thumbnail/i);
    renameSync(path, `${path}.aside`);
    expect((await catalog.run(['verify', link])).code).toBe(1);
    expect((await reportOf(order)).lost).toMatchObject([{ finding: 'missing' }]);
    renameSync(`${path}.aside`, path);
    const mended = await catalog.run(['verify', link]);
    expect(mended.code, mended.stderr).toBe(0);
    expect(mended.stderr).not.toContain('again');
    expect((await reportOf(order)).lost).toEqual([]);
  });

  it('misses the files of an item whose folder is gone with its receipt', async () => {
    const { folder, order } = await bring('without-folders', 'visual,thumbnail');
    const itemFolder = dirname(findFile(folder, /thumbnail/i));
    rmSync(itemFolder, { recursive: true });
    symlinkSync(catalog.root, join(catalog.root, 'past-a-link'));
    for (const looked of [
      folder,
      join(catalog.root, 'past-a-link', 'without-folders'),
      dirname(itemFolder),
    ]) {
      const { code, stdout, stderr } = await catalog.run(['verify', looked]);
      expect(code, stderr).toBe(1);
      const names = toLines(stdout).map((line) => line.split('\t').slice(0, 2));
      const inside = relative(folder, looked).startsWith('..') ? folder : looked;
      expect(names.map(([result]) => result)).toEqual(['missing', 'missing']);
      expect(names.every(([, name]) => dirname(join(inside, name ?? '')) === itemFolder)).toBe(true);
      expect(stderr).toContain('0 ok, 2 missing');
      expect(stderr).toContain('to have 2 files again: swath queue retry, then swath queue run');
    }
    expect(await reportOf(order)).toMatchObject({
      verified: { count: 0 },
      lost: [{ finding: 'missing' }, { finding: 'missing' }],
    });
    const json = await catalog.run(['verify', '--json', folder]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      counts: { missing: 2 },
      files: [{ result: 'missing', verification: 'checksum' }, { result: 'missing' }],
      queue: { spoiltCount: 2, error: null },
    });

    expect((await catalog.run(['queue', 'retry'])).stderr).toContain('queued again: 2 transfers');
    expect((await catalog.run(['queue', 'run'])).code).toBe(0);
    expect((await catalog.run(['verify', folder])).code).toBe(0);
    expect(await reportOf(order)).toMatchObject({ lost: [], verified: { count: 2 } });
  });

  it('compares files whose receipt is damaged or gone with what the queue knows', async () => {
    const { folder, order } = await bring('without-receipt', 'visual,thumbnail');
    const [visual, thumbnail] = [findFile(folder, /visual|TCI/i), findFile(folder, /thumbnail/i)];
    const receipt = join(dirname(visual), 'receipt.json');
    writeFileSync(receipt, '[{');
    const damaged = await catalog.run(['verify', folder]);
    expect(damaged).toMatchObject({ code: 1 });
    expect(damaged.stdout).toContain('The receipt is damaged');
    expect(damaged.stderr).toContain('2 ok, 1 no-receipt');
    rmSync(receipt);
    flipByte(visual);
    const { code, stdout, stderr } = await catalog.run(['verify', folder]);
    expect(code).toBe(1);
    const results = toLines(stdout).map((line) => line.split('\t').slice(0, 2));
    expect(results).toEqual(
      expect.arrayContaining([
        ['no-receipt', relative(folder, receipt)],
        ['changed', relative(folder, visual)],
        ['ok', relative(folder, thumbnail)],
      ]),
    );
    expect(stderr).toContain('to have 1 file again: swath queue retry');
    expect(await reportOf(order)).toMatchObject({ lost: [{ finding: 'changed' }] });
  });

  it('misses nothing that went elsewhere, to a folder that is not there, or that another queue has brought', async () => {
    const { folder, order } = await bring('elsewhere/unplugged', 'thumbnail');
    renameSync(folder, `${folder}-away`);
    const above = await catalog.run(['verify', dirname(folder)]);
    expect(above.code, above.stderr).toBe(0);
    renameSync(`${folder}-away`, folder);
    rmSync(dirname(findFile(folder, /thumbnail/i)), { recursive: true });
    const sibling = join(catalog.root, 'elsewhere', 'un');
    mkdirSync(sibling);
    const empty = await catalog.run(['verify', sibling]);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('nothing is known of any file')]);
    // Without the queue that brought it, the folder's own links still tell that something is gone.
    const elsewhere = await catalog.run(['--data-dir', join(catalog.root, 'none'), 'verify', folder]);
    expect([elsewhere.code, elsewhere.stdout]).toEqual([1, expect.stringMatching(/^folder-gone\t/)]);
    expect((await reportOf(order)).lost).toEqual([]);
  });

  it('says how to have files again that came with no queue of this computer', async () => {
    const { folder } = await bring('from-here', 'thumbnail');
    const copy = join(catalog.root, 'from-elsewhere');
    cpSync(folder, copy, { recursive: true });
    flipByte(findFile(copy, /thumbnail/i));
    const isKnown = await catalog.run(['verify', '--json', copy]);
    expect(JSON.parse(isKnown.stdout)).toMatchObject({
      counts: { changed: 1 },
      queue: { spoiltCount: 0, error: null },
    });
    const dataDir = join(catalog.root, 'no-queue');
    const { code, stderr } = await catalog.run(['--data-dir', dataDir, 'verify', copy]);
    expect(code).toBe(1);
    expect(toLines(stderr).at(-1)).toContain(
      'move changed files away, then swath queue add or swath download',
    );
    expect(() => readdirSync(dataDir), 'nothing is made for a look').toThrow('ENOENT');
  });
});

describe('swath queue with numbers', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();

  it('names those that no transfer has, and those that are left as they are, with why', async () => {
    const item = await catalog.findItemId();
    const add = ['queue', 'add', 'sentinel-2-l2a', item, '--assets', 'visual,thumbnail'];
    expect((await catalog.run([...add, '--to', join(catalog.root, 'numbers')])).code).toBe(0);
    const paused = await catalog.run(['queue', 'pause', '1', '2', '999', '998']);
    expect(paused.code).toBe(1);
    expect(toLines(paused.stderr)).toEqual([
      'swath: paused: 2 transfers',
      'swath: There are no transfers 999, 998',
    ]);
    expect(await catalog.run(['queue', 'resume', '1'])).toMatchObject({
      code: 0,
      stderr: 'swath: resumed: 1 transfer\n',
    });
    expect((await catalog.run(['queue', 'cancel', '1'])).code).toBe(0);
    const again = await catalog.run(['queue', 'cancel', '1']);
    expect(again).toMatchObject({
      code: 0,
      stderr: 'swath: cancelled: 0 transfers\nswath: left as it is: 1 is cancelled\n',
    });
    const retried = await catalog.run(['queue', 'retry', '1', '999', '--json']);
    expect(retried.code).toBe(1);
    expect(JSON.parse(retried.stdout)).toEqual({
      count: 0,
      unknown: [999],
      unchanged: [{ transferId: 1, state: 'cancelled' }],
    });
    const none = await catalog.run(['queue', 'priority', 'high', '998', '999']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('There are no transfers 998, 999');
  });

  it('says the usual limit of a rule as it would be given', async () => {
    const { stdout } = await catalog.run(['saved', 'rule', 'set', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('(default: 20GB)');
  });
});

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function findFile(folder: string, name: RegExp): string {
  const found = filesIn(folder).find((path) => name.test(basename(path)));
  if (found === undefined) throw new Error(`No such file: ${filesIn(folder).join(', ')}`);
  return found;
}

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
