import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { geometryOfBox } from '#shared/geo/box-geometry.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { idOfAddress } from '../backend/connection/connection-choice.ts';
import { findLibraryFile } from '../backend/library/library-file.ts';
import { asOrdinaryUser } from '../testing/as-ordinary-user.ts';
import { collectOutcome, startSwath, toLines } from './testing/run-swath.ts';
import { openLibrary } from '../backend/library/open-library.ts';
import { evictItems } from '../backend/library/upkeep/evict-items.ts';
import { withFile } from '../backend/library/upkeep/testing/fill-library.ts';

// Nothing listens there.
const baseUrl = 'http://127.0.0.1:9';
const seenMs = Date.parse('2026-11-18T14:02:00Z');

let root: string;
let libraryFile: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'swath-cli-offline-'));
  const dataDir = join(root, 'data');
  // Moved out of the data folder, as a person may.
  const libraryFolder = join(root, 'libraries');
  for (const folder of [dataDir, libraryFolder]) mkdirSync(folder);
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ libraryFolder }));
  libraryFile = libraryFileOf(baseUrl);
  const library = openLibrary({ filePath: libraryFile });
  const items = [scene('a', 'x'), scene('b', 'y'), scene('c', 'y')];
  await library.saveItems(items, seenMs);
  const save = (query: SearchQuery, kept: typeof items) =>
    library.saveSearch(
      {
        query,
        localFilter: null,
        items: kept.map(({ ref }) => ref),
        leftOutCount: 0,
        matched: null,
        isComplete: true,
      },
      seenMs,
    );
  await save({ collections: ['c'] }, items.slice(0, 2));
  await save({ collections: ['c'] }, items.slice(1));
  const lake: SearchQuery['intersects'] = geometryOfBox([7, 46, 9, 48]) as SearchQuery['intersects'];
  await save({ collections: ['lakes'], intersects: lake }, []);
  await library.markGone([{ collectionId: 'c', itemId: 'a' }], seenMs + 1000);
  await library.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function libraryFileOf(address: string): string {
  const settings = { current: { libraryFolder: join(root, 'libraries') } };
  return findLibraryFile(idOfAddress(address), { dataDir: join(root, 'data'), settings });
}

function scene(id: string, platform: string) {
  const item = { id, collection: 'c', properties: { datetime: '2026-05-01T00:00:00Z', platform } };
  return { ref: { collectionId: 'c', itemId: id }, item };
}

async function run(...args: string[]) {
  const child = startSwath(['--data-dir', join(root, 'data'), '--base-url', baseUrl, ...args]);
  const outcome = await collectOutcome(child);
  return { ...outcome, lines: toLines(outcome.stdout) };
}

it('searches the library, and says as of when and how complete that is', async () => {
  const { code, lines, stderr } = await run(
    'search',
    '--offline',
    '--collections',
    'c',
    '--query',
    '{"platform":{"eq":"y"}}',
  );
  expect([code, lines.map((line) => (JSON.parse(line) as { id: string }).id)]).toEqual([0, ['b', 'c']]);
  expect(stderr).toContain('complete as of 2026-11-18T14:02:00.000Z');
  const wider = await run('--json', 'search', '--offline');
  expect([wider.code, wider.lines.length]).toEqual([0, 3]);
  expect(JSON.parse(wider.stderr)).toMatchObject({
    completeAsOf: null,
    asOf: '2026-11-18T14:02:00.000Z',
    goneCount: 1,
  });
  expect(stderr).not.toContain('no longer');
  expect((await run('search', '--offline', '--ids', 'a')).stderr).toContain('no longer has 1 of these');
});

it('says of how many items only a part is known', async () => {
  const elsewhere = 'http://127.0.0.1:11';
  const library = openLibrary({ filePath: libraryFileOf(elsewhere) });
  await library.saveItems([{ ...scene('whole', 'x') }, { ...scene('part', 'x'), isPartial: true }], seenMs);
  await library.close();
  const ask = (...args: string[]) => run('--base-url', elsewhere, ...args, 'search', '--offline');
  const { lines, stderr } = await ask();
  expect([lines.length, stderr]).toEqual([2, expect.stringContaining('of 1 of these only what earlier')]);
  expect(JSON.parse((await ask('--json')).stderr)).toMatchObject({ partialCount: 1 });
  expect((await run('search', '--offline')).stderr).not.toContain('only what earlier');
});

it.each([
  ['--library', 'all.json'],
  ['--offline', 'asked.json'],
])('writes with %s as of when the items are', async (source, name) => {
  const to = join(root, name);
  expect((await run('export', source, '--format', 'stac', '--to', to)).code).toBe(0);
  const file = JSON.parse(readFileSync(to, 'utf8')) as object;
  expect(file).toMatchObject({ timeStamp: '2026-11-18T14:02:00.000Z', features: [{}, {}, {}] });
});

it('writes of each item what is asked for, as the catalog would', async () => {
  const to = join(root, 'light.json');
  const light = ['--fields', 'id,properties.platform', '--collections', 'c', '--ids', 'a'];
  expect((await run('export', '--offline', ...light, '--format', 'stac', '--to', to)).code).toBe(0);
  const { features } = JSON.parse(readFileSync(to, 'utf8')) as { features: unknown[] };
  expect(features).toEqual([{ id: 'a', collection: 'c', properties: { platform: 'x' } }]);
  const { lines } = await run('search', '--offline', ...light);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { id: 'a', properties: { platform: 'x' } },
  ]);
});

it('finds what was seen by words', async () => {
  const byProperty = await run('find', 'y');
  expect(byProperty.lines.map((line) => (JSON.parse(line) as { id: string }).id).sort()).toEqual(['b', 'c']);
  expect(byProperty.stderr).toContain('2 items from the library\n');
  const fewer = await run('find', 'y', '--limit', '1');
  expect([fewer.lines.length, fewer.stderr]).toEqual([1, expect.stringContaining('there are more')]);
  const none = await run('find', 'x', 'y');
  expect([none.code, none.lines, none.stderr]).toEqual([0, [], expect.stringContaining('0 items')]);
  const nothingAsked = await run('find', '');
  expect([nothingAsked.code, nothingAsked.stderr]).toEqual([2, expect.stringContaining('A word is needed')]);
});

const ordinaryUser = asOrdinaryUser();

it.skipIf(ordinaryUser === null)('reads a folder that takes nothing, and keeps nothing there', async () => {
  const folder = join(root, 'read-only');
  mkdirSync(folder);
  const [name = ''] = readdirSync(join(root, 'libraries'));
  copyFileSync(join(root, 'libraries', name), join(folder, name));
  const out = join(root, 'out');
  mkdirSync(out);
  chmodSync(out, 0o777);
  chmodSync(folder, 0o555);
  chmodSync(root, 0o755);
  const ask = (...args: string[]) =>
    collectOutcome(
      startSwath(
        ['--data-dir', folder, '--base-url', baseUrl, ...args],
        { HOME: tmpdir() },
        ordinaryUser ?? {},
      ),
    );
  const found = await ask('search', '--offline', '--collections', 'c');
  expect([found.code, toLines(found.stdout).length, found.stderr]).toEqual([
    0,
    3,
    expect.stringContaining('3 items'),
  ]);
  expect(toLines((await ask('history')).stdout)).toHaveLength(2);
  expect((await ask('export', '--offline', '--to', join(out, 'all.geojson'))).code).toBe(0);
  expect(readdirSync(out)).toEqual(['all.geojson']);
  const part = join(root, 'part.geojson');
  writeFileSync(part, '{"type":"FeatureCollection","features":[]}');
  const refused = await ask('import', part);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('written to')]);
  expect(readdirSync(folder)).toEqual([name]);
});

it('says of a box within a shape that was fetched what of it is complete', async () => {
  const asked = ['search', '--offline', '--collections', 'lakes', '--bbox', '7.5,46.5,8,47'];
  expect((await run(...asked)).stderr).toContain(
    'complete as of 2026-11-18T14:02:00.000Z, but for items whose bounding box alone reaches into the area',
  );
  const { stderr } = await run('--json', ...asked);
  expect(JSON.parse(stderr)).toMatchObject({
    completeAsOf: null,
    outlinesCompleteAsOf: '2026-11-18T14:02:00.000Z',
  });
});

it('takes a file in, and says what the catalog does not list once its list is known', async () => {
  const file = join(root, 'own.csv');
  writeFileSync(file, 'id,collection\none,mine\ntwo,mine\n');
  const dataDir = join(root, 'empty');
  const take = async () =>
    (await run('--data-dir', dataDir, 'import', file)).stderr.replace(/as of .*/, 'as of then');
  expect(await take()).toBe('swath: 2 items as of then\n');
  const [past = ''] = (await run('--data-dir', dataDir, 'history')).lines;
  expect(JSON.parse(past)).toMatchObject({ number: 1, fileName: 'own.csv', count: 2 });
  const filePath = findLibraryFile(idOfAddress(baseUrl), {
    dataDir,
    settings: { current: { libraryFolder: null } },
  });
  const library = openLibrary({ filePath });
  await library.saveCollections([{ id: 'c' }], seenMs);
  await library.close();
  expect(await take()).toMatch(/as of then\nswath: only here, as the catalog doesn't list it: mine\n$/);
  expect(await run('--data-dir', dataDir, 'import', file)).toMatchObject({
    stderr: expect.stringContaining(
      '; 2 are in the library, as fresh or with more to them, and stayed',
    ) as string,
  });
});

it('has exit codes for what can’t be answered', async () => {
  const unsupported = await run('search', '--offline', '--sortby', 'properties.gsd');
  expect([unsupported.code, unsupported.lines]).toEqual([1, []]);
  const nothing = await run('--base-url', 'http://127.0.0.1:10', 'search', '--offline');
  expect(nothing.code).toBe(4);
  expect((await run('item', '--offline', 'c', 'unknown')).code).toBe(1);
  expect((await run('search', '--offline', '--saved', 'x', '--new-since-last')).code).toBe(2);
});

it('prints a kept item, and that it is gone', async () => {
  const { code, stdout, stderr } = await run('item', '--offline', 'c', 'a');
  expect([code, (JSON.parse(stdout) as { id: string }).id]).toEqual([0, 'a']);
  expect(stderr).toContain('no longer has it, as of 2026-11-18T14:02:01.000Z');
});

it('lists the searches that were made, and compares two', async () => {
  const history = await run('history');
  expect(history.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { number: 3, count: 0 },
    { number: 2, count: 2 },
  ]);
  const runs = await run('history', '--runs', '2');
  expect(runs.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ number: 2 }, { number: 1 }]);
  expect((await run('history', '--runs', '99')).code).toBe(2);
  const { code, lines } = await run('compare', '1', '2');
  expect([code, lines.map((line) => JSON.parse(line) as unknown)]).toEqual([
    0,
    [
      { change: 'new', collection: 'c', id: 'c' },
      { change: 'gone', collection: 'c', id: 'a' },
    ],
  ]);
  expect((await run('compare', '1', '99')).code).toBe(2);
});

it('says of two searches what an eviction leaves untold', async () => {
  const plain = await run('compare', '1', '2');
  expect(plain.stderr).not.toContain('evicted');
  withFile(libraryFile, (database) => evictItems(database, { itemPks: [1, 2], untilMs: seenMs }));
  const { lines, stderr } = await run('compare', '1', '2');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { change: 'new', collection: 'c', id: 'c' },
  ]);
  expect(stderr).toContain('2 items of the earlier search were evicted: what looks new may have been there');
  expect(stderr).toContain('1 item of the later search was evicted');
});
