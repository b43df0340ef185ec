import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFirstLine, startSwath, toLines } from './testing/run-swath.ts';
import { useDemoCatalog } from './testing/use-demo-catalog.ts';

describe('swath', () => {
  const catalog = useDemoCatalog();

  it('keeps what it sees, to ask it again with no network', async () => {
    const folder = ['--data-dir', join(catalog.root, 'kept')];
    const question = ['--collections', 'sentinel-2-l2a', '--max-items', '40'];
    const seen = await catalog.search([...folder, ...question]);
    const offline = await catalog.search([...folder, '--offline', ...question]);
    expect(offline.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
    const about = ['--collections', 'sentinel-2-l2a', '--summary', 'platform'];
    const { stdout: summary } = await catalog.run(['search', ...folder, '--offline', ...about]);
    expect(JSON.parse(summary)).toMatchObject({
      itemCount: 40,
      collections: [{ collectionId: 'sentinel-2-l2a', itemCount: 40 }],
      properties: [{ property: 'platform', itemCount: 40 }],
    });
    expect((await catalog.run(['search', ...folder, ...about])).code).toBe(2);
    const item = await catalog.run(['item', ...folder, '--offline', 'sentinel-2-l2a', seen[0]?.id ?? '']);
    expect(item.stdout).not.toContain('Expires');
    const history = await catalog.run(['history', ...folder]);
    expect(toLines(history.stdout)).toHaveLength(1);
    const apart = ['--data-dir', join(catalog.root, 'apart'), '--no-keep'];
    await catalog.search([...apart, ...question]);
    expect((await catalog.run(['search', ...apart, '--offline', ...question])).code).toBe(4);
  });

  it('says where the demo catalog is, in one line of JSON', () => {
    expect(catalog.service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/stac$/);
    expect(catalog.service.assetUrl).toMatch(/\/v1\/asset$/);
    expect(catalog.service.token.length).toBeGreaterThan(10);
  });

  it('prints collections, one collection and queryables as the service sends them', async () => {
    const all = JSON.parse((await catalog.run(['collections'])).stdout) as { collections: { id: string }[] };
    expect(all.collections.map(({ id }) => id)).toContain('sentinel-2-l2a');
    const one = JSON.parse((await catalog.run(['collection', 'sentinel-2-l2a'])).stdout) as { id: string };
    expect(one).toEqual(all.collections.find(({ id }) => id === 'sentinel-2-l2a'));
    const shared = JSON.parse(
      (await catalog.run(['queryables', 'sentinel-2-l2a', 'sentinel-1-rtc'])).stdout,
    ) as {
      properties: object;
    };
    expect(Object.keys(shared.properties)).not.toContain('eo:cloud_cover');
    const own = JSON.parse((await catalog.run(['queryables', 'sentinel-2-l2a'])).stdout) as {
      properties: object;
    };
    expect(Object.keys(own.properties)).toContain('eo:cloud_cover');
  });

  it('prints an item with the links that the service signs', async () => {
    const { code, stdout } = await catalog.run(['item', 'sentinel-2-l2a', await catalog.findItemId()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/"alternate":\{"download":\{"href":"http:/);
  });

  it('pages through a search and prints one item a line', async () => {
    const items = await catalog.search([
      '--collections',
      'sentinel-2-l2a,landsat-c2l2-sr',
      '--limit',
      '7',
      '--max-items',
      '20',
    ]);
    expect(items).toHaveLength(20);
    expect(new Set(items.map(({ id }) => id)).size).toBe(20);
    const times = items.map(({ properties }) => Date.parse(String(properties['datetime'])));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('asks what its options say', async () => {
    const query = JSON.stringify({ 'eo:cloud_cover': { lt: 40 } });
    const clear = await catalog.search([
      '--collections',
      'sentinel-2-l2a',
      '--query',
      query,
      '--sortby',
      '-eo:cloud_cover',
    ]);
    const covers = clear.map(({ properties }) => Number(properties['eo:cloud_cover']));
    expect(covers.length).toBeGreaterThan(1);
    expect(Math.max(...covers)).toBeLessThan(40);
    expect(covers).toEqual([...covers].sort((a, b) => b - a));

    const from = '2026-01-01T00:00:00Z..';
    const late = await catalog.search([
      '--collections',
      'sentinel-2-l2a',
      '--datetime',
      from,
      '--method',
      'get',
    ]);
    expect(late.length).toBeGreaterThan(0);
    expect(late.every(({ properties }) => String(properties['datetime']) >= '2026')).toBe(true);

    const [first] = late;
    const named = await catalog.search([
      '--collections',
      'sentinel-2-l2a',
      '--ids',
      first?.id ?? '',
      '--fields',
      'id,properties.datetime',
    ]);
    expect(named.map(({ id }) => id)).toEqual([first?.id]);
    expect(Object.keys(named[0]?.properties ?? {})).toEqual(['datetime']);
  });

  it('takes an area from a file or from standard input, as geometry, Feature or collection of one', async () => {
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [-10, 36],
          [30, 36],
          [30, 60],
          [-10, 60],
          [-10, 36],
        ],
      ],
    };
    const feature = { type: 'Feature', properties: {}, geometry };
    const file = join(catalog.root, 'area.geojson');
    writeFileSync(file, JSON.stringify(feature));
    const box = await catalog.search(['--bbox', '-10,36,30,60']);
    const fromFile = await catalog.search(['--intersects', file]);
    expect(fromFile.length).toBeGreaterThan(0);
    expect(fromFile.length).toBeLessThanOrEqual(box.length);
    for (const stdin of [geometry, { type: 'FeatureCollection', features: [feature] }]) {
      const { stdout } = await catalog.run(['search', '--intersects', '-'], { stdin: JSON.stringify(stdin) });
      expect(toLines(stdout)).toHaveLength(fromFile.length);
    }
    const two = { type: 'FeatureCollection', features: [feature, feature] };
    const refused = await catalog.run(['search', '--intersects', '-'], { stdin: JSON.stringify(two) });
    expect(refused).toMatchObject({
      code: 2,
      stderr: 'swath: --intersects: standard input has 2 features; one is needed\n',
    });
  });

  it('prints one FeatureCollection when asked to', async () => {
    const { stdout } = await catalog.run(['search', '--max-items', '3', '--format', 'geojson']);
    const collection = JSON.parse(stdout) as { type: string; features: unknown[] };
    expect(collection.type).toBe('FeatureCollection');
    expect(collection.features).toHaveLength(3);
    const none = await catalog.run(['search', '--ids', 'nothing', '--format', 'geojson']);
    expect(JSON.parse(none.stdout)).toEqual({ type: 'FeatureCollection', features: [] });
  });

  it('gives the summary as JSON on standard error', async () => {
    const { stderr } = await catalog.run(['search', '--max-items', '3', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ pages: 1, items: 3, skipped: [] });
    const many = await catalog.run(['search', '--max-items', '150', '--json']);
    expect(JSON.parse(many.stderr)).toMatchObject({ pages: 2, items: 150 });
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = catalog.start(['search', '--limit', '5']);
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect(stderr).not.toMatch(/EPIPE|Error/);
    expect(code).toBe(0);
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['search', '--nonsense'], "unknown option '--nonsense'"],
    [['search', '--collection', 'a'], "'--collection' (Did you mean --collections?)"],
    [['search', '--bbox', '1,2,3'], '--bbox: four numbers are needed'],
    [['search', '--bbox', '0,50,10,40'], 'bbox: its south is above its north'],
    [['search', '--limit', '0'], 'A whole number from 1 to 10000 is needed'],
    [['search', '--max-items', 'many'], 'A whole number'],
    [['search', '--datetime', 'yesterday'], 'datetime "yesterday" can\'t be read'],
    [['search', '--query', '{'], '--query: it is not JSON'],
    [['search', '--query', '[]'], 'query'],
    [['search', '--intersects', '/nowhere.geojson'], "/nowhere.geojson can't be read"],
    [['search', '--method', 'get', '--query', '{"eo:cloud_cover":{"lt":1}}'], 'can only be sent with POST'],
    [['search', '--format', 'csv'], 'Allowed choices are ndjson, geojson'],
    [['demo', '--port', '70000'], 'A whole number from 0 to 65535 is needed'],
    [['download', 'a', 'b', '--assets', 'c'], "required option '--to <folder>' not specified"],
    [
      ['download', 'a', 'b', '--assets', ',', '--to', tmpdir()],
      '--assets: names are separated by single commas',
    ],
    [['--base-url', 'file:///etc/passwd', 'collections'], '--base-url: an http or https address is needed'],
    [['--base-url', 'http://a:b@localhost/', 'collections'], 'must not carry a user name'],
  ])('says what is wrong with %j and exits with 2', async (args, sentence) => {
    const { code, stdout, stderr } = await catalog.run(args);
    expect(stderr).toMatch(/^swath: /);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('tells authentication and unreachable catalogs apart from other failures', async () => {
    const refused = await catalog.run(['collections'], { env: { SWATH_TOKEN: 'wrong' } });
    expect(refused.code).toBe(3);
    expect((await catalog.run(['--base-url', 'http://127.0.0.1:1/v1/stac', 'collections'])).code).toBe(4);
    expect((await catalog.run(['collection', 'nothing'])).code).toBe(1);
  });

  it('gives errors as one JSON object when asked to', async () => {
    const { code, stderr } = await catalog.run(['item', 'sentinel-2-l2a', 'nothing', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'stac.item-not-found', retryable: false });
  });

  it('shows what a catalog says without letting it into the terminal', async () => {
    const id = 'a\u001b[2J\u009b31m\u202efit';
    const plain = await catalog.run(['item', 'sentinel-2-l2a', id]);
    expect(plain.stderr).toContain('There is no item a\\u001b[2J\\u009b31m\\u202efit');
    const { stderr } = await catalog.run(['item', 'sentinel-2-l2a', id, '--json']);
    expect(stderr).not.toMatch(/\p{Bidi_Control}/u);
    expect(JSON.parse(stderr)).toMatchObject({ details: { itemId: id } });
  });

  it('documents its exit codes', async () => {
    for (const args of [['--help'], ['search', '--help']]) {
      const { code, stdout } = await catalog.run(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Exit codes:\n\s+0 {2}done\n.*1 .*\n.*2 .*\n.*3 .*\n.*4 /);
    }
  });

  it('serves the window: the first line has the address', async () => {
    const child = startSwath([
      'browser',
      '--port',
      '0',
      '--data-dir',
      join(catalog.root, 'window'),
      '--demo-items',
      '50',
    ]);
    const { url } = JSON.parse(await readFirstLine(child)) as { url: string };
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  it('uses the demo catalog when no catalog is named, and says so', async () => {
    const child = startSwath([
      '--data-dir',
      join(catalog.root, 'demo'),
      'search',
      '--max-items',
      '0',
      '--ids',
      'x',
    ]);
    child.stdin.end();
    const line = await new Promise<string>((resolve) =>
      child.stderr.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );
    expect(line).toContain('using the demo catalog');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
