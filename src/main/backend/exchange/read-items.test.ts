import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { readItems } from './read-items.ts';
import { makeItem } from './testing/odd-items.ts';
import { writeItems } from './write-items.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-reading-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function read(content: string | Uint8Array): Promise<IdentifiedItem[]> {
  const path = join(folder, 'given');
  await writeFile(path, content);
  const items: IdentifiedItem[] = [];
  const context = { collectionId: 'from-file', facts: { format: null, asOf: null } };
  for await (const batch of readItems(path, context)) items.push(...batch);
  return items;
}

async function refusal(content: string | Uint8Array): Promise<AppError['details'] & { code: string }> {
  const thrown = await read(content).then(
    () => null,
    (error: unknown) => error as AppError,
  );
  return { code: thrown?.code ?? 'none', ...thrown?.details };
}

const feature = (coordinates: unknown) => ({
  type: 'Feature',
  id: 'a',
  geometry: { type: 'Point', coordinates },
  properties: {},
});
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });

describe('files of other programs', () => {
  it('of GeoJSON as QGIS writes it: a name, a crs, ids among the properties', async () => {
    const text = `{
"type": "FeatureCollection",
"name": "fields",
"crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:OGC:1.3:CRS84" } },
"features": [
{ "type": "Feature", "properties": { "fid": 7, "note": "\\"features\\":[{" }, "geometry": { "type": "Point", "coordinates": [ 7.0, 46.0 ] } },
{ "type": "Feature", "properties": { "fid": 8, "collection": "fields" }, "geometry": null }
]
}`;
    const items = await read(text);
    expect(items.map(({ ref }) => ref)).toEqual([
      { collectionId: 'from-file', itemId: '7' },
      { collectionId: 'fields', itemId: '8' },
    ]);
    expect(items[0]?.item['properties']).toEqual({ fid: 7, note: '"features":[{', datetime: null });
  });

  it('of GeoJSON that goes on beyond 180°: cut there, so that it is found on both sides', async () => {
    const ring = [175, 185, 185, 175, 175].map((east, corner) => [
      east,
      corner < 2 || corner > 3 ? -40 : -30,
    ]);
    const given = {
      ...feature([]),
      geometry: { type: 'Polygon', coordinates: [ring] },
      bbox: [175, -40, 185, -30],
    };
    const [found] = await read(collection(given));
    expect(found?.item['bbox']).toEqual([175, -40, -175, -30]);
    expect(found?.item['geometry']).toMatchObject({ type: 'MultiPolygon' });
  });

  it('of Items without a version: collection and assets are kept', async () => {
    const { stac_version: _, ...old } = makeItem('old').item;
    const [one] = await read(JSON.stringify({ type: 'FeatureCollection', features: [old] }));
    expect(one?.ref.collectionId).toBe('optical');
    expect(one?.item['assets']).toEqual(old['assets']);
  });

  it('of items one a line', async () => {
    const lines = ['x', 'y'].map((id) => JSON.stringify(makeItem(id).item)).join('\n');
    expect((await read(`\ufeff${lines}\n`)).map(({ ref }) => ref.itemId)).toEqual(['x', 'y']);
  });

  it('of CSV that quotes everything: numbers are numbers all the same', async () => {
    const [one] = await read('"id","cloud","note"\n"a","12.5","text"\n');
    expect(one?.item['properties']).toEqual({ datetime: null, cloud: 12.5, note: 'text' });
  });

  it('recorded from catalogs, through GeoParquet and back', async ({ skip }) => {
    const fixtures = '../shared/fixtures/stac-utils__stac-geoparquet/tests/data';
    if (!existsSync(fixtures)) skip('the recorded items are not here');
    for (const name of ['io-lulc-pc.json', 'landsat-c2-l1-pc.json', 'cop-dem-glo-30-pc.json']) {
      const recorded = await read(await readFile(join(fixtures, name)));
      const path = join(folder, 'out.parquet');
      // eslint-disable-next-line @typescript-eslint/require-await -- a source of items
      async function* batches() {
        yield recorded;
      }
      await writeItems(batches(), {
        path,
        temporaryPath: `${path}.tmp`,
        canReplace: true,
        format: 'geoparquet',
        properties: null,
        hasByteOrderMark: false,
        asOf: () => null,
        collections: [],
      });
      expect(await read(await readFile(path))).toEqual(recorded);
    }
  });
});

describe('files that are refused', () => {
  it.each<[string, string | Uint8Array, object]>([
    ['an empty file', '', { why: 'It is empty.' }],
    ['half a file', collection(feature([7, 46])).slice(0, -2), { why: 'The JSON ends too early.' }],
    ['a missing comma', '{"type":"FeatureCollection","features":[{"id":1} {"id":2}]}', { place: 'Line 1.' }],
    ['metres', collection(feature([500000, 4600000])), { place: 'Feature 1, line 1.' }],
    [
      'another CRS',
      '{"type":"FeatureCollection","features":[],"crs":{"properties":{"name":"EPSG:3857"}}}',
      {},
    ],
    ['numbers that are none', '{"type":"FeatureCollection","features":[{"id":"a","bbox":[NaN]}]}', {}],
    ['members that are no features', '{"type":"FeatureCollection","features":[1,2]}', {}],
    [
      'a feature without end',
      `{"features":[{"id":"${'x'.repeat(17_000_000)}"}]}`,
      { code: 'exchange.too-large' },
    ],
    ['brackets without end', '['.repeat(1_000_000), { code: 'exchange.too-large' }],
    ['a collection', '{"type":"Collection","id":"optical"}', {}],
    ['no items', collection(), { why: 'It holds no items.' }],
    ['a table without ids', 'name,cloud\na,1\n', { place: 'Line 1.' }],
    ['a table of unequal lines', 'id,cloud\na,1\nb\n', {}],
    ['a table with bad WKT', 'id,WKT\na,"POLYGON ((0 0, NaN"\n', { place: 'Line 2.' }],
    ['a table with NaN', 'id,WKT\na,POINT (NaN 95)\n', {}],
    ['a quote without end', `id,note\na,"${'x'.repeat(17_000_000)}`, { code: 'exchange.too-large' }],
    ['columns without end', `id${',c'.repeat(20_000)}\n`, { code: 'exchange.too-large' }],
    ['a packed file', gzipSync('{}'), { why: 'It is packed.' }],
    ['a page', '<!doctype html>', {}],
    ['bytes', new Uint8Array([1, 0, 2, 0, 3]), { why: 'It is no text.' }],
    ['UTF-16', Buffer.from('\ufeffid,note\na,1\n', 'utf16le'), { why: 'Its text is UTF-16.' }],
    ['a table in Latin-1', Buffer.from('id,note\na,Zürich\n', 'latin1'), { why: 'Its text is not UTF-8.' }],
    [
      'GeoJSON in Latin-1',
      Buffer.from(collection({ ...feature([7, 46]), id: 'Zürich' }), 'latin1'),
      { place: 'Feature 1, line 1.', why: 'Its text is not UTF-8.' },
    ],
    ['a table that ends within a letter', Buffer.from('id,note\na,Zü', 'utf8').subarray(0, -1), {}],
    ['a table with semicolons', 'id;cloud\na;1,5\n', { why: 'Its columns are parted by semicolons.' }],
    ['a table with tabs', 'id\tcloud\na\t1\n', { why: 'Its columns are parted by tabs.' }],
    ['Parquet of nothing', `PAR1${'\0'.repeat(100)}PAR1`, { why: 'That is no Parquet that can be read.' }],
    ['half a Parquet file', new TextEncoder().encode(`PAR1${'x'.repeat(5000)}`), {}],
  ])('%s', async (_, content, details) => {
    expect(await refusal(content)).toMatchObject({
      code: expect.stringMatching(/^exchange\.(unreadable|too-large)$/) as string,
      mend: expect.stringMatching(/\.$/) as string,
      ...details,
    });
  });

  it('a Parquet file without ids, and one that unpacks to far more than it is', async () => {
    const rows = (data: unknown[], name: string) =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [{ name, data: data as string[], type: 'STRING', encoding: 'PLAIN' }],
          codec: 'GZIP',
          compressors: { GZIP: (bytes) => gzipSync(bytes) },
          pageSize: 1e9,
        }),
      );
    expect(await refusal(rows(['a'], 'name'))).toMatchObject({ code: 'exchange.unreadable' });
    const bomb = rows(['0'.repeat(50_000_000)], 'id');
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(bomb)).toMatchObject({ code: 'exchange.unreadable' });
  });
});
