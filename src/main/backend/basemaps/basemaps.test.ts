import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bbox } from '#shared/stac/bbox.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { failureOf } from '../http/testing/failure-of.ts';
import { serve } from '../http/testing/serve.ts';
import { keepBrought } from './brought-basemaps.ts';
import { extractBasemap, planExtract } from './extract-basemap.ts';
import type { ExtractWish } from './extract-tiles.ts';
import { openFileTiles } from './file-tiles.ts';
import { serveTile } from './serve-tile.ts';
import type { Basemaps } from './basemaps.ts';
import { buildHouse as build, dayMs, getTile as get, type House } from './testing/basemap-house.ts';
import { writeMbtiles } from './testing/write-mbtiles.ts';
import { writePmtiles } from './testing/write-pmtiles.ts';
import { writeHugePicture, writePicture, writeVectorTile } from './testing/write-tiles.ts';

const red = writePicture([255, 0, 0], 8);
const water = writeVectorTile([{ layer: 'water', properties: {}, box: [0, 0, 9, 9] }]);

// Starting a thread takes its time on a busy computer.
function waitFor(check: () => void): Promise<void> {
  return eventually(check);
}

function rasterFile(folder: string, name = 'plan.mbtiles'): string {
  const filePath = join(folder, name);
  const tiles = [{ z: 0, x: 0, y: 0, bytes: red }];
  writeMbtiles(filePath, { tiles, metadata: { format: 'png', name: 'Plan', maxzoom: '2', minzoom: '0' } });
  return filePath;
}

describe('a file of one’s own', () => {
  it('is added, used, and served tile by tile', async () => {
    const { basemaps, folder } = build();
    const id = await basemaps.addFile(rasterFile(folder));
    expect(basemaps.state.basemaps).toMatchObject([{ id, name: 'Plan', kind: 'file' }]);
    await waitFor(() => expect(basemaps.state.used?.facts?.maxZoom).toBe(2));
    expect(await get(basemaps, `/_tile/${id}/0/0/0`)).toEqual({
      status: 200,
      type: 'image/png',
      cache: 'private, max-age=3600',
      body: red,
    });
    expect(await get(basemaps, `/_tile/${id}/1/0/0`)).toMatchObject({ status: 204 });
    for (const path of [`/_tile/${id}/1/2/0`, `/_tile/${id}/9/0/0`]) {
      expect((await get(basemaps, path)).status).toBe(204);
    }
    for (const path of [`/_tile/${id}/-1/0/0`, `/_tile/other/0/0/0`, `/_tile/../0/0/0`, `/_tile/${id}/0/0`]) {
      expect((await get(basemaps, path)).status).toBe(404);
    }
  });

  it('is there again after a restart, once, even when it was added twice', async () => {
    const house = build();
    const filePath = rasterFile(house.folder);
    const id = await house.basemaps.addFile(filePath);
    expect(await house.basemaps.addFile(filePath)).toBe(id);
    await house.restart();
    expect(house.basemaps.state).toMatchObject({ basemaps: [{ id }], used: { id } });
    expect((await get(house.basemaps, `/_tile/${id}/0/0/0`)).status).toBe(200);
  });

  it('that went away is said so, with what to do; the list keeps it', async () => {
    const house = build();
    const filePath = rasterFile(house.folder);
    const id = await house.basemaps.addFile(filePath);
    await house.basemaps.close();
    rmSync(filePath);
    await house.restart();
    const { basemaps } = house;
    await waitFor(() => expect(basemaps.state.used?.problem?.mend).toMatch(/Bring it back/));
    expect(basemaps.state.basemaps).toHaveLength(1);
    expect((await get(basemaps, `/_tile/${id}/0/0/0`)).status).toBe(422);
  });

  it('with tiles that can’t be read says so, and shows the others', async () => {
    const house = build();
    const path = join(house.folder, 'worn.mbtiles');
    const tiles = Array.from({ length: 64 }, (_, i) => ({
      z: 3,
      x: i % 8,
      y: Math.floor(i / 8),
      bytes: writePicture([i * 3, 0, 0], 64),
    }));
    writeMbtiles(path, { tiles, metadata: { name: 'Worn', format: 'png', minzoom: '3', maxzoom: '3' } });
    // The last page of the file, with pictures on it.
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, bytes.length - 4096));
    const id = await house.basemaps.addFile(path);
    const statuses = await Promise.all(
      tiles.map(async ({ x, y }) => {
        const { status } = await serveTile(`/_tile/${id}/3/${String(x)}/${String(y)}`, house);
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
    const { used } = house.basemaps.state;
    expect(used?.facts).toMatchObject({ tiles: 'raster' });
    expect(used?.problem?.mend).toContain('Get the file again');
  });

  it('that is no map is refused by name and not added', async () => {
    const { basemaps, folder } = build();
    const filePath = join(folder, 'bad.pmtiles');
    writePmtiles(filePath, { tiles: [{ z: 0, x: 0, y: 0, bytes: red }], tileType: 5 });
    const error = await failureOf(basemaps.addFile(filePath));
    expect(error.code).toBe('basemap.unreadable');
    expect(error.details).toMatchObject({ file: 'bad.pmtiles' });
    expect(basemaps.state).toEqual({ basemaps: [], used: null });
  });

  it('serves vector tiles as such, and no picture that is none or huge', async () => {
    const { basemaps, folder } = build();
    const vectorPath = join(folder, 'vector.pmtiles');
    writePmtiles(vectorPath, { tiles: [{ z: 0, x: 0, y: 0, bytes: water }], tileType: 1 });
    const vectorId = await basemaps.addFile(vectorPath);
    expect(await get(basemaps, `/_tile/${vectorId}/0/0/0`)).toMatchObject({
      status: 200,
      type: 'application/vnd.mapbox-vector-tile',
      body: water,
    });
    const hostilePath = join(folder, 'hostile.mbtiles');
    const tiles = [
      { z: 0, x: 0, y: 0, bytes: red },
      { z: 1, x: 0, y: 0, bytes: writeHugePicture(50_000) },
      { z: 1, x: 1, y: 0, bytes: Buffer.from('<svg onload="x"/>') },
    ];
    writeMbtiles(hostilePath, { tiles, metadata: { format: 'png' } });
    const hostileId = await basemaps.addFile(hostilePath);
    expect((await get(basemaps, `/_tile/${hostileId}/1/0/0`)).status).toBe(422);
    expect((await get(basemaps, `/_tile/${hostileId}/1/1/0`)).status).toBe(422);
  });

  it('is only taken from the dialog where there is one', async () => {
    let answer: string | null = null;
    const { basemaps, folder } = build({ desktop: { chooseFile: () => Promise.resolve(answer) } });
    const filePath = rasterFile(folder);
    expect((await failureOf(basemaps.addFile(filePath))).code).toBe('basemap.unreadable');
    expect((await failureOf(basemaps.files.list(null))).code).toBe('host.unsupported');
    answer = filePath;
    expect(await basemaps.files.choose()).toBe(filePath);
    expect(await basemaps.addFile(filePath)).toMatch(/^[\w-]+$/);
  });

  it('that doesn’t answer is given up', async () => {
    const { folder } = build();
    const error = await failureOf(openFileTiles(rasterFile(folder), { answerMs: 0 }));
    expect(error.details).toMatchObject({ file: 'plan.mbtiles', why: 'It didn’t answer within 0 s.' });
  });
});

it('files are chosen among folders and maps', async () => {
  const { basemaps, folder } = build();
  rasterFile(folder);
  rasterFile(folder, 'notes.txt');
  expect(await basemaps.files.list(null)).toMatchObject({ folders: [], files: [{ name: 'plan.mbtiles' }] });
  expect((await failureOf(basemaps.files.list('relative'))).code).toBe('transfer.destination-missing');
});

it('one that is removed is neither used nor listed; its file stays', async () => {
  const { basemaps, folder } = build();
  const id = await basemaps.addFile(rasterFile(folder));
  await basemaps.remove(id);
  expect(basemaps.state).toEqual({ basemaps: [], used: null });
  expect(readdirSync(folder)).toContain('plan.mbtiles');
  expect(() => basemaps.use(id)).toThrow('no longer in the list');
});

it('one that was removed comes back under its name', async () => {
  const { basemaps, folder } = build();
  const id = await basemaps.addFile(rasterFile(folder));
  basemaps.rename(id, 'My plan');
  await basemaps.remove(id);
  basemaps.restore(id);
  basemaps.use(id);
  await eventually(() => expect(basemaps.state.used?.facts).toMatchObject({ tiles: 'raster' }));
  expect(basemaps.state.basemaps).toMatchObject([{ id, name: 'My plan' }]);
  expect(() => basemaps.restore('another')).toThrow('no longer in the list');
});

it('one that a field pack brought is listed, also after a start, and goes with its file', async () => {
  const house = build();
  const { folder } = house;
  const sha256 = 'f'.repeat(64);
  expect(await keepBrought(folder, { filePath: rasterFile(folder), name: 'Field / map', sha256 })).toBe(true);
  house.basemaps.takeBrought();
  house.basemaps.takeBrought();
  const listed = [{ name: 'Field _ map', isBrought: true }];
  expect(house.basemaps.state).toMatchObject({ basemaps: listed, used: null });
  house.settings.change({ basemaps: [] });
  await house.restart();
  expect(house.basemaps.state).toMatchObject({ basemaps: listed });
  const id = house.basemaps.state.basemaps[0]?.id ?? '';
  house.basemaps.use(id);
  expect((await get(house.basemaps, `/_tile/${id}/0/0/0`)).status).toBe(200);
  await house.basemaps.remove(id);
  expect(readdirSync(join(folder, 'basemaps'))).toEqual([]);
  expect(() => house.basemaps.restore(id)).toThrow('no longer in the list');
  await house.restart();
  expect(house.basemaps.state.basemaps).toEqual([]);
});

describe('an extract', () => {
  const extract = ({ settings }: House, id: string, wish: ExtractWish) => {
    const basemap = settings.current.basemaps.find((one) => one.id === id);
    return basemap ? extractBasemap(basemap, wish) : Promise.reject(new Error('no such basemap'));
  };
  const everywhere = (maxZoom: number) =>
    Array.from({ length: maxZoom + 1 }, (_, z) => z).flatMap((z) =>
      Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z), bytes: red })),
    );

  it('is a basemap of its own with the tiles of the area', async () => {
    const house = build();
    const { basemaps, folder } = house;
    const filePath = join(folder, 'world.mbtiles');
    writeMbtiles(filePath, {
      tiles: everywhere(4),
      metadata: { format: 'png', name: 'World', attribution: 'Us' },
    });
    const id = await basemaps.addFile(filePath);
    const toFile = join(folder, 'extract.mbtiles');
    const wish = { bbox: [170, 42, -170, 50] as const, maxZoom: 3, toFile };
    // One tile a zoom on each side of the antimeridian; of the whole world at 0 there is one.
    expect(await extract(house, id, wish)).toMatchObject({ tileCount: 7 });
    const tiles = await openFileTiles(toFile);
    expect(tiles).toMatchObject({
      name: 'World',
      facts: { tiles: 'raster', minZoom: 0, maxZoom: 3, attribution: 'Us' },
    });
    expect(await tiles.tile({ z: 3, x: 7, y: 2 })).toEqual(red);
    expect(await tiles.tile({ z: 3, x: 3, y: 2 })).toBeNull();
    await tiles.close();
  });

  it('goes as close as the budget allows', async () => {
    const { folder } = build();
    const path = join(folder, 'world.mbtiles');
    const metadata = { format: 'png', bounds: '-180,0,180,85' };
    writeMbtiles(path, { tiles: everywhere(4), metadata });
    const plan = (bbox: Bbox, budget: { tiles: number; bytes: number }) =>
      planExtract({ kind: 'file', id: 'a', name: 'World', path }, { bbox, budget });
    const world = [-180, -85, 180, 85] as const;
    const wide = await plan(world, { tiles: 40, bytes: 1e9 });
    expect(wide).toMatchObject({ maxZoom: 2, sizeBytes: (wide?.tileCount ?? 0) * red.length });
    expect(await plan(world, { tiles: 1e6, bytes: red.length * 2 })).toMatchObject({
      maxZoom: 0,
      tileCount: 1,
    });
    expect(await plan([1, 1, 2, 2], { tiles: 1e6, bytes: 1e9 })).toMatchObject({ maxZoom: 4, tileCount: 5 });
    expect(await plan([1, -20, 2, -10], { tiles: 1e6, bytes: 1e9 })).toBeNull();
  });

  it('of vector tiles has them packed, as programs expect', async () => {
    const house = build();
    const { basemaps, folder } = house;
    const filePath = join(folder, 'vector.pmtiles');
    const bytes = writeVectorTile([{ layer: 'water', properties: {}, box: [0, 0, 9, 9] }]);
    writePmtiles(filePath, { tiles: [{ z: 0, x: 0, y: 0, bytes }], tileType: 1 });
    const id = await basemaps.addFile(filePath);
    const toFile = join(folder, 'extract.mbtiles');
    await extract(house, id, { bbox: [0, 0, 1, 1], maxZoom: 14, toFile });
    const tiles = await openFileTiles(toFile);
    expect(tiles.facts.tiles).toBe('vector');
    expect(await tiles.tile({ z: 0, x: 0, y: 0 })).toEqual(bytes);
    await tiles.close();
  });

  it('that is too large, is given up or has no file leaves nothing behind', async () => {
    const house = build();
    const { basemaps, folder } = house;
    const filePath = join(folder, 'deep.mbtiles');
    const tiles = [{ z: 0, x: 0, y: 0, bytes: red }];
    writeMbtiles(filePath, { tiles, metadata: { format: 'png', minzoom: '0', maxzoom: '14' } });
    const id = await basemaps.addFile(filePath);
    const toFile = join(folder, 'extract.mbtiles');
    const world = [-180, -85, 180, 85] as const;
    expect((await failureOf(extract(house, id, { bbox: world, maxZoom: 14, toFile }))).message).toMatch(
      /too large/,
    );
    const signal = AbortSignal.abort();
    const givenUp = await failureOf(extract(house, id, { bbox: world, maxZoom: 2, toFile, signal }));
    expect(givenUp.code).toBe('cancelled');
    const urlTemplate = 'https://tiles.example/{z}/{x}/{y}';
    const online = basemaps.addOnline({ name: 'Online', urlTemplate, attribution: '', maxZoom: 3 });
    const refused = await failureOf(extract(house, online, { bbox: world, maxZoom: 2, toFile }));
    expect(refused.message).toMatch(/from a server/);
    expect(readdirSync(folder)).not.toContain('extract.mbtiles');
  });
});

describe('tiles of a server', () => {
  const add = (basemaps: Basemaps, origin: string): string =>
    basemaps.addOnline({
      name: 'Streets',
      urlTemplate: `${origin}/{z}/{x}/{y}.png`,
      attribution: '',
      maxZoom: 5,
    });

  it('are asked for once, without a token, and kept for the time without a network', async () => {
    const { basemaps, clock } = build();
    const server = await serve(() => ({ body: red }));
    const id = add(basemaps, server.origin);
    expect(await get(basemaps, `/_tile/${id}/2/3/1`)).toMatchObject({ status: 200, body: red });
    expect(await get(basemaps, `/_tile/${id}/2/3/1`)).toMatchObject({ status: 200 });
    expect(server.requests.map(({ target }) => target)).toEqual(['/2/3/1.png']);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    await server.close();
    clock.nowMs += 30 * dayMs;
    const { headers, status } = await serveTile(`/_tile/${id}/2/3/1`, { basemaps });
    expect(status).toBe(200);
    expect(headers['last-modified']).toBe(new Date(1000 * dayMs).toUTCString());
  });

  it('are asked for again when they are old', async () => {
    const { basemaps, clock } = build();
    const server = await serve(() => ({ body: red }));
    const id = add(basemaps, server.origin);
    await get(basemaps, `/_tile/${id}/2/3/1`);
    clock.nowMs += 8 * dayMs;
    expect(await get(basemaps, `/_tile/${id}/2/3/1`)).toMatchObject({ status: 200 });
    await waitFor(() => expect(server.requests).toHaveLength(2));
  });

  it('are nothing but pictures, and none beyond the zoom that was given', async () => {
    const { basemaps } = build();
    const server = await serve(({ target }) =>
      target === '/1/0/0.png' ? { status: 404 } : { body: '<html>' },
    );
    const id = add(basemaps, server.origin);
    for (const path of ['1/0/0', '2/0/0', '6/0/0']) {
      expect((await get(basemaps, `/_tile/${id}/${path}`)).status).toBe(204);
    }
    expect(server.requests.map(({ target }) => target)).toEqual(['/1/0/0.png', '/2/0/0.png']);
  });

  it.each([
    ['http://tiles.example/{z}/{x}/{y}.png', 'https://'],
    ['https://tiles.example/{z}/{x}.png', '{y}'],
    ['https://{z}.example/{x}/{y}', 'written out'],
    ['https://{s}.tiles.example/{z}/{x}/{y}', 'Only {z}'],
    ['https://me:secret@tiles.example/{z}/{x}/{y}', 'password'],
    ['file:///{z}/{x}/{y}', 'https://'],
  ])('are refused at %s', (urlTemplate, why) => {
    const { basemaps } = build();
    const given = { name: 'Streets', urlTemplate, attribution: '', maxZoom: 5 };
    expect(() => basemaps.addOnline(given)).toThrow(why);
    expect(basemaps.state.basemaps).toEqual([]);
  });
});
