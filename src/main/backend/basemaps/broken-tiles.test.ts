import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../http/testing/failure-of.ts';
import { buildHouse, getTile } from './testing/basemap-house.ts';
import { writeMbtiles } from './testing/write-mbtiles.ts';
import { writePmtiles } from './testing/write-pmtiles.ts';
import { writeHugePicture, writePicture, writeVectorTile } from './testing/write-tiles.ts';

const red = writePicture([255, 0, 0], 8);
const water = writeVectorTile([{ layer: 'water', properties: {}, box: [0, 0, 9, 9] }]);
const garbage = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * i * 31 + i * 7 + 3) % 256));

/** A tile for the world, and for each quarter of it. */
function tilesOf(bytes: Buffer) {
  const quarters = [0, 1].flatMap((x) => [0, 1].map((y) => ({ z: 1, x, y, bytes })));
  return [{ z: 0, x: 0, y: 0, bytes }, ...quarters];
}

describe('a file of one’s own', () => {
  it.each<[string, string, (path: string) => void]>([
    [
      'garbage for pictures',
      'Its tiles can’t be read.',
      (path) => writeMbtiles(path, { tiles: tilesOf(garbage), metadata: { format: 'png' } }),
    ],
    [
      'garbage for vector tiles',
      'Its tiles can’t be read.',
      (path) => writeMbtiles(path, { tiles: tilesOf(garbage), metadata: { format: 'pbf' } }),
    ],
    [
      'packed garbage for vector tiles',
      'Its tiles can’t be read.',
      (path) => writeMbtiles(path, { tiles: tilesOf(gzipSync(garbage)), metadata: { format: 'pbf' } }),
    ],
    [
      'vector tiles that break off',
      'Its tiles can’t be read.',
      (path) =>
        writeMbtiles(path, { tiles: tilesOf(gzipSync(water.subarray(0, -9))), metadata: { format: 'pbf' } }),
    ],
    [
      'pictures of 20,000 pixels',
      'Its tiles can’t be read.',
      (path) => writeMbtiles(path, { tiles: tilesOf(writeHugePicture(20_000)), metadata: { format: 'png' } }),
    ],
    [
      'zooms in its description, but no tiles',
      'There are no tiles in it.',
      (path) => writeMbtiles(path, { tiles: [], metadata: { format: 'png', minzoom: '0', maxzoom: '3' } }),
    ],
    [
      'garbage in PMTiles of pictures',
      'Its tiles can’t be read.',
      (path) => writePmtiles(path, { tiles: tilesOf(garbage), tileType: 2 }),
    ],
    [
      'garbage in PMTiles of vector tiles, in a leaf directory',
      'Its tiles can’t be read.',
      (path) => writePmtiles(path, { tiles: tilesOf(garbage), tileType: 1, hasLeaf: true }),
    ],
  ])('with %s is refused and not added', async (_what, why, write) => {
    const { basemaps, folder } = buildHouse();
    const path = join(folder, 'bad.mbtiles');
    write(path);
    const error = await failureOf(basemaps.addFile(path));
    expect(error.code).toBe('basemap.unreadable');
    expect(error.details).toMatchObject({ file: 'bad.mbtiles', why: expect.stringContaining(why) as string });
    expect(basemaps.state).toEqual({ basemaps: [], used: null });
  });

  it('says once that tiles of it can’t be read any more, and goes on with the others', async () => {
    const { basemaps, folder } = buildHouse();
    const path = join(folder, 'plan.mbtiles');
    const empty = { z: 2, x: 0, y: 0, bytes: Buffer.alloc(0) };
    writeMbtiles(path, { tiles: [...tilesOf(red), empty], metadata: { format: 'png' } });
    const id = await basemaps.addFile(path);
    const problems: unknown[] = [];
    basemaps.onChange(() => problems.push(basemaps.state.used?.problem));
    // A place without a picture is none of a damage.
    expect((await getTile(basemaps, `/_tile/${id}/2/0/0`)).status).toBe(204);
    expect((await getTile(basemaps, `/_tile/${id}/1/0/0`)).status).toBe(200);
    const database = new Database(path);
    database.prepare('UPDATE tiles SET tile_data = ? WHERE zoom_level = 1').run(garbage);
    database.close();
    for (const place of ['0/0', '0/1', '1/0']) {
      expect((await getTile(basemaps, `/_tile/${id}/1/${place}`)).status).toBe(422);
    }
    expect((await getTile(basemaps, `/_tile/${id}/0/0/0`)).status).toBe(200);
    expect(problems.filter((problem) => problem)).toEqual([
      { why: 'A tile of it is no picture, or too large.', mend: expect.any(String) as string },
    ]);
  });
});
