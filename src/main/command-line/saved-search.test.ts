import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectOutcome, startSwath, toLines, type Outcome } from './testing/run-swath.ts';

describe('swath search', () => {
  let root: string;
  let server: Server;
  let origin: string;
  /** Bodies of the requests so far. */
  const requests: string[] = [];
  /** Pages of ids with their cloud cover, newest first. */
  let pages: (readonly [id: string, cloudCover: number | null])[][];

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'swath-cli-saved-'));
    server = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push(body);
        const answer = answerPage(request.url ?? '');
        response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? {}));
      });
    });
    return new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
        resolve();
      });
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** One page of the answer; null when the server breaks. */
  function answerPage(target: string): object | null {
    const number = Number(/page=(\d+)/.exec(target)?.[1] ?? 0);
    if (number >= 90) return null;
    const features = (pages[number] ?? []).map(([id, cloudCover]) => ({
      type: 'Feature',
      id,
      collection: 'c',
      properties: { 'eo:cloud_cover': cloudCover },
    }));
    const href = `${origin}/search?page=${String(number + 1)}`;
    return {
      type: 'FeatureCollection',
      features,
      links: number >= pages.length - 1 ? [] : [{ rel: 'next', href }],
    };
  }

  function run(args: string[], { stdin = '' } = {}): Promise<Outcome> {
    const child = startSwath(['--data-dir', join(root, 'data'), '--base-url', origin, ...args]);
    child.stdin.end(stdin);
    return collectOutcome(child);
  }

  const idsOf = ({ stdout }: { stdout: string }) =>
    toLines(stdout).map((line) => (JSON.parse(line) as { id: string }).id);

  it('prints what is new since the last look, once', async () => {
    pages = [[['a', 1]], [['b', 2]]];
    expect(idsOf(await run(['search', '--collections', 'c', '--save', 'Alps']))).toEqual(['a', 'b']);
    pages = [
      [['d', 1]],
      [
        ['c', 2],
        ['a', 1],
      ],
      [['b', 2]],
    ];
    const look = await run(['search', '--saved', 'alps', '--new-since-last', '--json']);
    expect(idsOf(look)).toEqual(['d', 'c']);
    expect(JSON.parse(look.stderr)).toMatchObject({ items: 2, seenBefore: 2 });
    expect(idsOf(await run(['search', '--saved', 'Alps', '--new-since-last']))).toEqual([]);
    // A plain look prints everything and changes nothing.
    expect(idsOf(await run(['search', '--saved', 'Alps']))).toEqual(['d', 'c', 'a', 'b']);
  });

  it('prints again what it could not print to the end', async () => {
    pages = [[['a', 1]]];
    await run(['search', '--collections', 'c', '--save', 'Broken']);
    pages = Array.from({ length: 100 }, (_, page) => [[`x${String(page)}`, 1] as const]);
    const broken = await run(['search', '--saved', 'Broken', '--new-since-last']);
    expect(broken.code).toBe(1);
    expect(idsOf(broken).length).toBe(90);
    pages = [[['x1', 1]], [['x0', 1]]];
    expect(idsOf(await run(['search', '--saved', 'Broken', '--new-since-last']))).toEqual(['x1', 'x0']);
  });

  it('gives new ones in portions when a maximum is set', async () => {
    pages = [[]];
    await run(['search', '--collections', 'c', '--save', 'Portions']);
    pages = [
      [
        ['a', 1],
        ['b', 1],
      ],
      [['c', 1]],
    ];
    const portion = () => run(['search', '--saved', 'Portions', '--new-since-last', '--max-items', '2']);
    expect([idsOf(await portion()), idsOf(await portion()), idsOf(await portion())]).toEqual([
      ['a', 'b'],
      ['c'],
      [],
    ]);
  });

  it('leaves out cloud here where unknown is wanted, and asks the catalog without the condition', async () => {
    pages = [
      [
        ['clear', 1],
        ['cloudy', 60],
      ],
      [['unknown', null]],
    ];
    const asked = requests.length;
    const { stdout, stderr } = await run(['search', '--cloud-below', '20', '--include-unknown-cloud']);
    expect(idsOf({ stdout })).toEqual(['clear', 'unknown']);
    expect(stderr).toContain('1 with too much cloud left out here');
    expect(JSON.parse(requests[asked] ?? '')).toEqual({ limit: 100 });
    await run(['search', '--cloud-below', '20', '--query', '{"platform":{"eq":"x"}}']);
    expect(JSON.parse(requests.findLast((body) => body !== '') ?? '')).toEqual({
      limit: 100,
      query: { platform: { eq: 'x' }, 'eo:cloud_cover': { lt: 20 } },
    });
  });

  it('takes an area from a file or from standard input, and says how it was read', async () => {
    pages = [[]];
    const wkt = 'POLYGON ((7 46, 8 46, 8 47, 7 47, 7 46))';
    const { stderr, code } = await run(['search', '--aoi', '-'], { stdin: wkt });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/area: .*4 corners/) as string]);
    expect(JSON.parse(requests.at(-1) ?? '')).toMatchObject({ intersects: { type: 'Polygon' } });
    const refused = await run(['search', '--aoi', '-'], { stdin: 'POLYGON ((7' });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('standard input') as string]);
    expect((await run(['search', '--aoi', '/nowhere.kml'])).stderr).toMatch(/nowhere\.kml.*Check its name/);
  });

  it('writes the question as code and asks nothing', async () => {
    const asked = requests.length;
    const question = ['search', '--collections', 'c', '--sort', 'least-cloud', '--light'];
    const json = await run([...question, '--code', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      collections: ['c'],
      sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }],
      fields: { include: expect.arrayContaining(['id', 'assets.thumbnail']) as string[] },
    });
    expect((await run([...question, '--code', 'curl'])).stdout).toContain(`curl -sS ${origin}/search`);
    expect((await run([...question, '--code', 'python'])).stdout).toContain('client.search(');
    expect((await run([...question, '--code', 'swath'])).stdout).toContain('swath search');
    expect(requests).toHaveLength(asked);
  });

  it('lists, renames and removes saved searches', async () => {
    pages = [[]];
    await run(['search', '--bbox', '7,46,8,47', '--save', 'Valais']);
    expect((await run(['saved', 'list'])).stdout).toMatch(/^Valais\t\d{4}-.*Z\tbox of 8,\d+ km²$/m);
    expect((await run(['saved', 'rename', 'valais', 'alps'])).code).toBe(2);
    expect((await run(['saved', 'rename', 'valais', 'Wallis'])).code).toBe(0);
    const { searches } = JSON.parse((await run(['saved', 'list', '--json'])).stdout) as {
      searches: { name: string; question: object }[];
    };
    expect(searches.find(({ name }) => name === 'Wallis')?.question).toEqual({
      query: { bbox: [7, 46, 8, 47] },
      localFilter: null,
      maxItems: null,
    });
    await run(['saved', 'remove', 'Wallis']);
    expect((await run(['search', '--saved', 'Wallis'])).stderr).toContain('no saved search named Wallis');
  });

  it.each([
    [['search', '--new-since-last'], 'it needs --saved'],
    [['search', '--saved', 'x', '--bbox', '1,2,3,4'], 'leave out the options that change it'],
    [['search', '--saved', 'x', '--save', 'y'], 'cannot be used with'],
    [['search', '--include-unknown-cloud'], 'it needs --cloud-below'],
    [['search', '--cloud-below', '120'], 'A number from 0 to 100 is needed'],
    [['search', '--sort', 'oldest', '--sortby', 'datetime'], 'cannot be used with'],
    [['search', '--bbox', '1,2,3,4', '--aoi', 'x.kml'], 'give one of --aoi, --bbox and --intersects'],
    [['search', '--save', '   '], 'a name of 1 to 120 characters is needed'],
    [['search', '--saved', 'nothing'], 'There is no saved search named nothing'],
  ])('says what is wrong with %j and exits with 2', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(sentence);
    expect([stdout, code]).toEqual(['', 2]);
  });
});
