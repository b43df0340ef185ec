import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ExportSource } from '#shared/rpc/contract/exchange.ts';
import { makeItem } from '../exchange/testing/odd-items.ts';
import { openWindow, type TestWindow } from './testing/open-window.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const answer = (count: number) => () => ({
  body: {
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, index) => makeItem(`item-${String(index)}`).item),
    links: [],
  },
});

type Client = TestWindow['client'];
type Exported = NonNullable<Parameters<Parameters<Client['exchange']['export']>[1]['onEvent']>[0]['file']>;
type Imported = NonNullable<Parameters<Parameters<Client['exchange']['import']>[1]['onEvent']>[0]['file']>;

function exportTo(
  client: Client,
  source: ExportSource,
  { folder, canReplace = false }: { folder: string; canReplace?: boolean },
): Promise<Exported> {
  return new Promise((resolve, reject) => {
    const options = { format: 'stac' as const };
    client.exchange.export(
      { source, options, destination: folder, fileName: 'out', canReplace, asOf: null },
      { onEvent: ({ file }) => file && resolve(file), onError: (error) => reject(toAppError(error)) },
    );
  });
}

async function importFrom(client: Client, path: string): Promise<Imported> {
  const content = readFileSync(path);
  const { importId } = await client.exchange.beginImport({
    name: 'given.json',
    sizeBytes: content.length,
    modifiedAt: '2026-01-02T03:04:05.000Z',
  });
  await client.exchange.addToImport({ importId, content: content.toString('base64') });
  return new Promise((resolve, reject) => {
    client.exchange.import(
      { importId },
      { onEvent: ({ file }) => file && resolve(file), onError: (error) => reject(toAppError(error)) },
    );
  });
}

const idsIn = (path: string) =>
  (JSON.parse(readFileSync(path, 'utf8')) as { features: { id: string }[] }).features.map(({ id }) => id);

describe('items as files', () => {
  it('are the rows that are shown, in their order', async () => {
    const { client } = await openWindow(answer(5));
    const { searchId } = await client.search.run({ query: {} });
    const folder = makeFolder();
    const file = await exportTo(client, { kind: 'answer', searchId, places: [3, 0] }, { folder });
    expect(file).toMatchObject({ itemCount: 2, missingCount: 0, path: join(folder, 'out.json') });
    expect(idsIn(file.path)).toEqual(['item-3', 'item-0']);
  });

  it('are picked ones, a past search, a collection, or the whole library', async () => {
    const { client } = await openWindow(answer(3));
    await client.search.run({ query: {} });
    const { searches } = await client.saved.history({});
    const searchNumber = searches[0]?.searchNumber ?? 0;
    const refs = [makeItem('item-1').ref];
    const sources: [ExportSource, number][] = [
      [{ kind: 'items', refs }, 1],
      [{ kind: 'past', searchNumber }, 3],
      [{ kind: 'collection', collectionId: 'optical' }, 3],
      [{ kind: 'library' }, 3],
    ];
    for (const [source, itemCount] of sources) {
      expect(await exportTo(client, source, { folder: makeFolder() })).toMatchObject({ itemCount });
    }
  });

  it('say as of when the oldest of them is, so that an import elsewhere keeps what is fresher', async () => {
    const clock = { nowMs: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.nowMs };
    let ids = ['old', 'new'];
    const { client } = await openWindow(
      () => ({
        body: { type: 'FeatureCollection', features: ids.map((id) => makeItem(id).item), links: [] },
      }),
      { clock },
    );
    await client.search.run({ query: {} });
    clock.nowMs += 86_400_000;
    ids = ['new'];
    await client.search.run({ query: {} });
    await client.saved.history({});
    const refOf = (id: string) => makeItem(id).ref;
    const sources: [ExportSource, string][] = [
      [{ kind: 'library' }, '2026-03-01T00:00:00.000Z'],
      [{ kind: 'collection', collectionId: 'optical' }, '2026-03-01T00:00:00.000Z'],
      [{ kind: 'items', refs: [refOf('new'), refOf('old')] }, '2026-03-01T00:00:00.000Z'],
      [{ kind: 'items', refs: [refOf('new')] }, '2026-03-02T00:00:00.000Z'],
    ];
    for (const [source, timeStamp] of sources) {
      const { path } = await exportTo(client, source, { folder: makeFolder() });
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ timeStamp });
      expect(await importFrom(client, path)).toMatchObject({ asOf: timeStamp });
    }
  });

  it('are told apart from a file that is there, which stays unless it may be replaced', async () => {
    const { client } = await openWindow(answer(1));
    await client.search.run({ query: {} });
    const folder = makeFolder();
    writeFileSync(join(folder, 'out.json'), 'mine');
    const thrown = await exportTo(client, { kind: 'library' }, { folder }).catch((error: unknown) => error);
    expect((thrown as AppError).code).toBe('exchange.file-exists');
    expect(readFileSync(join(folder, 'out.json'), 'utf8')).toBe('mine');
    const file = await exportTo(client, { kind: 'library' }, { folder, canReplace: true });
    expect(idsIn(file.path)).toEqual(['item-0']);
    expect(readdirSync(folder)).toEqual(['out.json']);
  });

  it('are judged before they are written', async () => {
    const { client } = await openWindow(answer(4));
    const { searchId } = await client.search.run({ query: {} });
    const estimate = await client.exchange.estimate({
      source: { kind: 'answer', searchId, places: [0, 1, 2, 3] },
    });
    expect(estimate.itemCount).toBe(4);
    expect(estimate.bytesPerItem.stac).toBeGreaterThan(estimate.bytesPerItem.geojson);
    expect(estimate.properties.map(({ name }) => name)).toEqual(['datetime', 'eo:cloud_cover', 'platform']);
  });
});

describe('files of items', () => {
  it('become a past search that shows what was in them, with their date', async () => {
    const { client } = await openWindow(answer(0));
    const path = join(makeFolder(), 'given.json');
    const features = ['b', 'a'].map((id) => makeItem(id).item);
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
    const beforeMs = Date.now();
    const file = await importFrom(client, path);
    expect(file).toMatchObject({
      fileName: 'given.json',
      format: 'stac',
      asOf: '2026-01-02T03:04:05.000Z',
      itemCount: 2,
      takenCount: 2,
      keptCount: 0,
      unknownCollections: [],
    });
    const page = await client.search.openPast({ searchNumber: file.searchNumber });
    expect(page.rows.map(({ itemId }) => itemId)).toEqual(['b', 'a']);
    expect(page.asOf).toBe('2026-01-02T03:04:05.000Z');
    const kept = await client.item.kept({ collectionId: 'optical', itemId: 'b' });
    expect(kept?.file?.name).toBe('given.json');
    expect(Date.parse(kept?.file?.importedAt ?? '')).toBeGreaterThanOrEqual(beforeMs);
  });

  it('leave what the catalog gave since as it is', async () => {
    const { client } = await openWindow(answer(1));
    await client.search.run({ query: {} });
    const path = join(makeFolder(), 'given.json');
    const stale = makeItem('item-0', { properties: { datetime: null, title: 'from the file' } }).item;
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features: [stale] }));
    await client.saved.history({});
    expect(await importFrom(client, path)).toMatchObject({ takenCount: 0, keptCount: 1 });
    const kept = await client.item.kept(makeItem('item-0').ref);
    expect(kept?.item['properties']).toMatchObject({ platform: 'sentinel-2b' });
  });

  it('change nothing when they are refused, and are not kept', async () => {
    const { client, readFile } = await openWindow(answer(0));
    const path = join(makeFolder(), 'given.json');
    writeFileSync(path, '{"type":"FeatureCollection","features":[{"type":"Feature","id":"a"},{]}');
    const thrown = await importFrom(client, path).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'exchange.unreadable', details: { file: 'given.json' } });
    expect(readFile('library-', 'SELECT number FROM search')).toEqual([]);
  });
});
