import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asOrdinaryUser } from '../testing/as-ordinary-user.ts';
import { collectOutcome, startSwath, toLines, type Outcome } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

const ordinaryUser = asOrdinaryUser();

describe.skipIf(ordinaryUser === null)('in a data folder that takes nothing', () => {
  const catalog = useDemoCatalog();
  const ask = (data: string, ...args: string[]): Promise<Outcome> => {
    const where = ['--data-dir', data, '--base-url', catalog.service.baseUrl];
    return collectOutcome(
      startSwath(
        [...where, ...args],
        { HOME: tmpdir(), SWATH_TOKEN: catalog.service.token },
        ordinaryUser ?? {},
      ),
    );
  };
  const makeFolder = (name: string, mode: number): string => {
    const folder = join(catalog.root, name);
    mkdirSync(folder, { recursive: true });
    chmodSync(catalog.root, 0o755);
    chmodSync(folder, mode);
    // So that it can be removed by others than root.
    onTestFinished(() => chmodSync(folder, 0o755));
    return folder;
  };

  it('swath looks at everything, changes nothing, and says of what would change something why not', async () => {
    const [data, backups] = [makeFolder('data', 0o755), makeFolder('backups', 0o777)];
    const { stdout: items } = await catalog.run([
      'search',
      '--collections',
      'sentinel-2-l2a',
      '--limit',
      '2',
      '--max-items',
      '2',
      '--save',
      'Two',
    ]);
    const add = ['queue', 'add', '--roles', 'thumbnail', '--to', makeFolder('files', 0o755)];
    await catalog.run([...add, '-'], { stdin: items });
    await catalog.run(['queue', 'run']);
    await catalog.run([...add, '--from-search', 'Two', '--assets', 'B04']);
    for (const name of readdirSync(data)) if (name.endsWith('.sqlite')) chmodSync(join(data, name), 0o444);
    chmodSync(data, 0o555);
    const before = readdirSync(data).sort();

    const list = await ask(data, 'queue', 'list', '--json');
    expect(list.code, list.stderr).toBe(0);
    const { transfers } = JSON.parse(list.stdout) as { transfers: { state: string }[] };
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done', 'queued', 'queued']);
    expect((await ask(data, 'queue', 'report')).stdout).toContain('done and verified: 2 files');
    expect(toLines((await ask(data, 'queue', 'history')).stdout)).toHaveLength(2);
    expect((await ask(data, 'queue', 'export', '--curl')).stderr).toContain('2 files for curl');
    expect((await ask(data, 'saved', 'list')).stdout).toMatch(/^Two\t/);
    expect((await ask(data, 'saved', 'rule', 'list')).code).toBe(0);
    expect(toLines((await ask(data, 'search', '--offline', '--saved', 'Two')).stdout)).toHaveLength(2);
    const { libraries } = JSON.parse((await ask(data, 'library', 'usage')).stdout) as {
      libraries: { itemCount: number }[];
    };
    expect(libraries).toMatchObject([{ itemCount: 2 }]);
    const verified = JSON.parse((await ask(data, 'library', 'verify', '--thorough')).stdout) as unknown;
    expect(verified).toMatchObject({ libraries: [{ readCount: 2, problemCount: 0 }] });
    expect((await ask(data, 'library', 'evict', '--dry-run', '--max-age', '1')).code).toBe(0);
    expect(JSON.parse((await ask(data, 'library', 'backup', backups)).stdout)).toMatchObject({
      itemCount: 2,
    });

    const pack = join(backups, 'trip.swathpack');
    expect((await ask(data, 'pack', 'export', '--saved', 'Two', pack)).stderr).toMatch(/100 %\n$/);
    const shown = JSON.parse((await ask(data, 'pack', 'show', pack)).stdout) as unknown;
    expect(shown).toMatchObject({ counts: { items: 2, searches: 1, files: 2 } });

    const changes = [
      ['queue', 'pause'],
      ['saved', 'rename', 'Two', 'Pair'],
      ['search', '--saved', 'Two', '--new-since-last'],
      ['take-offline', '--collections', 'sentinel-2-l2a'],
      ['library', 'compact'],
    ];
    const refused = await Promise.all(changes.map((change) => ask(data, ...change)));
    const why = expect.stringContaining("can't be written to") as string;
    expect(refused.map(({ code, stderr }) => [code, stderr])).toEqual(changes.map(() => [1, why]));
    expect(readdirSync(data).sort()).toEqual(before);
  }, 240_000);

  it('swath says of a damaged file that it is damaged, not that it is empty, and leaves no copy behind', async () => {
    const [data, temporary] = [makeFolder('damaged', 0o755), makeFolder('temporary', 0o777)];
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const [queue, notebook] = ['downloads.sqlite', 'notebook.sqlite'].map((name) => join(data, name));
    for (const file of [queue, notebook]) writeFileSync(file ?? '', 'no database');
    chmodSync(data, 0o555);
    const listed = [await ask(data, 'queue', 'list'), await ask(data, 'saved', 'list')];
    expect(listed.map(({ code, stdout }) => [code, stdout])).toEqual([
      [1, ''],
      [1, ''],
    ]);
    for (const { stderr } of listed) expect(stderr).toContain(`${data}/`);
    for (const { stderr } of listed) expect(stderr).toContain("can't be read");
    expect(readdirSync(temporary)).toEqual([]);
  });
});
