import { openSync, readSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PMTiles, zxyToTileId, type Source } from 'pmtiles';
import { PbfWriter } from 'pbf';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { openTileSet } from './open-tile-set.ts';
import { toTileId } from './pmtiles-directory.ts';
import { inFolder } from './testing/basemap-folder.ts';
import { sharedSchema, writeMbtiles, type MbtilesContent } from './testing/write-mbtiles.ts';
import { writePmtiles, type PmtilesContent } from './testing/write-pmtiles.ts';
import { writePicture, writeVectorTile } from './testing/write-tiles.ts';
import type { TileSet } from './tile-set.ts';

const red = writePicture([255, 0, 0], 8);
const blue = writePicture([0, 0, 255], 8);
const vector = writeVectorTile([{ layer: 'water', properties: { kind: 'lake' }, box: [0, 0, 4096, 4096] }]);
const raster = [
  { z: 0, x: 0, y: 0, bytes: red },
  { z: 2, x: 3, y: 1, bytes: blue },
];

function open(filePath: string): TileSet {
  const tileSet = openTileSet(filePath);
  onTestFinished(() => tileSet.close());
  return tileSet;
}

function pmtiles(content: Partial<PmtilesContent>): string {
  const filePath = inFolder('map.pmtiles');
  writePmtiles(filePath, { tiles: raster, tileType: 2, ...content });
  return filePath;
}

function mbtiles(content: Partial<MbtilesContent>): string {
  const filePath = inFolder('map.mbtiles');
  writeMbtiles(filePath, { tiles: raster, metadata: { format: 'png' }, ...content });
  return filePath;
}

/** Why a file is refused, at once or when a tile of it is asked for. */
function refusal(filePath: string): string {
  try {
    open(filePath).tile({ z: 0, x: 0, y: 0 });
  } catch (thrown) {
    if (isAppError(thrown) && thrown.code === 'basemap.unreadable') return thrown.message;
    throw thrown;
  }
  return 'it was taken';
}

describe('PMTiles', () => {
  it.each([false, true])(
    'gives its tiles and nothing where there are none (leaf directory: %s)',
    (hasLeaf) => {
      const tileSet = open(pmtiles({ hasLeaf }));
      expect(tileSet.tile({ z: 0, x: 0, y: 0 })).toEqual(red);
      expect(tileSet.tile({ z: 2, x: 3, y: 1 })).toEqual(blue);
      expect(tileSet.tile({ z: 2, x: 3, y: 2 })).toBeNull();
    },
  );

  it('says what it is, without markup', () => {
    const metadata = { name: 'Alps', attribution: '<a href="javascript:x">&copy; Someone</a><script>x' };
    const { name, facts } = open(pmtiles({ metadata, bounds: [5, 44, 12, 48] }));
    expect(name).toBe('Alps');
    expect(facts).toEqual({
      tiles: 'raster',
      minZoom: 0,
      maxZoom: 2,
      bounds: [5, 44, 12, 48],
      attribution: '© Someonex',
    });
  });

  it('unpacks vector tiles', () => {
    const tileSet = open(pmtiles({ tileType: 1, tiles: [{ z: 1, x: 1, y: 0, bytes: vector }] }));
    expect(tileSet.facts).toMatchObject({ tiles: 'vector', minZoom: 1, maxZoom: 1, bounds: null });
    expect(tileSet.tile({ z: 1, x: 1, y: 0 })).toEqual(vector);
  });

  it('is read as the reference reads it', async () => {
    const filePath = pmtiles({ hasLeaf: true });
    const reference = new PMTiles(fileSource(filePath));
    const found = await reference.getZxy(2, 3, 1);
    expect(Buffer.from(found?.data ?? new ArrayBuffer())).toEqual(open(filePath).tile({ z: 2, x: 3, y: 1 }));
  });

  it('numbers its tiles as the reference does', () => {
    const addresses = [0, 1, 2, 3, 9, 17, 24].flatMap((z) => {
      const last = 2 ** z - 1;
      const some = [0, Math.floor(last / 3), Math.floor(last / 2), last];
      return some.flatMap((x) => some.map((y) => ({ z, x, y })));
    });
    expect(addresses.map(toTileId)).toEqual(addresses.map(({ z, x, y }) => zxyToTileId(z, x, y)));
  });

  it.each<[string, Partial<PmtilesContent>, RegExp]>([
    ['of another version', { spoil: (bytes) => (bytes.writeUInt8(2, 7), bytes) }, /version 2/],
    ['cut off', { spoil: (bytes) => bytes.subarray(0, 200) }, /ends before/],
    ['cut off among its tiles', { spoil: (bytes) => bytes.subarray(0, -1) }, /ends before/],
    ['cut off in its header', { spoil: (bytes) => bytes.subarray(0, 60) }, /ends before/],
    [
      'with a directory beyond its end',
      { spoil: (bytes) => (bytes.writeBigUInt64LE(2n ** 62n, 8), bytes) },
      /ends before/,
    ],
    [
      'with an endless directory',
      { spoil: (bytes) => (bytes.writeBigUInt64LE(2n ** 40n, 16), bytes) },
      /too large/,
    ],
    ['with a tile of 2^40 bytes', { rootDirectory: varints(1, 0, 1, 2 ** 40, 1) }, /ends before/],
    ['with a tile at 2^40', { rootDirectory: varints(1, 0, 1, 10, 2 ** 40) }, /ends before/],
    ['with a leaf directory beyond its end', { rootDirectory: varints(1, 0, 0, 2 ** 40, 1) }, /ends before/],
    ['of unknown tiles', { tileType: 5 }, /kind that can’t be drawn/],
    [
      'with a billion entries in ten bytes',
      { rootDirectory: varints(1e9, 1, 1, 1, 1) },
      /shorter than it says/,
    ],
    [
      'with a directory that unpacks to 64 MB',
      { rootDirectory: Buffer.alloc(64 * 2 ** 20) },
      /larger than 16 MB/,
    ],
    ['with a tile that unpacks to 32 MB', bomb(), /larger than 8 MB/],
  ])('is refused when it is %s', (_what, content, why) => {
    expect(refusal(pmtiles(content))).toMatch(why);
  });
});

describe('MBTiles', () => {
  it.each([undefined, sharedSchema])('gives its tiles, whose rows count from the south', (schema) => {
    const tileSet = open(mbtiles(schema === undefined ? {} : { schema }));
    expect(tileSet.tile({ z: 2, x: 3, y: 1 })).toEqual(blue);
    expect(tileSet.tile({ z: 2, x: 3, y: 2 })).toBeNull();
  });

  it('says what it is; what it doesn’t say is looked up', () => {
    const metadata = { name: 'Plan', bounds: '5,44,12,48', attribution: 'Someone' };
    expect(open(mbtiles({ metadata })).facts).toEqual({
      tiles: 'raster',
      minZoom: 0,
      maxZoom: 2,
      bounds: [5, 44, 12, 48],
      attribution: 'Someone',
    });
  });

  it('unpacks vector tiles', () => {
    const tiles = [{ z: 0, x: 0, y: 0, bytes: gzipSync(vector) }];
    const tileSet = open(mbtiles({ tiles, metadata: { format: 'pbf' } }));
    expect(tileSet.facts.tiles).toBe('vector');
    expect(tileSet.tile({ z: 0, x: 0, y: 0 })).toEqual(vector);
  });

  it('knows vector tiles of a file that doesn’t say what it has, whatever zoom it begins at', () => {
    const tiles = [{ z: 7, x: 3, y: 5, bytes: gzipSync(vector) }];
    expect(open(mbtiles({ tiles, metadata: {} })).facts.tiles).toBe('vector');
    expect(open(mbtiles({ metadata: {} })).facts.tiles).toBe('raster');
  });

  const facts = 'CREATE TABLE metadata (name TEXT, value TEXT);';
  it.each<[string, Partial<MbtilesContent>, RegExp]>([
    [
      'asks with a query without end',
      {
        tiles: [],
        schema: `${facts} CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          SELECT i AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data FROM n WHERE i < 0;`,
      },
      /not those of MBTiles/,
    ],
    [
      'computes its tiles',
      {
        tiles: [],
        schema: `${facts} CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
          tile_data BLOB AS (zeroblob(1000000000)));
          CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row);`,
      },
      /not those of MBTiles/,
    ],
    [
      'has no index',
      {
        schema: `${facts} CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);`,
      },
      /no index/,
    ],
    ['has another schema', { tiles: [], schema: `${facts} CREATE TABLE other (id)` }, /not those of MBTiles/],
    ['has text for a tile', { tiles: [{ z: 0, x: 0, y: 0, bytes: 'text' }] }, /no picture, or too large/],
    ['has a tile of 5 MB', { tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.alloc(5 * 2 ** 20) }] }, /too large/],
    [
      'has a tile that unpacks to 32 MB',
      { metadata: { format: 'pbf' }, tiles: [{ z: 0, x: 0, y: 0, bytes: gzipSync(Buffer.alloc(2 ** 25)) }] },
      /larger than 8 MB/,
    ],
    ['has no tiles', { tiles: [] }, /no tiles/],
    ['has tiles of another kind', { metadata: { format: 'mlt' } }, /kind that can’t be drawn/],
  ])('is refused when it %s', (_what, content, why) => {
    expect(refusal(mbtiles(content))).toMatch(why);
  });

  it('is refused when it is damaged', () => {
    const filePath = mbtiles({});
    writeFileSync(filePath, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]));
    expect(refusal(filePath)).toMatch(/damaged/);
  });
});

it('anything else is no basemap, nor is a file that isn’t there', () => {
  const filePath = inFolder('map.pmtiles');
  writeFileSync(filePath, '<html>');
  expect(refusal(filePath)).toMatch(/neither PMTiles nor MBTiles/);
  expect(refusal(`${filePath}.gone`)).toMatch(/no such file/);
  expect(refusal(inFolder('.'))).toMatch(/no such file/);
});

function bomb(): Partial<PmtilesContent> {
  return { tileType: 1, tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.alloc(2 ** 25) }] };
}

function varints(...values: number[]): Buffer {
  const writer = new PbfWriter();
  for (const value of values) writer.writeVarint(value);
  return Buffer.from(writer.finish());
}

function fileSource(filePath: string): Source {
  const file = openSync(filePath, 'r');
  return {
    getKey: () => filePath,
    getBytes: (offset, length) => {
      const bytes = new Uint8Array(length);
      const count = readSync(file, bytes, 0, length, offset);
      return Promise.resolve({ data: bytes.slice(0, count).buffer });
    },
  };
}
