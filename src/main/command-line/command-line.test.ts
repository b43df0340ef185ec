import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const entry = join(import.meta.dirname, '..', 'cli.ts');

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface ItemLine {
  id: string;
  collection: string;
  properties: Record<string, unknown>;
}

describe('swath', { timeout: 60_000 }, () => {
  let root: string;
  let demo: ChildProcessWithoutNullStreams;
  let service: { baseUrl: string; assetUrl: string; token: string };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'swath-cli-'));
    demo = start(['demo', '--items', '300', '--data-dir', join(root, 'demo')]);
    service = JSON.parse(await readLine(demo)) as typeof service;
  }, 60_000);

  afterAll(async () => {
    const ended = once(demo, 'exit');
    demo.kill('SIGTERM');
    expect((await ended)[0], 'the demo catalog ends cleanly').toBe(0);
    rmSync(root, { recursive: true, force: true });
  });

  /** Runs a command against the demo catalog to its end. */
  function run(args: string[], options: { stdin?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Outcome> {
    const child = start(['--data-dir', join(root, 'data'), '--base-url', service.baseUrl, ...args], {
      SWATH_TOKEN: service.token,
      ...options.env,
    });
    child.stdin.end(options.stdin ?? '');
    return collect(child);
  }

  async function search(args: string[]): Promise<ItemLine[]> {
    const { code, stdout, stderr } = await run(['search', ...args]);
    expect(stderr).toContain('skipped');
    expect(code).toBe(0);
    return toLines(stdout).map((line) => JSON.parse(line) as ItemLine);
  }

  async function findItemId(): Promise<string> {
    const [item] = await search(['--collections', 'sentinel-2-l2a', '--max-items', '1']);
    return item?.id ?? '';
  }

  it('keeps what it sees, to ask it again with no network', async () => {
    const folder = ['--data-dir', join(root, 'kept')];
    const question = ['--collections', 'sentinel-2-l2a', '--max-items', '40'];
    const seen = await search([...folder, ...question]);
    const offline = await search([...folder, '--offline', ...question]);
    expect(offline.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
    const about = ['--collections', 'sentinel-2-l2a', '--summary', 'platform'];
    const { stdout: summary } = await run(['search', ...folder, '--offline', ...about]);
    expect(JSON.parse(summary)).toMatchObject({
      itemCount: 40,
      collections: [{ collectionId: 'sentinel-2-l2a', itemCount: 40 }],
      properties: [{ property: 'platform', itemCount: 40 }],
    });
    expect((await run(['search', ...folder, ...about])).code).toBe(2);
    const item = await run(['item', ...folder, '--offline', 'sentinel-2-l2a', seen[0]?.id ?? '']);
    expect(item.stdout).not.toContain('Expires');
    const history = await run(['history', ...folder]);
    expect(toLines(history.stdout)).toHaveLength(1);
    const apart = ['--data-dir', join(root, 'apart'), '--no-keep'];
    await search([...apart, ...question]);
    expect((await run(['search', ...apart, '--offline', ...question])).code).toBe(4);
  });

  it('says where the demo catalog is, in one line of JSON', () => {
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/stac$/);
    expect(service.assetUrl).toMatch(/\/v1\/asset$/);
    expect(service.token.length).toBeGreaterThan(10);
  });

  it('prints collections, one collection and queryables as the service sends them', async () => {
    const all = JSON.parse((await run(['collections'])).stdout) as { collections: { id: string }[] };
    expect(all.collections.map(({ id }) => id)).toContain('sentinel-2-l2a');
    const one = JSON.parse((await run(['collection', 'sentinel-2-l2a'])).stdout) as { id: string };
    expect(one).toEqual(all.collections.find(({ id }) => id === 'sentinel-2-l2a'));
    const shared = JSON.parse((await run(['queryables', 'sentinel-2-l2a', 'sentinel-1-rtc'])).stdout) as {
      properties: object;
    };
    expect(Object.keys(shared.properties)).not.toContain('eo:cloud_cover');
    const own = JSON.parse((await run(['queryables', 'sentinel-2-l2a'])).stdout) as { properties: object };
    expect(Object.keys(own.properties)).toContain('eo:cloud_cover');
  });

  it('prints an item with the links that the service signs', async () => {
    const { code, stdout } = await run(['item', 'sentinel-2-l2a', await findItemId()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/"alternate":\{"download":\{"href":"http:/);
  });

  it('pages through a search and prints one item a line', async () => {
    const items = await search([
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
    const clear = await search([
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
    const late = await search(['--collections', 'sentinel-2-l2a', '--datetime', from, '--method', 'get']);
    expect(late.length).toBeGreaterThan(0);
    expect(late.every(({ properties }) => String(properties['datetime']) >= '2026')).toBe(true);

    const [first] = late;
    const named = await search([
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
    const file = join(root, 'area.geojson');
    writeFileSync(file, JSON.stringify(feature));
    const box = await search(['--bbox', '-10,36,30,60']);
    const fromFile = await search(['--intersects', file]);
    expect(fromFile.length).toBeGreaterThan(0);
    expect(fromFile.length).toBeLessThanOrEqual(box.length);
    for (const stdin of [geometry, { type: 'FeatureCollection', features: [feature] }]) {
      const { stdout } = await run(['search', '--intersects', '-'], { stdin: JSON.stringify(stdin) });
      expect(toLines(stdout)).toHaveLength(fromFile.length);
    }
    const two = { type: 'FeatureCollection', features: [feature, feature] };
    const refused = await run(['search', '--intersects', '-'], { stdin: JSON.stringify(two) });
    expect(refused).toMatchObject({
      code: 2,
      stderr: 'swath: --intersects: standard input has 2 features; one is needed\n',
    });
  });

  it('prints one FeatureCollection when asked to', async () => {
    const { stdout } = await run(['search', '--max-items', '3', '--format', 'geojson']);
    const collection = JSON.parse(stdout) as { type: string; features: unknown[] };
    expect(collection.type).toBe('FeatureCollection');
    expect(collection.features).toHaveLength(3);
    const none = await run(['search', '--ids', 'nothing', '--format', 'geojson']);
    expect(JSON.parse(none.stdout)).toEqual({ type: 'FeatureCollection', features: [] });
  });

  it('gives the summary as JSON on standard error', async () => {
    const { stderr } = await run(['search', '--max-items', '3', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ pages: 1, items: 3, skipped: [] });
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = start(
      ['--base-url', service.baseUrl, '--data-dir', join(root, 'data'), 'search', '--limit', '5'],
      {
        SWATH_TOKEN: service.token,
      },
    );
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
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(/^swath: /);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('tells authentication and unreachable catalogs apart from other failures', async () => {
    const refused = await run(['collections'], { env: { SWATH_TOKEN: 'wrong' } });
    expect(refused.code).toBe(3);
    expect((await run(['--base-url', 'http://127.0.0.1:1/v1/stac', 'collections'])).code).toBe(4);
    expect((await run(['collection', 'nothing'])).code).toBe(1);
  });

  it('gives errors as one JSON object when asked to', async () => {
    const { code, stderr } = await run(['item', 'sentinel-2-l2a', 'nothing', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'stac.item-not-found', retryable: false });
  });

  it('shows what a catalog says without letting it into the terminal', async () => {
    const id = 'a\u001b[2J\u009b31m\u202efit';
    const plain = await run(['item', 'sentinel-2-l2a', id]);
    expect(plain.stderr).toContain('There is no item a\\u001b[2J\\u009b31m\\u202efit');
    const { stderr } = await run(['item', 'sentinel-2-l2a', id, '--json']);
    expect(stderr).not.toMatch(/\p{Bidi_Control}/u);
    expect(JSON.parse(stderr)).toMatchObject({ details: { itemId: id } });
  });

  it('documents its exit codes', async () => {
    for (const args of [['--help'], ['search', '--help']]) {
      const { code, stdout } = await run(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Exit codes:\n\s+0 {2}done\n.*1 .*\n.*2 .*\n.*3 .*\n.*4 /);
    }
  });

  it('brings assets home, and does nothing when they are there already', async () => {
    const folder = join(root, 'images');
    const args = [
      'download',
      'sentinel-2-l2a',
      await findItemId(),
      '--assets',
      'visual,thumbnail',
      '--to',
      folder,
    ];
    const first = await run(args);
    expect(first.stderr).toContain('visual: verified by its checksum');
    expect(first.code).toBe(0);
    const [path = '', ...others] = toLines(first.stdout);
    expect(others).toHaveLength(1);
    expect(path.startsWith(join(folder, 'sentinel-2-l2a'))).toBe(true);
    const { mtimeMs } = statSync(path);

    const second = await run([...args, '--json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      files: [
        { asset: 'visual', path, state: 'done', verification: 'checksum' },
        { asset: 'thumbnail', state: 'done' },
      ],
    });
    expect(statSync(path).mtimeMs).toBe(mtimeMs);

    rmSync(path);
    await run(args);
    const fourth = await run(args);
    expect(toLines(fourth.stdout).toSorted()).toEqual(toLines(first.stdout).toSorted());
  });

  it('goes on with a download that was interrupted', async () => {
    const folder = join(root, 'large');
    const args = ['download', 'sentinel-2-l2a', await findItemId(), '--assets', 'B02', '--to', folder];
    const child = start(['--data-dir', join(root, 'data'), '--base-url', service.baseUrl, ...args], {
      SWATH_TOKEN: service.token,
    });
    const interrupted = collect(child);
    await waitForPart(folder, 8_000_000);
    child.kill('SIGINT');
    const { code, stderr } = await interrupted;
    expect(code, stderr).toBe(1);
    const [part = ''] = findFiles(folder).filter((file) => file.includes('part'));
    expect(existsSync(part)).toBe(true);

    const resumed = await run(args);
    expect(resumed.stderr).toContain('B02: verified by its checksum');
    expect(resumed.code).toBe(0);
    expect(existsSync(part)).toBe(false);
  });

  it('gives up when the catalog and its storage are gone, and keeps what came', async () => {
    const other = start(['--data-dir', join(root, 'gone'), 'demo', '--items', '50']);
    const { baseUrl, token } = JSON.parse(await readLine(other)) as { baseUrl: string; token: string };
    const catalog = ['--data-dir', join(root, 'data'), '--base-url', baseUrl];
    const listing = start([...catalog, 'search', '--collections', 'sentinel-2-l2a', '--max-items', '1'], {
      SWATH_TOKEN: token,
    });
    const { id } = JSON.parse((await collect(listing)).stdout) as { id: string };
    const folder = join(root, 'unfinished');
    const order = ['download', 'sentinel-2-l2a', id, '--assets', 'B02', '--to', folder, '--patience', '1'];
    const outcome = collect(start([...catalog, ...order], { SWATH_TOKEN: token }));
    await waitForPart(folder, 4_000_000);
    other.kill('SIGKILL');
    expect(await outcome).toMatchObject({ code: 4, stdout: '' });
    const files = findFiles(folder).filter((path) => statSync(path).isFile());
    expect(files).toEqual([expect.stringMatching(/\.part$/)]);
  });

  it('says which asset does not exist', async () => {
    const outcome = await run([
      'download',
      'sentinel-2-l2a',
      await findItemId(),
      '--assets',
      'B99',
      '--to',
      root,
    ]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('B99');
  });

  it('serves the window: the first line has the address', async () => {
    const child = start(['browser', '--port', '0', '--data-dir', join(root, 'window'), '--demo-items', '50']);
    const { url } = JSON.parse(await readLine(child)) as { url: string };
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  it('uses the demo catalog when no catalog is named, and says so', async () => {
    const child = start(['--data-dir', join(root, 'demo'), 'search', '--max-items', '0', '--ids', 'x']);
    child.stdin.end();
    const line = await new Promise<string>((resolve) =>
      child.stderr.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );
    expect(line).toContain('using the demo catalog');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});

function start(args: string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [entry, ...args], { env: { ...process.env, SWATH_TOKEN: '', ...env } });
}

async function collect(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function readLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}

function toLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

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
  await vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 30_000, interval: 20 });
}
