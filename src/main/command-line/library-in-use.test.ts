import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../backend/library/open-library.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

const question = ['--collections', 'sentinel-2-l2a', '--limit', '2', '--max-items', '2'];

describe('while another program has the library open', { timeout: 120_000 }, () => {
  const catalog = useDemoCatalog();
  const makeFolder = (name: string): string => {
    const folder = join(catalog.root, name);
    mkdirSync(folder);
    return folder;
  };
  const data = () => join(catalog.root, 'data');
  const findLibraries = (): string[] =>
    readdirSync(data()).filter((name) => /^library-.*\.sqlite$/.test(name));
  const countOffline = async (): Promise<number> =>
    (await catalog.run(['search', '--offline'])).stdout.split('\n').filter(Boolean).length;

  it('its file is neither moved nor replaced, and what that program writes stays', async () => {
    expect((await catalog.run(['search', ...question])).code).toBe(0);
    const backup = JSON.parse((await catalog.run(['library', 'backup', makeFolder('backups')])).stdout) as {
      folder: string;
    };
    const elsewhere = makeFolder('elsewhere');
    const [name = ''] = findLibraries();
    const other = openLibrary({ filePath: join(data(), name) });
    const commands = [
      ['library', 'move', elsewhere],
      ['library', 'restore', backup.folder],
    ];
    try {
      for (const command of commands) {
        const { code, stderr } = await catalog.run(command);
        expect(code, stderr).toBe(5);
        expect(stderr).toContain('in use by another Swath');
      }
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(findLibraries()).toEqual([name]);
      await other.saveCollections([{ id: 'written-meanwhile' }], 0);
    } finally {
      await other.close();
    }
    const after = openLibrary({ filePath: join(data(), name) });
    expect(JSON.stringify(after.collections())).toContain('written-meanwhile');
    await after.close();
    for (const command of commands) expect((await catalog.run(command)).code).toBe(0);
    expect(await countOffline()).toBe(2);
  });
});
