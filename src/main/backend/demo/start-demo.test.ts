import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemo, type DemoOptions, type RunningDemo } from './start-demo.ts';

let dataDir = '';
const running: RunningDemo[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swath-demo-'));
});
afterEach(async () => {
  for (const demo of running.splice(0)) await demo.close();
  await rm(dataDir, { recursive: true });
});

async function start(options: Partial<DemoOptions> = {}): Promise<RunningDemo> {
  const demo = await startDemo({ dataDir, seed: 5, itemCount: 300, ...options });
  running.push(demo);
  return demo;
}

async function getJson(demo: RunningDemo, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${demo.baseUrl}${path}`, {
    headers: { Authorization: `Bearer ${demo.token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe('the demo catalog over HTTP', () => {
  it('gives its collections, their queryables and items', async () => {
    const demo = await start();
    const { collections } = await getJson(demo, '/collections');
    expect(collections).toHaveLength(8);
    const queryables = await getJson(demo, '/collections/sentinel-1-rtc/queryables');
    expect(queryables['properties']).not.toHaveProperty('eo:cloud_cover');
    const page = await getJson(demo, '/search?collections=sentinel-2-l2a&limit=5');
    expect(page['features']).toHaveLength(5);
  });

  it('gives a thumbnail through a signed link', async () => {
    const demo = await start();
    const page = await getJson(demo, '/search?collections=landsat-c2l2-sr&limit=1');
    const [feature] = page['features'] as { id: string }[];
    const item = await getJson(demo, `/collections/landsat-c2l2-sr/items/${feature?.id}`);
    const { thumbnail } = item['assets'] as Record<
      string,
      { 'file:size': number; alternate: { download: { href: string } } }
    >;
    const response = await fetch(thumbnail?.alternate.download.href ?? '');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect(bytes.byteLength).toBe(thumbnail?.['file:size']);
  });

  it('makes up a token unless it is given one', async () => {
    const [first, second] = [await start(), await start()];
    expect(first.token).not.toBe(second.token);
    expect((await start({ token: 'chosen' })).token).toBe('chosen');
  });
});

describe('the file that it is kept in', () => {
  it('is made once, with progress, and used again', async () => {
    const seen: number[] = [];
    await start({ onProgress: ({ itemsDone }) => seen.push(itemsDone) });
    expect(seen.at(-1)).toBe(300);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const again: number[] = [];
    await start({ onProgress: ({ itemsDone }) => again.push(itemsDone) });
    expect(again).toEqual([]);
  });

  it('is another for another seed or size', async () => {
    await start();
    await start({ seed: 6 });
    await start({ itemCount: 200 });
    const files = (await readdir(dataDir)).filter((name) => name.endsWith('.sqlite'));
    expect(files).toHaveLength(3);
  });

  it('is the one that was last served, where no size is named', async () => {
    for (const itemCount of [200, 100, 150, 100]) {
      await start({ itemCount });
      const other = await startDemo({ dataDir, seed: 5 });
      running.push(other);
      const { numberMatched } = await getJson(other, '/search?limit=1');
      expect(numberMatched).toBe(itemCount);
    }
  });

  it('is not there when its making was stopped, and made anew at the next start', async () => {
    const stop = new AbortController();
    const onProgress = (): void => {
      stop.abort();
    };
    await expect(
      startDemo({ dataDir, seed: 5, itemCount: 300, onProgress, signal: stop.signal }),
    ).rejects.toThrow();
    expect(await readdir(dataDir)).toEqual([]);
    const page = await getJson(await start(), '/search?limit=1');
    expect(page['features']).toHaveLength(1);
  });

  it.each([{ seed: 0.5 }, { seed: NaN }, { itemCount: -1 }])('is not made for %o', async (wrong) => {
    await expect(startDemo({ dataDir, ...wrong })).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('is not confused by what a killed start left, which is removed', async () => {
    // No process can have this number.
    await writeFile(join(dataDir, 'demo-5-300-v4.sqlite.making-99999999-abcd'), 'half a file');
    await writeFile(join(dataDir, 'demo-5-300-v1.sqlite'), 'of an earlier version');
    await start();
    expect((await readdir(dataDir)).filter((name) => /making|v1/.test(name))).toEqual([]);
  });
});
