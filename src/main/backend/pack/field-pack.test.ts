import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackChoice } from '#shared/pack/pack-choice.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { checksumOf, makeBytes } from '../downloads/testing/download-harness.ts';
import { useDownloads } from '../downloads/testing/use-downloads.ts';
import { createDownloads } from '../downloads/create-downloads.ts';
import type { Library } from '../library/library.ts';
import { openLibrary } from '../library/open-library.ts';
import { silentLogger, systemClock } from '../ports.ts';
import { makeItem } from '../service/testing/test-service.ts';
import { findDownloadedFiles } from '../sharing/downloaded-files.ts';
import { exportPack } from './export-pack.ts';
import { openPack, previewPack, type BroughtFiles, type OpenPackOptions } from './open-pack.ts';
import { writeRawZip, type RawEntry } from './testing/raw-zip.ts';

const bytes = makeBytes(200_003);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const fetchedAtMs = Date.parse('2026-03-04T05:06:07Z');
const query = { collections: ['s2'], datetime: '2024-01-01T00:00:00Z/..' };
const test = useDownloads(bytes);

let root: string;
let here: Library;
let there: Library;
let choice: PackChoice;
let brought: BroughtFiles[];
let questions: [string, SavedQuestion][];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'swath-pack-test-'));
  for (const folder of ['packs', 'data', 'out']) mkdirSync(join(root, folder));
  [brought, questions] = [[], []];
  test.open({ B04: test.asset('B04.tif'), far: test.asset('far.tif') }, { clock: systemClock });
  const { harness } = test;
  await harness.finish(await harness.start(['B04']));
  here = openLibrary({ filePath: join(root, 'here.sqlite') });
  there = openLibrary({ filePath: join(root, 'there.sqlite') });
  const scene = { ref: { collectionId: 's2', itemId: 'scene' }, item: harness.item };
  const others = ['b', 'a', 'c'].map((id) => makeItem('s2', id));
  await here.saveCollections([{ id: 's2', title: 'Sentinel' }, { id: 'unused' }], fetchedAtMs);
  await here.saveQueryables(['s2'], { properties: { x: {} } }, fetchedAtMs);
  await here.saveItems([scene, ...others], fetchedAtMs);
  await here.saveItems([makeItem('s2', 'beside')], fetchedAtMs + 1000);
  await here.saveThumbnail(scene.ref, { mediaType: 'image/png', bytes: png }, fetchedAtMs);
  const items = [scene, ...others].map(({ ref }) => ref);
  const search = { query, localFilter: null, leftOutCount: 0, matched: 4, isComplete: true, items };
  const searchNumber = await here.saveSearch(search, fetchedAtMs);
  choice = {
    searchNumbers: [searchNumber],
    refs: [{ collectionId: 's2', itemId: 'beside' }],
    withThumbnails: true,
    withFiles: true,
  };
});
afterEach(async () => {
  await here.close();
  await there.close();
  rmSync(root, { recursive: true, force: true });
});

const never = new AbortController().signal;

async function makePack(changes: Partial<PackChoice> = {}): Promise<string> {
  const { path } = await exportPack({
    choice: { ...choice, ...changes },
    source: {
      library: here,
      catalog: { name: 'Test', baseUrl: 'https://user:pw@catalog.example/v1/stac?key=secret' },
      destinations: [test.harness.destination],
      saved: [{ name: 'Fields', question: { query, localFilter: null, maxItems: 100 } }],
    },
    folder: join(root, 'packs'),
    name: 'Norway 2026: north/south',
    swathVersion: '9.9.9',
    nowMs: Date.parse('2026-06-01T00:00:00Z'),
    onProgress: () => undefined,
    signal: never,
  });
  return path;
}

function takeIn(path: string, changes: Partial<OpenPackOptions> = {}) {
  return openPack({
    path,
    library: there,
    dataDir: join(root, 'data'),
    destination: join(root, 'out'),
    saveQuestion: (name, question) => questions.push([name, question]),
    onFiles: (files) => void brought.push(files),
    onProgress: () => undefined,
    nowMs: Date.now(),
    logger: silentLogger,
    signal: never,
    ...changes,
  });
}

describe('a field pack', () => {
  it('is one zip that any program opens, and says what is in it', async () => {
    const path = await makePack();
    expect(path).toBe(join(root, 'packs', 'Norway 2026_ north_south.swathpack'));
    expect(readdirSync(join(root, 'packs'))).toHaveLength(1);
    expect(await previewPack(path)).toMatchObject({
      name: 'Norway 2026: north/south',
      catalogName: 'Test',
      catalogUrl: 'https://catalog.example/v1/stac',
      createdAt: '2026-06-01T00:00:00.000Z',
      counts: { items: 5, searches: 1, thumbnails: 1, files: 1, collections: 1 },
      packBytes: statSync(path).size,
    });
    const code =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), sep="\\n")';
    const names = execFileSync('python3', ['-c', code, path]).toString().trim().split('\n');
    expect(names).toContain('assets/s2/2024/scene/B04.tif');
    expect(names).toContain('assets/catalog.json');
    const text = readFileSync(path).toString('latin1');
    for (const secret of [test.harness.destination, 'key=secret', 'Signature='])
      expect(text).not.toContain(secret);
  });

  it('brings everything to another library, as of when it was fetched', async () => {
    const path = await makePack();
    expect(await takeIn(path)).toEqual({
      itemsTaken: 5,
      itemsKept: 0,
      searchesTaken: 1,
      thumbnailsTaken: 1,
      filesTaken: 1,
      filesKept: 0,
    });
    const scene = { collectionId: 's2', itemId: 'scene' };
    expect(there.item(scene)).toEqual(here.item(scene));
    expect(there.item({ collectionId: 's2', itemId: 'beside' })?.fetchedAtMs).toBe(fetchedAtMs + 1000);
    expect(there.collections()).toEqual({ value: [{ id: 's2', title: 'Sentinel' }], fetchedAtMs });
    expect(there.queryables(['s2'])).toEqual(here.queryables(['s2']));
    expect(there.thumbnail(scene)).toEqual(here.thumbnail(scene));
    const [past] = there.pastSearches({ limit: 9 });
    expect(past).toMatchObject({ query, count: 4, matched: 4, isComplete: true, fetchedAtMs });
    const order = there.runs.items(past?.searchNumber ?? 0, { from: 0, limit: 9 });
    expect(order.map(({ ref }) => ref.itemId)).toEqual(['scene', 'b', 'a', 'c']);
    expect(questions).toEqual([['Fields', { query, localFilter: null, maxItems: null }]]);
    expect(readdirSync(join(root, 'data'))).toEqual([]);
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['catalog.json', 's2']);
  });

  it('brings files to where downloads are, verified, and the queue knows them as done', async () => {
    const queue = createDownloads({
      filePath: join(root, 'queue.sqlite'),
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
    const path = await makePack();
    await takeIn(path, { onFiles });
    const file = join(root, 'out/s2/2024/scene/B04.tif');
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const one = there.item({ collectionId: 's2', itemId: 'scene' })?.value;
    const found = one && (await findDownloadedFiles(one, [join(root, 'out')])).get('B04');
    expect(found).toMatchObject({ path: file, receipt: { isVerified: true, checksum: checksumOf(bytes) } });
    expect(queue.transfers()).toMatchObject([
      { state: 'done', filePath: file, verification: 'checksum', totalBytes: bytes.length },
    ]);
    // Once more: nothing is there twice.
    expect(await takeIn(path, { onFiles })).toMatchObject({
      itemsTaken: 0,
      itemsKept: 5,
      searchesTaken: 0,
      filesTaken: 0,
      filesKept: 1,
    });
    expect(queue.transfers()).toHaveLength(1);
    expect(readdirSync(join(root, 'out/s2/2024/scene')).sort()).toEqual([
      'B04.tif',
      'item.json',
      'receipt.json',
    ]);
    await queue.close();
  });

  it('leaves what is newer here as it is, and puts files beside those of the same name', async () => {
    const newer = makeItem('s2', 'a', { properties: { note: 'newer' } });
    await there.saveItems([newer], fetchedAtMs + 5000);
    mkdirSync(join(root, 'out/s2/2024/scene'), { recursive: true });
    writeFileSync(join(root, 'out/s2/2024/scene/B04.tif'), 'mine');
    expect(await takeIn(await makePack())).toMatchObject({ itemsTaken: 4, itemsKept: 1 });
    expect(there.item(newer.ref)?.value.item['properties']).toMatchObject({ note: 'newer' });
    expect(readFileSync(join(root, 'out/s2/2024/scene/B04.tif'), 'utf8')).toBe('mine');
    expect(readFileSync(join(root, 'out/s2/2024/scene/B04 (2).tif')).equals(bytes)).toBe(true);
  });

  it('can be taken in without its files, and made without them', async () => {
    expect(await takeIn(await makePack(), { destination: null })).toMatchObject({
      itemsTaken: 5,
      filesTaken: 0,
    });
    expect(readdirSync(join(root, 'out'))).toEqual([]);
    rmSync(join(root, 'packs'), { recursive: true });
    mkdirSync(join(root, 'packs'));
    const path = await makePack({ withFiles: false, withThumbnails: false });
    expect((await previewPack(path)).counts).toMatchObject({ files: 0, thumbnails: 0 });
  });

  it('takes no other file’s name, and leaves nothing when it is stopped', async () => {
    const path = await makePack();
    const before = readFileSync(path);
    await expect(makePack()).rejects.toMatchObject({ code: 'exchange.file-exists' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(root, 'packs'))).toHaveLength(1);
    const stop = new AbortController();
    const stopped = takeIn(path, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expectUnchanged();
  });
});

/** The entries of an honest pack, as Python reads them. */
function readEntries(path: string): RawEntry[] {
  const code = `
import sys, zipfile, json, base64
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[n, base64.b64encode(z.read(n)).decode()] for n in z.namelist()]))`;
  const listed = JSON.parse(execFileSync('python3', ['-c', code, path], { maxBuffer: 1e9 }).toString()) as [
    string,
    string,
  ][];
  return listed.map(([name, content]) => ({ name, content: Buffer.from(content, 'base64') }));
}

/** Writes the manifest anew, so that it agrees with the entries. */
function sealed(
  entries: readonly RawEntry[],
  change: (manifest: Record<string, unknown>) => void = () => undefined,
): RawEntry[] {
  const parts = entries.filter(({ name }) => name !== 'manifest.json');
  const old = entries.find(({ name }) => name === 'manifest.json')?.content.toString() ?? '{}';
  const manifest = JSON.parse(old) as Record<string, unknown>;
  manifest['entries'] = parts.map(({ name, content, saidBytes }) => ({
    path: name,
    bytes: saidBytes ?? content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  change(manifest);
  return [...parts, { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) }];
}

function replaced(entries: readonly RawEntry[], name: string, change: (text: string) => string): RawEntry[] {
  return entries.map((entry) =>
    entry.name === name ? { ...entry, content: Buffer.from(change(entry.content.toString())) } : entry,
  );
}

function expectUnchanged(): void {
  expect(there.countItems()).toBe(0);
  expect(there.pastSearches({ limit: 9 })).toEqual([]);
  expect(there.collections()).toBeNull();
  expect([brought, questions]).toEqual([[], []]);
  expect(readdirSync(join(root, 'out'))).toEqual([]);
  expect(readdirSync(join(root, 'data'))).toEqual([]);
}

const file = 'assets/s2/2024/scene/B04.tif';
const evil = Buffer.from('evil');
const hostile: [string, (honest: RawEntry[]) => RawEntry[] | Buffer][] = [
  ['is no zip', () => Buffer.from('hello, I am a field pack')],
  ['is cut off', (honest) => writeRawZip(honest).subarray(0, -200)],
  ['is another zip', () => [{ name: 'manifest.json', content: Buffer.from('{"format":"else"}') }]],
  ['has no manifest', (honest) => honest.filter(({ name }) => name !== 'manifest.json')],
  ['is of a newer Swath', (honest) => sealed(honest, (manifest) => (manifest['schema'] = 2))],
  ['leads upwards', (honest) => sealed([...honest, { name: 'assets/../../evil', content: evil }])],
  [
    'leads upwards with backslashes',
    (honest) => sealed([...honest, { name: 'assets\\..\\evil', content: evil }]),
  ],
  ['has an absolute path', (honest) => sealed([...honest, { name: '/tmp/evil', content: evil }])],
  ['has a drive', (honest) => sealed([...honest, { name: 'assets/C:/evil', content: evil }])],
  ['has a reserved name', (honest) => sealed([...honest, { name: 'assets/s2/2024/NUL.tif', content: evil }])],
  ['has a hidden name', (honest) => sealed([...honest, { name: 'assets/.ssh/config', content: evil }])],
  [
    'has a name that turns around',
    (honest) => sealed([...honest, { name: 'assets/a\u202Efdp.exe', content: evil }]),
  ],
  ['has a file beside its parts', (honest) => sealed([...honest, { name: 'run.sh', content: evil }])],
  ['has one name twice', (honest) => [...honest, { name: file, content: evil }]],
  [
    'has names that differ by case',
    (honest) => sealed([...honest, { name: file.toUpperCase().replace('ASSETS', 'assets'), content: evil }]),
  ],
  [
    'has a link',
    (honest) =>
      sealed([...honest, { name: 'assets/s2/link', content: Buffer.from('/etc/passwd'), mode: 0o120777 }]),
  ],
  [
    'has a folder',
    (honest) => sealed([...honest, { name: 'assets/s2/x/', content: Buffer.alloc(0), mode: 0o040755 }]),
  ],
  [
    'is locked',
    (honest) => sealed(honest.map((entry) => (entry.name === file ? { ...entry, flags: 1 } : entry))),
  ],
  [
    'shares bytes between files',
    (honest) => sealed([...honest, { name: 'assets/s2/again', content: evil, offset: 0 }]),
  ],
  ['lists too little', (honest) => [...honest, { name: 'assets/s2/more.tif', content: evil }]],
  ['lists too much', (honest) => sealed(honest).filter(({ name }) => name !== file)],
  [
    'has other bytes than it says',
    (honest) =>
      honest.map((entry) =>
        entry.name === file ? { ...entry, content: makeBytes(bytes.length, 7) } : entry,
      ),
  ],
  [
    'unpacks to more than it says',
    (honest) =>
      sealed(
        honest.map((entry) =>
          entry.name === 'items.ndjson' ? { ...entry, isPacked: true, saidBytes: 10 } : entry,
        ),
      ),
  ],
  [
    'is a bomb',
    (honest) =>
      sealed(
        honest.map((entry) =>
          entry.name === 'items.ndjson'
            ? { ...entry, isPacked: true, content: Buffer.alloc(40_000_000, 32) }
            : entry,
        ),
      ),
  ],
  [
    'has a file that the catalog has otherwise',
    (honest) =>
      sealed(
        honest.map((entry) =>
          entry.name === file ? { ...entry, content: makeBytes(bytes.length, 7) } : entry,
        ),
      ),
  ],
  [
    'counts wrongly',
    (honest) =>
      sealed(honest, (manifest) => (manifest['counts'] = { ...(manifest['counts'] as object), items: 4 })),
  ],
  [
    'has an item twice',
    (honest) => sealed(replaced(honest, 'items.ndjson', (text) => text.replace('"id":"b"', '"id":"a"'))),
  ],
  [
    'has an item without an id',
    (honest) => sealed(replaced(honest, 'items.ndjson', (text) => text.replace('"id":"b"', '"id":7'))),
  ],
  [
    'is nested too deeply',
    (honest) =>
      sealed(
        replaced(honest, 'items.ndjson', (text) =>
          text.replace('"id":"b"', `"id":"b","x":${'['.repeat(5000)}${']'.repeat(5000)}`),
        ),
      ),
  ],
  [
    'has a line that is no JSON',
    (honest) => sealed(replaced(honest, 'searches.ndjson', () => '{"query":\n')),
  ],
  ['ends in a line', (honest) => sealed(replaced(honest, 'items.ndjson', (text) => text.slice(0, -1)))],
  [
    'has an impossible question',
    (honest) =>
      sealed(
        replaced(honest, 'searches.ndjson', (text) =>
          text.replace('"collections":["s2"]', '"collections":7'),
        ),
      ),
  ],
  [
    'has a picture that is code',
    (honest) => sealed(replaced(honest, 'thumbnails/1', () => '<svg onload="alert(1)"/>')),
  ],
  [
    'has a picture of an item that it has not',
    (honest) => sealed(replaced(honest, 'thumbnails.ndjson', (text) => text.replace('"scene"', '"other"'))),
  ],
  [
    'has a file of an asset that it has not',
    (honest) =>
      sealed(replaced(honest, 'files.ndjson', (text) => text.replace('"asset":"B04"', '"asset":"B05"'))),
  ],
  [
    'points to a file outside',
    (honest) => sealed(replaced(honest, 'files.ndjson', (text) => text.replace(file, '../../etc/passwd'))),
  ],
];

describe('a pack that', () => {
  it.each(hostile)('%s is refused, and nothing has changed', async (_what, change) => {
    const honest = readEntries(await makePack());
    const changed = change(honest);
    const path = join(root, 'hostile.swathpack');
    writeFileSync(path, Buffer.isBuffer(changed) ? changed : writeRawZip(changed));
    const before = readdirSync(root).sort();
    await expect(takeIn(path)).rejects.toMatchObject({ code: 'exchange.unreadable' });
    expectUnchanged();
    expect(readdirSync(root).sort()).toEqual(before);
    expect(existsSync('/tmp/evil')).toBe(false);
  });

  it('was written anew with other packing is taken in all the same', async () => {
    const honest = readEntries(await makePack());
    const path = join(root, 'again.swathpack');
    writeFileSync(path, writeRawZip(sealed(honest.map((entry) => ({ ...entry, isPacked: true })))));
    expect(await takeIn(path)).toMatchObject({ itemsTaken: 5, filesTaken: 1 });
  });

  it('names its file badly gets a safe name', async () => {
    const honest = readEntries(await makePack());
    const path = join(root, 'named.swathpack');
    const named = replaced(honest, 'files.ndjson', (text) =>
      text.replace('"file":"B04.tif"', '"file":"../../item.json"'),
    );
    writeFileSync(path, writeRawZip(sealed(named)));
    await takeIn(path);
    expect(readFileSync(join(root, 'out/s2/2024/scene/item (2).json')).equals(bytes)).toBe(true);
    expect(existsSync(join(root, 'item.json'))).toBe(false);
  });

  it('goes to a destination where a link leads out puts no file there', async () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(root, 'out/s2'));
    await expect(takeIn(await makePack())).rejects.toMatchObject({
      code: 'transfer.destination-not-writable',
    });
    expect(
      readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tif')),
    ).toEqual([]);
  });
});
