import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toLines } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

const question = ['--collections', 'sentinel-2-l2a', '--limit', '2', '--max-items', '2'];

describe('while the drive that the libraries were moved to is pulled out', () => {
  const catalog = useDemoCatalog();
  const makeFolder = (name: string): string => {
    const folder = join(catalog.root, name);
    mkdirSync(folder);
    return folder;
  };
  const readFolderSetting = (): unknown => {
    const text = readFileSync(join(catalog.root, 'data', 'settings.json'), 'utf8');
    return (JSON.parse(text) as Record<string, unknown>)['libraryFolder'];
  };

  it('swath denies no library, forgets no folder, and goes on as before once the drive is back', async () => {
    const [backups, elsewhere, drive] = ['backups', 'elsewhere', 'drive'].map(makeFolder) as [
      string,
      string,
      string,
    ];
    const file = join(catalog.root, 'items.jsonl');
    writeFileSync(file, (await catalog.run(['search', ...question])).stdout);
    const backup = JSON.parse((await catalog.run(['library', 'backup', backups])).stdout) as {
      folder: string;
    };
    expect((await catalog.run(['library', 'move', drive])).code).toBe(0);
    renameSync(drive, `${drive}-away`);

    const commands = [
      ['search', '--offline', ...question],
      ['history'],
      ['import', file],
      ['export', '--offline', '--to', join(elsewhere, 'items.csv')],
      ['take-offline', '--collections', 'sentinel-2-l2a'],
      ['pack', 'export', join(elsewhere, 'trip.swathpack')],
      ['library', 'usage'],
      ['library', 'verify'],
      ['library', 'compact'],
      ['library', 'backup', backups],
      ['library', 'restore', backup.folder],
      ['library', 'evict', '--max-size', '1'],
      ['library', 'evict', '--dry-run'],
      ['library', 'move'],
      ['library', 'move', elsewhere],
    ];
    const refused = await Promise.all(commands.map((command) => catalog.run(command)));
    const why = expect.stringContaining(
      `The library folder ${drive} is not there. Connect the drive it is on. If it is lost for good, `,
    ) as string;
    expect(refused.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
      commands.map(() => [1, '', why]),
    );
    const asJson = await catalog.run(['--json', 'library', 'verify']);
    expect(JSON.parse(asJson.stderr)).toMatchObject({
      code: 'library.folder-missing',
      details: { folder: drive },
    });

    const online = await catalog.run(['search', ...question]);
    expect([online.code, toLines(online.stdout).length]).toEqual([0, 2]);
    expect(online.stderr).toContain(`not kept in the library: The library folder ${drive} is not there`);

    expect(readFolderSetting()).toBe(drive);
    expect(readdirSync(backups)).toHaveLength(1);
    expect([readdirSync(elsewhere), existsSync(drive)]).toEqual([[], false]);
    expect(readdirSync(join(catalog.root, 'data')).filter((name) => name.startsWith('library-'))).toEqual([]);

    renameSync(`${drive}-away`, drive);
    const offline = await catalog.run(['search', '--offline', ...question]);
    expect(toLines(offline.stdout)).toHaveLength(2);
  }, 240_000);

  it('swath begins anew when it is told to leave that folder behind, and only while it is not there', async () => {
    const drive = makeFolder('lost');
    await catalog.run(['search', ...question]);
    await catalog.run(['library', 'move', drive]);
    const leave = ['library', 'move', '--leave-behind'];
    const there = await catalog.run(leave);
    expect([there.code, there.stderr]).toEqual([2, expect.stringContaining(`${drive} is there`)]);

    renameSync(drive, `${drive}-away`);
    const kept = readdirSync(`${drive}-away`);
    const left = await catalog.run(leave);
    expect(JSON.parse(left.stdout)).toMatchObject({ from: drive, libraryCount: 0 });
    expect(readFolderSetting()).toBe(null);
    await catalog.run(['search', ...question]);
    expect(toLines((await catalog.run(['search', '--offline', ...question])).stdout)).toHaveLength(2);
    expect(readdirSync(`${drive}-away`)).toEqual(kept);
  }, 120_000);
});
