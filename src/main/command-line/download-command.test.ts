import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { collectOutcome, readFirstLine, startSwath, toLines } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

describe('swath download', () => {
  const catalog = useDemoCatalog();

  it('leaves files for a field pack as taking offline does', async () => {
    const id = await catalog.findItemId();
    const where = ['--data-dir', join(catalog.root, 'taken')];
    const question = ['--collections', 'sentinel-2-l2a', '--ids', id];
    const to = join(catalog.root, 'taken-files');
    const taken = await catalog.run([
      ...where,
      'take-offline',
      ...question,
      '--assets',
      'thumbnail',
      '--to',
      to,
    ]);
    expect(taken.code, taken.stderr).toBe(0);
    const { stdout } = await catalog.run([...where, 'pack', 'export', join(catalog.root, 'taken.swathpack')]);
    const { path } = JSON.parse(stdout) as { path: string };
    const shown = JSON.parse((await catalog.run(['pack', 'show', path])).stdout) as unknown;
    expect(shown).toMatchObject({ counts: { items: 1, files: 1 } });
  }, 60_000);

  it('brings assets home, and does nothing when they are there already', async () => {
    const folder = join(catalog.root, 'images');
    const args = [
      'download',
      'sentinel-2-l2a',
      await catalog.findItemId(),
      '--assets',
      'visual,thumbnail',
      '--to',
      folder,
    ];
    const first = await catalog.run(args);
    expect(first.stderr).toContain('visual: verified by its checksum');
    expect(first.code).toBe(0);
    const [path = '', ...others] = toLines(first.stdout);
    expect(others).toHaveLength(1);
    expect(path.startsWith(join(folder, 'sentinel-2-l2a'))).toBe(true);
    const { mtimeMs } = statSync(path);

    const second = await catalog.run([...args, '--json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      files: [
        { asset: 'visual', path, state: 'done', verification: 'checksum' },
        { asset: 'thumbnail', state: 'done' },
      ],
    });
    expect(statSync(path).mtimeMs).toBe(mtimeMs);

    // As long as before, and other bytes.
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole.subarray(0, -4), Buffer.from('????')]));
    const third = await catalog.run(args);
    expect(third.code).toBe(0);
    const [besides = ''] = toLines(third.stdout).filter((line) => !toLines(first.stdout).includes(line));
    expect(readFileSync(besides).equals(whole)).toBe(true);
    rmSync(besides);
    rmSync(path);
    await catalog.run(args);
    const fourth = await catalog.run(args);
    expect(toLines(fourth.stdout).toSorted()).toEqual(toLines(first.stdout).toSorted());
  });

  it('names an asset that the item does not have beside those that came, or were there, and ends with 6', async () => {
    const to = ['--to', join(catalog.root, 'with-a-typo')];
    const args = ['download', 'sentinel-2-l2a', await catalog.findItemId(), ...to, '--assets'];
    const first = await catalog.run([...args, 'thumbnail,B99']);
    expect(first.stderr).toMatch(/^swath: B99: .*no asset/m);
    expect(first.code).toBe(6);
    expect(toLines(first.stdout)).toHaveLength(1);
    const again = await catalog.run([...args, 'thumbnail,B99']);
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toContain('B99');
    expect(again.code).not.toBe(0);
  });

  it('keeps the item in the library, to be found with no network and shared', async () => {
    const ref = ['sentinel-2-l2a', await catalog.findItemId()];
    const folder = ['--data-dir', join(catalog.root, 'brought')];
    const to = ['--assets', 'thumbnail', '--to', join(catalog.root, 'pictures')];
    expect((await catalog.run(['item', ...folder, '--offline', ...ref])).code).not.toBe(0);
    expect((await catalog.run(['download', ...folder, ...ref, ...to])).code).toBe(0);
    const kept = await catalog.run(['item', ...folder, '--offline', ...ref]);
    expect(JSON.parse(kept.stdout)).toMatchObject({ id: ref[1] });
  });

  it('goes on with a download that was interrupted', async () => {
    const folder = join(catalog.root, 'large');
    const args = [
      'download',
      'sentinel-2-l2a',
      await catalog.findItemId(),
      '--assets',
      'B02',
      '--to',
      folder,
    ];
    const child = catalog.start(args);
    const interrupted = collectOutcome(child);
    await waitForPart(folder, 8_000_000);
    child.kill('SIGINT');
    const { code, stderr } = await interrupted;
    expect(code, stderr).toBe(1);
    const [part = ''] = findFiles(folder).filter((file) => file.includes('part'));
    expect(existsSync(part)).toBe(true);

    const resumed = await catalog.run(args);
    expect(resumed.stderr).toContain('B02: verified by its checksum');
    expect(resumed.code).toBe(0);
    expect(existsSync(part)).toBe(false);
  });

  it('gives up when the catalog and its storage are gone, and keeps what came', async () => {
    const other = startSwath(['--data-dir', join(catalog.root, 'gone'), 'demo', '--items', '50']);
    const { baseUrl, token } = JSON.parse(await readFirstLine(other)) as { baseUrl: string; token: string };
    const options = ['--data-dir', join(catalog.root, 'data'), '--base-url', baseUrl];
    const listing = startSwath(
      [...options, 'search', '--collections', 'sentinel-2-l2a', '--max-items', '1'],
      {
        SWATH_TOKEN: token,
      },
    );
    const { id } = JSON.parse((await collectOutcome(listing)).stdout) as { id: string };
    const folder = join(catalog.root, 'unfinished');
    const order = ['download', 'sentinel-2-l2a', id, '--assets', 'B02', '--to', folder, '--patience', '1'];
    const outcome = collectOutcome(startSwath([...options, ...order], { SWATH_TOKEN: token }));
    await waitForPart(folder, 4_000_000);
    other.kill('SIGKILL');
    expect(await outcome).toMatchObject({ code: 4, stdout: '' });
    const files = findFiles(folder).filter((path) => statSync(path).isFile());
    expect(files.sort()).toEqual([
      expect.stringMatching(/\.part$/),
      // What the part file is of, should the queue's own file be lost.
      expect.stringMatching(/\.part\.json$/),
    ]);
  });

  it('says which asset does not exist', async () => {
    const outcome = await catalog.run([
      'download',
      'sentinel-2-l2a',
      await catalog.findItemId(),
      '--assets',
      'B99',
      '--to',
      catalog.root,
    ]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('B99');
  });
});

function findFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

async function waitForPart(folder: string, sizeBytes: number): Promise<void> {
  const isThere = (): boolean =>
    findFiles(folder).some((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() === true && file.includes('part') && stats.size >= sizeBytes;
    });
  await eventually(() => expect(isThere()).toBe(true));
}
