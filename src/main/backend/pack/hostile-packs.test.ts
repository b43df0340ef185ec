import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { writeMbtiles } from '../basemaps/testing/write-mbtiles.ts';
import { makeBytes } from '../downloads/testing/download-harness.ts';
import { writeRawZip, type RawEntry } from './testing/raw-zip.ts';
import { bytes, usePacks } from './testing/use-packs.ts';

const test = usePacks();

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

/** With a map, and a manifest that says so. */
function withBasemap(entries: readonly RawEntry[], content: Buffer): RawEntry[] {
  return sealed([...entries, { name: 'basemap.mbtiles', content }], (manifest) => {
    manifest['counts'] = { ...(manifest['counts'] as object), basemaps: 1 };
  });
}

/** The bytes of an MBTiles file with these tables. */
function mbtilesWith(schema: string): Buffer {
  const path = join(test.root, 'hostile.mbtiles');
  const tile = { z: 0, x: 0, y: 0, bytes: Buffer.from('tile') };
  writeMbtiles(path, {
    schema,
    insert: 'INSERT INTO other VALUES (?, ?, ?, ?)',
    tiles: [tile],
    metadata: {},
  });
  const content = readFileSync(path);
  rmSync(path);
  return content;
}

const file = 'assets/s2/2024/scene/B04.tif';
const evil = Buffer.from('evil');
const isNoMap = ({ name }: RawEntry) => name !== 'basemap.mbtiles';
const viewOfTiles = `
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE other (z INTEGER, x INTEGER, y INTEGER, bytes BLOB);
  CREATE VIEW tiles AS SELECT z AS zoom_level, x AS tile_column, y AS tile_row, bytes AS tile_data FROM other;`;
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
    'has a question with a time that is none',
    (honest) =>
      sealed(
        replaced(honest, 'searches.ndjson', (text) => text.replace('2024-01-01T00:00:00Z/..', 'nonsense')),
      ),
  ],
  [
    'has an answer with an item that it has not',
    (honest) => sealed(replaced(honest, 'searches.ndjson', (text) => text.replace('"scene"', '"other"'))),
  ],
  [
    'lists a file twice',
    (honest) =>
      sealed(
        replaced(honest, 'files.ndjson', (text) => text + text),
        (manifest) => {
          const counts = manifest['counts'] as { files: number };
          manifest['counts'] = { ...counts, files: counts.files * 2 };
        },
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
    'has a map that is said nowhere',
    (honest) => sealed([...honest, { name: 'basemap.mbtiles', content: mbtilesWith(viewOfTiles) }]),
  ],
  ['has no map, and says it has', (honest) => withBasemap(honest, evil).filter(isNoMap)],
  ['has a map that is none', (honest) => withBasemap(honest, evil)],
  ['has a map whose tiles are a query', (honest) => withBasemap(honest, mbtilesWith(viewOfTiles))],
  ['has a map that is cut off', (honest) => withBasemap(honest, mbtilesWith(viewOfTiles).subarray(0, 100))],
  [
    'points to a file outside',
    (honest) => sealed(replaced(honest, 'files.ndjson', (text) => text.replace(file, '../../etc/passwd'))),
  ],
];

describe('a pack that', () => {
  // One after the other in one test: each needs the two libraries, and none may have changed one.
  it('is wrong in whatever way is refused, and nothing has changed', { timeout: 120_000 }, async () => {
    const honest = readEntries(await test.makePack());
    const path = join(test.root, 'hostile.swathpack');
    writeFileSync(path, '');
    const before = readdirSync(test.root).sort();
    for (const [what, change] of hostile) {
      const changed = change(honest);
      writeFileSync(path, Buffer.isBuffer(changed) ? changed : writeRawZip(changed));
      const refusal = await test.takeIn(path).then(
        () => 'taken in',
        (thrown: unknown) => (isAppError(thrown) ? thrown.code : String(thrown)),
      );
      expect([what, refusal]).toEqual([what, 'exchange.unreadable']);
      test.expectUnchanged();
      expect(readdirSync(test.root).sort()).toEqual(before);
    }
    expect(existsSync('/tmp/evil')).toBe(false);
  });

  it('was written anew with other packing is taken in all the same', async () => {
    const honest = readEntries(await test.makePack());
    const path = join(test.root, 'again.swathpack');
    writeFileSync(path, writeRawZip(sealed(honest.map((entry) => ({ ...entry, isPacked: true })))));
    expect(await test.takeIn(path)).toMatchObject({ itemsTaken: 5, filesTaken: 1 });
  });

  it('names its file badly gets a safe name', async () => {
    const honest = readEntries(await test.makePack());
    const path = join(test.root, 'named.swathpack');
    const named = replaced(honest, 'files.ndjson', (text) =>
      text.replace('"file":"B04.tif"', '"file":"../../item.json"'),
    );
    writeFileSync(path, writeRawZip(sealed(named)));
    await test.takeIn(path);
    expect(readFileSync(join(test.root, 'out/s2/2024/scene/item (2).json')).equals(bytes)).toBe(true);
    expect(existsSync(join(test.root, 'item.json'))).toBe(false);
  });
});
