import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useDemoCatalog } from '../testing/use-demo-catalog.ts';

const catalog = useDemoCatalog();
const hostile = 'a\u001b]0;x\u0007\u009b2J\u202eb';
const shown = 'a\\u001b]0;x\\u0007\\u009b2J\\u202eb';

it('prints what a catalog calls its items and files without letting it into the terminal', async () => {
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: hostile,
    collection: 'sentinel-2-l2a',
    geometry: null,
    properties: { datetime: '2026-05-01T00:00:00Z' },
    links: [],
    assets: { [hostile]: { href: new URL('/f.tif', catalog.service.baseUrl).href, roles: ['data'] } },
  };
  const add = ['queue', 'add', '--roles', 'data', '--title', hostile, '--to', join(catalog.root, 'out'), '-'];
  const added = await catalog.run(add, { stdin: `${JSON.stringify(item)}\n` });
  expect(added.code, added.stderr).toBe(0);

  const list = await catalog.run(['queue', 'list']);
  expect(list.stdout.trimEnd().split('\t').slice(4, 7)).toEqual(['sentinel-2-l2a', shown, shown]);
  const run = await catalog.run(['queue', 'run']);
  expect(run.stdout).toContain(`${shown} ${shown} (${shown}): `);
  const report = await catalog.run(['queue', 'report', '--order', added.stdout.trim()]);
  expect(report.stdout).toContain(`${shown}, to `);
  for (const { stdout, stderr } of [added, list, run, report])
    expect(`${stdout}${stderr}`).not.toMatch(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u);

  const csv = await catalog.run(['queue', 'report', '--format', 'csv']);
  expect(csv.stdout, 'a file of it stays as it is').toContain(`${hostile},${hostile}`);
  const json = await catalog.run(['queue', 'list', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ transfers: [{ itemId: hostile, assetKey: hostile }] });
}, 60_000);
