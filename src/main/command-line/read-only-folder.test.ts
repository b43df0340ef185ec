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

  it('swath looks at everything, changes nothing, and says of what would change something what to do', async () => {
    const [data, elsewhere] = [makeFolder('data', 0o755), makeFolder('elsewhere', 0o777)];
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
    const backup = JSON.parse((await ask(data, 'library', 'backup', elsewhere)).stdout) as { folder: string };
    expect(backup).toMatchObject({ itemCount: 2 });
    const pack = join(elsewhere, 'trip.swathpack');
    expect((await ask(data, 'pack', 'export', '--saved', 'Two', pack)).stderr).toMatch(/100 %\n$/);
    const shown = JSON.parse((await ask(data, 'pack', 'show', pack)).stdout) as unknown;
    expect(shown).toMatchObject({ counts: { items: 2, searches: 1, files: 2 } });

    const changes = [
      ['queue', 'pause'],
      ['saved', 'rename', 'Two', 'Pair'],
      ['search', '--saved', 'Two', '--new-since-last'],
      ['take-offline', '--collections', 'sentinel-2-l2a'],
      ['library', 'compact'],
      ['library', 'evict', '--max-size', '1'],
      ['library', 'restore', backup.folder],
      ['library', 'move', elsewhere],
      ['import', join(elsewhere, 'items.geojson')],
      ['pack', 'open', pack],
    ];
    writeFileSync(join(elsewhere, 'items.geojson'), items);
    const refused = await Promise.all(changes.map((change) => ask(data, ...change)));
    const why = expect.stringMatching(/can't be written to\. .*--data-dir.*library backup/) as string;
    expect(refused.map(({ code, stderr }) => [code, stderr])).toEqual(changes.map(() => [1, why]));
    expect(readdirSync(data).sort()).toEqual(before);

    const copy = join(elsewhere, 'copy');
    expect((await ask(copy, 'library', 'restore', '--notebook', backup.folder)).code).toBe(0);
    expect((await ask(copy, 'saved', 'rename', 'Two', 'Pair')).code).toBe(0);
    expect((await ask(copy, 'library', 'compact')).code).toBe(0);
  }, 240_000);

  it('swath moves libraries out of a folder that takes nothing, and restores none into it', async () => {
    const [data, libraries, elsewhere] = ['own', 'closed', 'open'].map((name) => makeFolder(name, 0o777));
    if (!data || !libraries || !elsewhere) throw new Error('There are three folders');
    writeFileSync(join(data, 'settings.json'), JSON.stringify({ libraryFolder: libraries }), { mode: 0o666 });
    expect((await ask(data, 'search', '--collections', 'sentinel-2-l2a', '--max-items', '2')).code).toBe(0);
    const { folder } = JSON.parse((await ask(data, 'library', 'backup', elsewhere)).stdout) as {
      folder: string;
    };
    chmodSync(libraries, 0o555);
    const kept = readdirSync(libraries);

    expect((await ask(data, 'library', 'restore', folder)).stderr).toContain(
      `${libraries} can't be written to`,
    );
    const moved = await ask(data, 'library', 'move', elsewhere);
    expect(JSON.parse(moved.stdout)).toMatchObject({ libraryCount: 1, leftCount: 1 });
    const { libraries: used } = JSON.parse((await ask(data, 'library', 'usage')).stdout) as {
      libraries: unknown[];
    };
    expect(used).toMatchObject([{ itemCount: 2 }]);
    expect(readdirSync(libraries)).toEqual(kept);
  }, 60_000);

  it('swath changes no copy of what it can only read, and says which folder it could not make', async () => {
    const data = makeFolder('partly', 0o777);
    const question = ['--collections', 'sentinel-2-l2a', '--max-items', '1'];
    expect((await ask(data, 'search', ...question, '--save', 'One')).code).toBe(0);
    chmodSync(join(data, 'notebook.sqlite'), 0o444);
    const renamed = await ask(data, 'saved', 'rename', 'One', 'First');
    expect([renamed.code, renamed.stderr]).toEqual([1, expect.stringContaining("can't be written to")]);
    expect((await ask(data, 'saved', 'list')).stdout).toMatch(/^One\t/);

    const missing = join(makeFolder('shut', 0o555), 'data');
    expect((await ask(missing, 'history')).stderr).toContain(`The data folder ${missing} can't be made`);
  }, 60_000);

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
