import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { exportFile } from './export-file.ts';
import { importFile } from './import-file.ts';
import { makeItem } from './testing/odd-items.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-exchange-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const plan = {
  properties: null,
  hasByteOrderMark: false,
  asOf: () => null,
  collections: [],
  canReplace: false,
};

// eslint-disable-next-line @typescript-eslint/require-await -- a source of items
async function* batchesOf(count: number): AsyncGenerator<IdentifiedItem[]> {
  for (let index = 0; index < count; index += 2)
    yield [makeItem(`item-${String(index)}`), makeItem(`item-${String(index + 1)}`)];
}

function read(path: string, onItems: (items: readonly IdentifiedItem[]) => void, signal?: AbortSignal) {
  return importFile(
    { path, name: 'given.json', spoolPath: join(folder, 'spool') },
    {
      collectionId: 'from-file',
      onChecked: () => undefined,
      onItems: (items) => {
        onItems(items);
        return Promise.resolve();
      },
      signal: signal ?? new AbortController().signal,
    },
  );
}

describe('files beside the event loop', () => {
  it.each(['geojson', 'stac', 'csv', 'geoparquet'] as const)(
    'come back with every item: %s',
    async (format) => {
      const path = join(folder, 'out');
      const counts: number[] = [];
      const written = await exportFile(
        batchesOf(10),
        { ...plan, path, format },
        {
          onProgress: ({ gatheredCount }) => counts.push(gatheredCount),
          signal: new AbortController().signal,
        },
      );
      expect(written).toMatchObject({ path, itemCount: 10 });
      expect(counts).toEqual(expect.arrayContaining([2, 4, 6, 8, 10]));
      const ids: string[] = [];
      expect(await read(path, (items) => ids.push(...items.map(({ ref }) => ref.itemId)))).toMatchObject({
        format,
      });
      expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `item-${String(index)}`));
      expect(await readdir(folder)).toEqual(['out']);
    },
  );

  it('wait for items that take their time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    async function* slowBatches() {
      for await (const batch of batchesOf(6)) {
        yield batch;
        vi.advanceTimersByTime(10 * 60_000);
      }
    }
    const order = { ...plan, path: join(folder, 'out'), format: 'geojson' } as const;
    const watch = { onProgress: () => undefined, signal: new AbortController().signal };
    expect(await exportFile(slowBatches(), order, watch)).toMatchObject({ itemCount: 6 });
  });

  it('leave nothing behind when nobody waits any more', async () => {
    const abort = new AbortController();
    const exporting = exportFile(
      batchesOf(1e9),
      { ...plan, path: join(folder, 'out'), format: 'geoparquet' },
      {
        onProgress: ({ gatheredCount }) => gatheredCount >= 20 && abort.abort(),
        signal: abort.signal,
      },
    );
    await expect(exporting).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('give no item of a file that is bad at its end, and name file and place', async () => {
    const path = join(folder, 'given');
    const features = Array.from({ length: 500 }, (_, index) => makeItem(String(index)).item);
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    await writeFile(path, text.slice(0, -3));
    let itemCount = 0;
    await expect(read(path, (items) => (itemCount += items.length))).rejects.toMatchObject({
      code: 'exchange.unreadable',
      details: { file: 'given.json', why: 'The JSON ends too early.' },
    });
    expect(itemCount).toBe(0);
    expect(await readdir(folder)).toEqual(['given']);
  });
});
