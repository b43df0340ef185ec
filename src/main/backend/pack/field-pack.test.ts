import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBrought } from '../basemaps/brought-basemaps.ts';
import { openFileTiles } from '../basemaps/file-tiles.ts';
import { writeMbtiles } from '../basemaps/testing/write-mbtiles.ts';
import { writePicture } from '../basemaps/testing/write-tiles.ts';
import { checksumOf } from '../downloads/testing/download-harness.ts';
import { createDownloads } from '../downloads/create-downloads.ts';
import { silentLogger, systemClock } from '../ports.ts';
import { makeItem } from '../service/testing/test-service.ts';
import { findDownloadedFiles } from '../sharing/downloaded-files.ts';
import { previewPack, type BroughtFiles } from './open-pack.ts';
import { basemapPath, bytes, fetchedAtMs, query, usePacks } from './testing/use-packs.ts';

const test = usePacks();

describe('a field pack', () => {
  it('is one zip that any program opens, and says what is in it', async () => {
    const path = await test.makePack();
    expect(path).toBe(join(test.root, 'packs', 'Norway 2026_ north_south.swathpack'));
    expect(readdirSync(join(test.root, 'packs'))).toHaveLength(1);
    expect(await previewPack(path)).toMatchObject({
      name: 'Norway 2026: north/south',
      catalogName: 'Test',
      catalogUrl: 'https://catalog.example/v1/stac',
      createdAt: '2026-06-01T00:00:00.000Z',
      counts: { items: 5, searches: 1, thumbnails: 1, files: 1, collections: 1, basemaps: 0 },
      packBytes: statSync(path).size,
    });
    const code =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), sep="\\n")';
    const names = execFileSync('python3', ['-c', code, path]).toString().trim().split('\n');
    expect(names).toContain('assets/s2/2024/scene/B04.tif');
    expect(names).toContain('assets/catalog.json');
    const text = readFileSync(path).toString('latin1');
    for (const secret of [test.downloads.harness.destination, 'key=secret', 'Signature='])
      expect(text).not.toContain(secret);
  });

  it('is refused a name that is taken before anything is looked up or written', async () => {
    await test.makePack();
    // Of a search that isn't there it would be said that it isn't there.
    await expect(test.makePack({ searchNumbers: [99] })).rejects.toMatchObject({
      code: 'exchange.file-exists',
    });
    expect(readdirSync(join(test.root, 'packs'))).toHaveLength(1);
  });

  it('brings everything to another library, as of when it was fetched', async () => {
    const path = await test.makePack();
    expect(await test.takeIn(path)).toEqual({
      itemsTaken: 5,
      itemsKept: 0,
      searchesTaken: 1,
      thumbnailsTaken: 1,
      filesTaken: 1,
      filesKept: 0,
      basemapsTaken: 0,
    });
    const scene = { collectionId: 's2', itemId: 'scene' };
    expect(test.there.item(scene)).toEqual(test.here.item(scene));
    expect(test.there.item({ collectionId: 's2', itemId: 'beside' })?.fetchedAtMs).toBe(fetchedAtMs + 1000);
    expect(test.there.collections()).toEqual({ value: [{ id: 's2', title: 'Sentinel' }], fetchedAtMs });
    expect(test.there.queryables(['s2'])).toEqual(test.here.queryables(['s2']));
    expect(test.there.thumbnail(scene)).toEqual(test.here.thumbnail(scene));
    const [past] = test.there.pastSearches({ limit: 9 });
    expect(past).toMatchObject({ query, count: 4, matched: 4, isComplete: true, fetchedAtMs });
    const order = test.there.runs.items(past?.searchNumber ?? 0, { from: 0, limit: 9 });
    expect(order.map(({ ref }) => ref.itemId)).toEqual(['scene', 'b', 'a', 'c']);
    expect(test.questions).toEqual([['Fields', { query, localFilter: null, maxItems: null }]]);
    expect(readdirSync(join(test.root, 'data'))).toEqual([]);
    expect(readdirSync(join(test.root, 'out')).sort()).toEqual(['catalog.json', 's2']);
  });

  it('keeps the searches in the order in which they were asked', async () => {
    const search = { localFilter: null, leftOutCount: 0, matched: 0, isComplete: true, items: [] };
    const later = { ...search, query: { collections: ['later'] } };
    await test.here.saveSearch(later, fetchedAtMs + 1000);
    const past = (library: typeof test.here) => library.pastSearches({ limit: 9 });
    const searchNumbers = past(test.here).map(({ searchNumber }) => searchNumber);
    await test.takeIn(await test.makePack({ searchNumbers }));
    expect(past(test.there).map(({ query: asked }) => asked)).toEqual([later.query, query]);
  });

  it('brings files of items as such, each with its name: no catalog was asked for them', async () => {
    const everything = {
      query: {},
      localFilter: null,
      leftOutCount: 0,
      matched: 0,
      isComplete: true,
      items: [],
    };
    await test.here.saveSearch(everything, fetchedAtMs);
    for (const name of ['one', 'two']) {
      const origin = {
        fileName: `${name}.csv`,
        format: 'csv',
        asOfMs: fetchedAtMs,
        importedAtMs: fetchedAtMs,
      };
      const number = await test.here.imports.begin(origin);
      await test.here.imports.add(number, [makeItem('own', name), makeItem('s2', 'a')]);
    }
    const past = (library: typeof test.here) => library.pastSearches({ limit: 9 });
    const searchNumbers = past(test.here).map(({ searchNumber }) => searchNumber);
    const path = await test.makePack({ searchNumbers });
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 7, searchesTaken: 4 });
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 0, searchesTaken: 0 });

    const { there } = test;
    expect(past(there)).toMatchObject([
      { query: {}, count: 2, isComplete: false },
      { query: {}, count: 2, isComplete: false },
      { query: {}, count: 0, isComplete: true },
      { query },
    ]);
    const names = past(there).map(({ searchNumber }) => there.imports.ofSearch(searchNumber)?.fileName);
    expect(names).toEqual(['two.csv', 'one.csv', undefined, undefined]);
    const fileOf = (collectionId: string, itemId: string) => there.imports.ofItem({ collectionId, itemId });
    expect(fileOf('own', 'one')).toEqual(test.here.imports.ofItem({ collectionId: 'own', itemId: 'one' }));
    expect([fileOf('own', 'two')?.fileName, fileOf('s2', 'a')]).toEqual(['two.csv', null]);
  });

  it('brings files to where downloads are, verified, and the queue knows them as done', async () => {
    const queue = createDownloads({
      filePath: join(test.root, 'queue.sqlite'),
      http: null as never,
      resolveLink: () => Promise.reject(new Error('not asked')),
      loadItem: () => Promise.reject(new Error('not asked')),
      loadCollection: () => Promise.reject(new Error('not asked')),
      clock: systemClock,
      logger: silentLogger,
      appVersion: '9.9.9',
      maxConcurrentTransfers: 1,
    });
    const onFiles = ({ files, ...order }: BroughtFiles) =>
      queue.addFinished({
        ...order,
        connectionId: 'other',
        files: files.map(({ assetKey, path, verified, finishedAtMs }) => ({
          ...verified,
          assetKey,
          filePath: path,
          finishedAtMs,
        })),
      });
    const path = await test.makePack();
    await test.takeIn(path, { onFiles });
    const file = join(test.root, 'out/s2/2024/scene/B04.tif');
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const one = test.there.item({ collectionId: 's2', itemId: 'scene' })?.value;
    const found = one && (await findDownloadedFiles(one, [join(test.root, 'out')])).get('B04');
    expect(found).toMatchObject({ path: file, receipt: { isVerified: true, checksum: checksumOf(bytes) } });
    expect(queue.transfers()).toMatchObject([
      { state: 'done', filePath: file, verification: 'checksum', totalBytes: bytes.length },
    ]);
    // Once more: nothing is there twice.
    expect(await test.takeIn(path, { onFiles })).toMatchObject({
      itemsTaken: 0,
      itemsKept: 5,
      searchesTaken: 0,
      filesTaken: 0,
      filesKept: 1,
    });
    expect(queue.transfers()).toHaveLength(1);
    expect(readdirSync(join(test.root, 'out/s2/2024/scene')).sort()).toEqual([
      'B04.tif',
      'item.json',
      'receipt.json',
    ]);
    await queue.close();
  });

  it('takes in nothing twice, though the clock here is behind that of where it was made', async () => {
    const origin = { fileName: 'one.csv', format: 'csv', asOfMs: fetchedAtMs, importedAtMs: fetchedAtMs };
    const number = await test.here.imports.begin(origin);
    await test.here.imports.add(number, [makeItem('own', 'one')]);
    const searchNumbers = test.here.pastSearches({ limit: 9 }).map(({ searchNumber }) => searchNumber);
    const path = await test.makePack({ searchNumbers });
    const before = fetchedAtMs - 86_400_000;
    expect(await test.takeIn(path, { nowMs: before })).toMatchObject({ searchesTaken: 2 });
    expect(await test.takeIn(path, { nowMs: before + 60_000 })).toMatchObject({ searchesTaken: 0 });
    expect(test.there.pastSearches({ limit: 9 })).toHaveLength(2);
  });

  it('marks what a catalog was found to have no more after the pack was made', async () => {
    const items = ['a', 'c'].map((id) => makeItem('s2', id));
    await test.there.saveItems(items, fetchedAtMs + 5000);
    const search = { query, localFilter: null, leftOutCount: 0, matched: 2, isComplete: true };
    await test.there.saveSearch({ ...search, items: items.map(({ ref }) => ref) }, fetchedAtMs + 5000);
    // Of a single item it says nothing of others.
    const one = { ...search, query: { ids: ['nobody'] }, matched: 0, items: [] };
    await test.there.saveSearch(one, fetchedAtMs + 6000);
    const origin = { fileName: 'one.csv', format: 'csv', asOfMs: fetchedAtMs, importedAtMs: fetchedAtMs };
    const number = await test.here.imports.begin(origin);
    await test.here.imports.add(number, [makeItem('s2', 'of a file')]);
    const searchNumbers = test.here.pastSearches({ limit: 9 }).map(({ searchNumber }) => searchNumber);
    await test.takeIn(await test.makePack({ searchNumbers }));
    const marksOf = (itemId: string) => test.there.marksOf([{ collectionId: 's2', itemId }])[0];
    expect(marksOf('b')).toMatchObject({ fetchedAtMs, goneAtMs: fetchedAtMs + 5000 });
    expect(marksOf('scene')).toMatchObject({ goneAtMs: fetchedAtMs + 5000 });
    expect(marksOf('a')).toMatchObject({ fetchedAtMs: fetchedAtMs + 5000, goneAtMs: null });
    expect(marksOf('of a file')).toMatchObject({ fetchedAtMs, goneAtMs: null });
  });

  it('finds the file whose receipt was not written when the program was killed', async () => {
    const path = await test.makePack();
    await test.takeIn(path);
    const folder = join(test.root, 'out/s2/2024/scene');
    rmSync(join(folder, 'receipt.json'));
    expect(await test.takeIn(path)).toMatchObject({ filesTaken: 0, filesKept: 1 });
    expect(readdirSync(folder).sort()).toEqual(['B04.tif', 'item.json', 'receipt.json']);
    const one = test.there.item({ collectionId: 's2', itemId: 'scene' })?.value;
    const found = one && (await findDownloadedFiles(one, [join(test.root, 'out')])).get('B04');
    expect(found).toMatchObject({ receipt: { isVerified: true, checksum: checksumOf(bytes) } });
    // Other bytes of that length are somebody else's file.
    rmSync(join(folder, 'receipt.json'));
    writeFileSync(join(folder, 'B04.tif'), Buffer.alloc(bytes.length));
    utimesSync(join(folder, 'B04.tif'), 0, 0);
    expect(await test.takeIn(path)).toMatchObject({ filesTaken: 1, filesKept: 0 });
    expect(readdirSync(folder).sort()).toEqual(['B04 (2).tif', 'B04.tif', 'item.json', 'receipt.json']);
  });

  it('brings files of collections whose ids differ by case alone, each to its own', async () => {
    const { destination, item } = test.downloads.harness;
    const other = { ref: { collectionId: 'S2', itemId: 'scene' }, item: { ...item, collection: 'S2' } };
    cpSync(join(destination, 's2'), join(destination, 'S2'), { recursive: true });
    for (const name of ['S2/collection.json', 'S2/2024/scene/item.json']) {
      const path = join(destination, name);
      const own = JSON.parse(readFileSync(path, 'utf8')) as object;
      writeFileSync(
        path,
        JSON.stringify({ ...own, [name.endsWith('item.json') ? 'collection' : 'id']: 'S2' }),
      );
    }
    await test.here.saveItems([other], fetchedAtMs);
    const path = await test.makePack({ refs: [other.ref] });
    expect((await previewPack(path)).counts).toMatchObject({ items: 5, files: 2 });
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 5, filesTaken: 2 });
    for (const collectionId of ['s2', 'S2']) {
      const one = test.there.item({ collectionId, itemId: 'scene' })?.value;
      const found = one && (await findDownloadedFiles(one, [join(test.root, 'out')])).get('B04');
      expect(found?.path).toBe(join(test.root, 'out', collectionId, '2024/scene/B04.tif'));
    }
  });

  it('leaves what is newer here as it is, and puts files beside those of the same name', async () => {
    const newer = makeItem('s2', 'a', { properties: { note: 'newer' } });
    await test.there.saveItems([newer], fetchedAtMs + 5000);
    mkdirSync(join(test.root, 'out/s2/2024/scene'), { recursive: true });
    writeFileSync(join(test.root, 'out/s2/2024/scene/B04.tif'), 'mine');
    expect(await test.takeIn(await test.makePack())).toMatchObject({ itemsTaken: 4, itemsKept: 1 });
    expect(test.there.item(newer.ref)?.value.item['properties']).toMatchObject({ note: 'newer' });
    expect(readFileSync(join(test.root, 'out/s2/2024/scene/B04.tif'), 'utf8')).toBe('mine');
    expect(readFileSync(join(test.root, 'out/s2/2024/scene/B04 (2).tif')).equals(bytes)).toBe(true);
  });

  it('can be taken in without its files, and made without them', async () => {
    expect(await test.takeIn(await test.makePack(), { destination: null })).toMatchObject({
      itemsTaken: 5,
      filesTaken: 0,
    });
    expect(readdirSync(join(test.root, 'out'))).toEqual([]);
    rmSync(join(test.root, 'packs'), { recursive: true });
    mkdirSync(join(test.root, 'packs'));
    const path = await test.makePack({ withFiles: false, withThumbnails: false });
    expect((await previewPack(path)).counts).toMatchObject({ files: 0, thumbnails: 0 });
  });

  it('takes no other file’s name, and leaves nothing when it is stopped', async () => {
    const path = await test.makePack();
    const before = readFileSync(path);
    await expect(test.makePack()).rejects.toMatchObject({ code: 'exchange.file-exists' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(test.root, 'packs'))).toHaveLength(1);
  });

  it.each([
    ['while it is checked', 'checking', 0],
    ['when it was checked', 'checking', 1],
    ['as it begins to be taken in', 'taking-in', 0],
    ['within', 'taking-in', 0.5],
    ['at the end of it', 'taking-in', 0.99],
  ])('changes nothing when it is stopped %s', async (_name, stage, fraction) => {
    const path = await test.makePack();
    const stop = new AbortController();
    const stages = new Set<string>();
    const stopped = test.takeIn(path, {
      signal: stop.signal,
      onProgress: (progress) => {
        stages.add(progress.stage);
        if (progress.stage === stage && progress.doneBytes >= fraction * progress.totalBytes) stop.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect([...stages].at(-1)).toBe(stage);
    test.expectUnchanged();
    // And it can be taken in afterwards.
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 5, searchesTaken: 1, filesTaken: 1 });
    expect(test.there.findText('scene', { limit: 5 })).toHaveLength(1);
    expect((await test.there.engine.search({}, { limit: 9 })).items).toHaveLength(5);
  });

  it('keeps each file that was placed before it is stopped, and brings the others when it is opened again', async () => {
    const { harness } = test.downloads;
    await harness.finish(await harness.start(['far']));
    const path = await test.makePack();
    const stop = new AbortController();
    const stopped = test.takeIn(path, {
      signal: stop.signal,
      onProgress: ({ stage, doneBytes }) => {
        if (stage === 'placing' && doneBytes > 0) stop.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(test.there.countItems()).toBe(5);
    const inFolder = () => readdirSync(join(test.root, 'out/s2/2024/scene')).sort();
    const [placed, ...sidecars] = inFolder();
    expect(sidecars).toEqual(['item.json', 'receipt.json']);
    expect(readFileSync(join(test.root, 'out/s2/2024/scene', placed ?? '')).equals(bytes)).toBe(true);
    expect(test.brought.map(({ files }) => files.length)).toEqual([1]);
    expect(readdirSync(join(test.root, 'out')).sort()).toEqual(['catalog.json', 's2']);
    expect(readdirSync(join(test.root, 'data'))).toEqual([]);
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 0, filesTaken: 1, filesKept: 1 });
    expect(inFolder()).toEqual(['B04.tif', 'far.tif', 'item.json', 'receipt.json']);
  });

  it('goes to a destination where a link leads out makes nothing there', async () => {
    const elsewhere = join(test.root, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(test.root, 'out/s2'));
    await expect(test.takeIn(await test.makePack())).rejects.toMatchObject({
      code: 'transfer.destination-not-writable',
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('brings the map of where its items are, once', async () => {
    const red = writePicture([255, 0, 0], 8);
    const tiles = Array.from({ length: 4 }, (_, z) => z).flatMap((z) =>
      Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z), bytes: red })),
    );
    writeMbtiles(basemapPath(test.root), { tiles, metadata: { format: 'png', name: 'Its own name' } });
    const path = await test.makePack({ basemapId: 'own', withFiles: false });
    expect(readdirSync(join(test.root, 'data'))).toEqual([]);
    expect((await previewPack(path)).counts.basemaps).toBe(1);
    let toldCount = 0;
    const onBasemap = () => void (toldCount += 1);
    expect(await test.takeIn(path, { onBasemap })).toMatchObject({ itemsTaken: 5, basemapsTaken: 1 });
    expect(await test.takeIn(path, { onBasemap })).toMatchObject({ itemsTaken: 0, basemapsTaken: 0 });
    expect(toldCount).toBe(1);
    const [brought, ...others] = listBrought(join(test.root, 'data'));
    expect(others).toEqual([]);
    expect(brought?.name).toBe('Own map');
    const map = await openFileTiles(brought?.path ?? '');
    // The items lie around 5° east and 60° north.
    expect(await map.tile({ z: 3, x: 4, y: 2 })).toEqual(red);
    expect(await map.tile({ z: 3, x: 0, y: 0 })).toBeNull();
    await map.close();
    rmSync(path);
    await expect(test.makePack({ basemapId: 'gone' })).rejects.toMatchObject({ code: 'basemap.not-found' });
  });
});
