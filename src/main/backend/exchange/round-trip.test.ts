import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat, ExportOptions } from '#shared/exchange/export-format.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toTemporaryPath } from './output-file.ts';
import { readItems } from './read-items.ts';
import type { FileFacts } from './readers/item-reader.ts';
import { makeItem, makeOddItems } from './testing/odd-items.ts';
import { writeToFile } from './testing/write-to-file.ts';
import { writeItems } from './write-items.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-exchange-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(
  items: readonly IdentifiedItem[],
  format: ExportFormat,
  options: Partial<ExportOptions> = {},
): Promise<string> {
  const path = join(folder, `out.${format}`);
  await writeToFile(items, { path, format, ...options });
  return path;
}

async function readBack(path: string): Promise<{ items: IdentifiedItem[]; facts: FileFacts }> {
  const facts: FileFacts = { format: null, asOf: null };
  const items: IdentifiedItem[] = [];
  for await (const batch of readItems(path, { collectionId: 'from-file', facts })) items.push(...batch);
  return { items, facts };
}

// What JSON keeps of an item: members without a value are none.
function asJson(items: readonly IdentifiedItem[]): IdentifiedItem[] {
  return JSON.parse(JSON.stringify(items)) as IdentifiedItem[];
}

describe('items as a STAC ItemCollection', () => {
  it('read back as they were', async () => {
    const items = makeOddItems();
    const { items: read, facts } = await readBack(await write(items, 'stac'));
    expect(read).toEqual(asJson(items));
    expect(facts).toEqual({ format: 'stac', asOf: '2026-06-01T00:00:00.000Z' });
  });
});

describe('items as stac-geoparquet', () => {
  it('read back as they were, oddities included', async () => {
    const items = makeOddItems();
    const { items: read, facts } = await readBack(await write(items, 'geoparquet'));
    expect(read).toEqual(asJson(items));
    expect(facts).toEqual({ format: 'geoparquet', asOf: '2026-06-01T00:00:00.000Z' });
  });

  it('read back with properties that are called as members of every object are', async () => {
    const properties = JSON.parse(
      '{"datetime":null,"constructor":"x","toString":1,"hasOwnProperty":[1],"__proto__":"y"}',
    ) as object;
    const items = [makeItem('with', { properties }), makeItem('without')];
    const { items: read } = await readBack(await write(items, 'geoparquet'));
    expect(JSON.parse(JSON.stringify(read))).toEqual(asJson(items));
  });

  it('read back with names that look like the way to another member, and a leap second', async () => {
    const items = [
      makeItem('nested', {
        properties: { datetime: '2016-12-31T23:59:60Z', o: { c: { d: 1 }, 'c.d': 5 }, 'bbox.xmin': 7 },
      }),
      makeItem('above', { properties: { datetime: '2026-01-01T00:00:00Z', p: { q: 1 }, 'p.q': 2 } }),
    ];
    const { items: read } = await readBack(await write(items, 'geoparquet'));
    expect(read).toEqual(asJson(items));
  });

  it('read back in their order over several row groups', async () => {
    const items = Array.from({ length: 5010 }, (_, index) => makeItem(`item-${String(index)}`));
    const { items: read } = await readBack(await write(items, 'geoparquet'));
    expect(read.map(({ ref }) => ref.itemId)).toEqual(items.map(({ ref }) => ref.itemId));
    expect(read[5007]).toEqual(asJson(items)[5007]);
  });
});

describe('items as GeoJSON', () => {
  it('read back with their footprints and flat properties', async () => {
    const { items: read, facts } = await readBack(await write([makeItem('one')], 'geojson'));
    expect(facts.format).toBe('geojson');
    const { item } = makeItem('one');
    expect(read).toEqual([
      {
        ref: { collectionId: 'optical', itemId: 'one' },
        item: { ...item, stac_version: '1.0.0', stac_extensions: undefined, links: [], assets: {} },
      },
    ]);
  });

  it('have the chosen properties alone', async () => {
    const path = await write(makeOddItems(), 'geojson', { properties: ['platform', 'nested'] });
    const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: { properties: object }[] };
    expect(features[0]?.properties).toEqual({ platform: 'sentinel-2b', collection: 'optical' });
    expect(features[8]?.properties).toMatchObject({ nested: { 'd.e': 'dots' } });
  });

  it('are cut at the antimeridian, and keep those without a place', async () => {
    const path = await write(makeOddItems(), 'geojson');
    const { features, bbox } = JSON.parse(await readFile(path, 'utf8')) as {
      features: { id: string; geometry: { type: string } | null; bbox?: number[] }[];
      bbox: number[];
    };
    expect(features.find(({ id }) => id === 'antimeridian')).toMatchObject({
      geometry: { type: 'MultiPolygon' },
      bbox: [179, -10, -179, -9],
    });
    expect(features.find(({ id }) => id === 'null-geometry')?.geometry).toBeNull();
    expect(bbox).toEqual([-180, -10, 180, 47]);
  });
});

it('an item that goes on beyond 180° has a box in GeoJSON that crosses the antimeridian as its footprint does', async () => {
  const ring = [
    [175, -40],
    [185, -40],
    [185, -30],
    [175, -30],
    [175, -40],
  ];
  const beyond = makeItem('beyond', { bbox: null, geometry: { type: 'Polygon', coordinates: [ring] } });
  const path = await write([beyond], 'geojson');
  const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: object[] };
  expect(features).toMatchObject([{ geometry: { type: 'MultiPolygon' }, bbox: [175, -40, -175, -30] }]);
});

describe('items as CSV', () => {
  it('read back with every flat value, typed as it was', async () => {
    const items = makeOddItems();
    const { items: read } = await readBack(await write(items, 'csv'));
    expect(read.map(({ ref }) => ref)).toEqual(items.map(({ ref }) => ref));
    const flat = (one: IdentifiedItem | undefined) => one?.item['properties'];
    expect(flat(read[8])).toEqual({
      datetime: '2026-05-01T00:00:00Z',
      mixed: 'text',
      'proj:shape': [10_980, 10_980],
      'proj:transform': [10, 0, 399_960.5],
      none: [],
      big: 2 ** 60,
      id: 'a property that is called id',
      Platform: 'capital',
      text: 'He said "no", twice;\r\nand left',
      digits: '0031',
      number: '31',
      truth: 'true',
      yes: true,
      blank: '',
    });
    expect(flat(read[10])).toEqual(items[10]?.item['properties']);
    expect(read[0]?.item['geometry']).toEqual(items[0]?.item['geometry']);
    expect(read[1]?.item['geometry']).toBeNull();
  });

  it('hold nothing that a spreadsheet runs', async () => {
    const text = await readFile(await write(makeOddItems(), 'csv'), 'utf8');
    const cells = text.split(/\r\n/).flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const bare = cells.map((cell) => cell.replace(/^"/, ''));
    expect(bare.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual(
      bare.filter((cell) => /^-\d+(\.\d+)?$/.test(cell) && Number(cell) < 0 && !/^"/.test(cell)),
    );
    expect(text).toContain(`"'=HYPERLINK(""http://evil.test"",""click"")"`);
    expect(text).toContain(",'+1,");
    expect(text).toContain(',-5.25,');
    expect(text).toContain(",'=header");
  });

  it.each(['\n', '\r', '\r\n'])('are one record each to programs that end one at any of %j', async (end) => {
    const properties = { datetime: null, [`a${end}=b`]: 1, note: `x${end}=HYPERLINK("http://evil.test")` };
    const path = await write([makeItem(`one${end}=1+1`, { properties })], 'csv');
    const records = parse(await readFile(path), { record_delimiter: ['\r\n', '\n', '\r'] });
    expect(records).toHaveLength(2);
    expect((await readBack(path)).items[0]).toMatchObject({
      ref: { itemId: `one${end}=1+1` },
      item: { properties },
    });
  });

  it('leave the cell of a property empty that an item lacks, whatever it is called', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    const properties = JSON.parse(
      `{"datetime":null,${names.map((name) => `"${name}":"x"`).join()}}`,
    ) as object;
    const items = [makeItem('with', { properties }), makeItem('without')];
    for (const chosen of [null, names]) {
      const format = chosen === null ? {} : { properties: chosen };
      const path = await write(items, 'csv', format);
      const records: Record<string, string>[] = parse(await readFile(path), { columns: true });
      expect(records).toHaveLength(2);
      for (const name of names.slice(0, 3)) {
        expect(records.map((record) => record[name])).toEqual(['x', '']);
      }
      expect(await readFile(path, 'utf8')).not.toContain('undefined');
      await rm(path);
    }
  });

  it('begin with the mark for Excel when that is wanted, and read back all the same', async () => {
    const path = await write([makeItem('one')], 'csv', { hasByteOrderMark: true });
    expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect((await readBack(path)).items[0]?.ref.itemId).toBe('one');
  });
});

describe('every form', () => {
  it.each(['geojson', 'stac', 'csv', 'geoparquet'] as const)(
    'leaves signed links behind: %s',
    async (format) => {
      const signed = makeItem('signed', {
        properties: {
          datetime: null,
          note: 'https://storage.test/a.tif?X-Amz-Signature=SECRET&X-Amz-Expires=60',
        },
        assets: { red: { href: 'https://storage.test/red.tif?sig=SECRET&se=2026' } },
      });
      const path = await write([signed], format);
      expect(JSON.stringify((await readBack(path)).items)).not.toContain('SECRET');
      expect(await readFile(path, 'latin1')).not.toContain('SECRET');
    },
  );

  it.each(['geojson', 'stac', 'csv', 'geoparquet'] as const)(
    'leaves nothing behind when its source fails: %s',
    async (format) => {
      // eslint-disable-next-line @typescript-eslint/require-await -- a source of items
      async function* failing(): AsyncGenerator<IdentifiedItem[]> {
        yield [makeItem('one')];
        throw new Error('gone');
      }
      const order = { format, properties: null, hasByteOrderMark: false, asOf: () => null, collections: [] };
      const path = join(folder, 'out');
      await expect(
        writeItems(failing(), { ...order, path, temporaryPath: toTemporaryPath(path), canReplace: true }),
      ).rejects.toThrow('gone');
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('is not written without any item', async () => {
    await expect(write([], 'geojson')).rejects.toMatchObject({ code: 'exchange.nothing' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('replaces a file only when that is wanted', async () => {
    const path = await write([makeItem('one')], 'csv');
    await expect(write([makeItem('two')], 'csv')).rejects.toMatchObject({ code: 'exchange.file-exists' });
    expect((await readBack(path)).items[0]?.ref.itemId).toBe('one');
    expect(await readdir(folder)).toEqual(['out.csv']);
  });
});
