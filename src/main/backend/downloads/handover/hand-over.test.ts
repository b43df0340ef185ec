import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HandoverTool } from '#shared/transfer/handover-tool.ts';
import { serve } from '../../http/testing/serve.ts';
import type { OpenFile } from './handed-file.ts';
import { handOver } from './hand-over.ts';

const run = promisify(execFile);
const has = (tool: string) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, tool)));
const token = 'Bearer sesame-0123456789';

/** A public file server, a catalog whose proxy leads to a storage, and what each got to see. */
async function openWorld() {
  const storage = await serve(({ target }) => ({ body: `bytes of ${decodeURIComponent(target)}` }));
  const catalog = await serve(() => ({ status: 307, headers: { location: `${storage.origin}/stored` } }));
  const folder = mkdtempSync(join(tmpdir(), 'swath-handover-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const baseUrl = `${catalog.origin}/stac`;
  const proxyUrl = `${catalog.origin}/asset?asset_path=s3%3A%2F%2Fb%2Ff.tif`;
  const fileOf = (itemId: string, href: string): OpenFile => ({
    connectionId: 'x',
    ref: { collectionId: 'c', itemId },
    assetKey: 'a',
    item: { id: itemId, properties: { datetime: '2026-05-01T00:00:00Z' }, assets: { a: { href } } },
    destination: folder,
    filePath: null,
    announcedChecksum: null,
  });
  async function write(tool: HandoverTool, files: OpenFile[]) {
    const text: string[] = [];
    const left: string[] = [];
    const catalogOf = () =>
      Promise.resolve({
        baseUrl,
        serverAheadMs: 0,
        item: (ref: OpenFile['ref']) => {
          const found = files.find((file) => file.ref.itemId === ref.itemId);
          return Promise.resolve({ ref, item: found?.item ?? { id: '' } });
        },
      });
    const tokenFile = join(folder, 'header');
    for await (const part of handOver({ tool, files, folder: null, tokenFile, catalogOf })) {
      if ('why' in part) left.push(part.why);
      else text.push(...part.lines);
    }
    const path = join(folder, 'list');
    writeFileSync(path, `${text.join('\n')}\n`);
    return { path, text: text.join('\n'), left };
  }
  return { storage, catalog, folder, proxyUrl, fileOf, write };
}

const hostile = [
  '-rf',
  '"; touch x; "',
  "'$(touch x)`",
  'a\nurl = "http://x"\r',
  '#{1}[2]*?',
  'ünï  \\ ',
  'con',
];

async function handHostile(tool: HandoverTool, start: (path: string, folder: string) => Promise<unknown>) {
  const { storage, folder, fileOf, write } = await openWorld();
  const files = hostile.map((id, index) =>
    fileOf(id, `${storage.origin}/${index}/${encodeURIComponent(id)}`),
  );
  const { path, text, left } = await write(tool, files);
  expect(left).toEqual([]);
  await start(path, folder);
  const year = join(folder, 'c', '2026');
  const found = (await run('find', [year, '-type', 'f', '-print0'])).stdout.split('\0').filter(Boolean);
  const bytes = found.map((file) => readFileSync(file, 'utf8')).toSorted();
  expect(bytes).toEqual(hostile.map((id, index) => `bytes of /${index}/${id}`).toSorted());
  expect(existsSync(join(folder, 'x'))).toBe(false);
  return text;
}

describe('files that are handed over', () => {
  it.skipIf(!has('curl'))('come by curl, whatever their items are called', () =>
    handHostile('curl', (path, cwd) => run('curl', ['-s', '--config', path, '--parallel'], { cwd })),
  );

  it.skipIf(!has('aria2c'))('come by aria2, whatever their items are called', () =>
    handHostile('aria2', (path, cwd) =>
      run('aria2c', ['-q', '--no-conf', `--input-file=${path}`, '--auto-file-renaming=false'], { cwd }),
    ),
  );

  it.skipIf(!has('rclone'))('come by rclone, whatever their items are called', () =>
    handHostile('rclone', (path, cwd) => run('sh', [path], { cwd })),
  );

  it.each([
    ['curl', 'curl', (path: string) => run('curl', ['-s', '--config', path])],
    ['aria2', 'aria2c', (path: string) => run('aria2c', ['-q', '--no-conf', `--input-file=${path}`])],
    ['rclone', 'rclone', (path: string) => run('sh', [path])],
  ] as const)('come by %s, with blanks and other letters in their address', async (tool, program, start) => {
    const { storage, fileOf, write } = await openWorld();
    const name = 'ünï "käse" %C3%A4.tif';
    const { path, text, left } = await write(tool, [fileOf('i', `${storage.origin}/a b/${name}?v=ö x`)]);
    expect(left).toEqual([]);
    expect(text).toContain('/a%20b/%C3%BCn%C3%AF%20%22k%C3%A4se%22%20%C3%A4.tif?v=%C3%B6%20x');
    if (!has(program)) return;
    await start(path);
    expect(storage.requests.map(({ target }) => decodeURIComponent(target))).toContain(
      '/a b/ünï "käse" ä.tif?v=ö x',
    );
  });

  it('are all that aria2 fetches, whatever a storage sends in place of one', async () => {
    const { storage, fileOf, write } = await openWorld();
    const { text } = await write('aria2', [fileOf('i', `${storage.origin}/a.meta4`)]);
    expect(text).toMatch(/^ {2}follow-metalink=false$/m);
    expect(text).toMatch(/^ {2}follow-torrent=false$/m);
  });

  it.skipIf(!has('aria2c'))('are refused by aria2 when their checksum is another', async () => {
    const { storage, folder, fileOf, write } = await openWorld();
    const fetch = async (content: string, name: string) => {
      const digest = createHash('sha256').update(content).digest('hex');
      const announcedChecksum = `1220${digest}`;
      const { path } = await write('aria2', [
        { ...fileOf(name, `${storage.origin}/${name}`), announcedChecksum },
      ]);
      await run('aria2c', ['-q', '--no-conf', `--input-file=${path}`], { cwd: folder });
    };
    await fetch('bytes of /right', 'right');
    await expect(fetch('bytes of /other', 'wrong')).rejects.toThrow('Command failed');
  });

  it.skipIf(!has('curl'))('come through the proxy by curl, and the storage gets no token', async () => {
    const { storage, catalog, folder, proxyUrl, fileOf, write } = await openWorld();
    const { path, text } = await write('curl', [
      fileOf('i', proxyUrl),
      fileOf('j', `${storage.origin}/public.tif`),
    ]);
    expect(text).not.toContain('sesame');
    writeFileSync(join(folder, 'header'), `Authorization: ${token}\n`);
    await run('curl', ['-s', '--config', path], { cwd: folder });
    expect(catalog.requests.map(({ headers }) => headers.authorization)).toEqual([token]);
    expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it('of many items ask the catalog for each item once, several at a time', async () => {
    const { proxyUrl, fileOf } = await openWorld();
    const files = Array.from({ length: 24 }, (_, n) => fileOf(`i${String(Math.floor(n / 2))}`, proxyUrl));
    const asked: string[] = [];
    let [underWay, mostUnderWay] = [0, 0];
    const item = async (ref: OpenFile['ref']) => {
      asked.push(ref.itemId);
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return { ref, item: fileOf(ref.itemId, proxyUrl).item };
    };
    const catalogOf = () =>
      Promise.resolve({ baseUrl: new URL('/stac', proxyUrl).href, serverAheadMs: 0, item });
    const names: string[] = [];
    for await (const part of handOver({ tool: 'curl', files, folder: '/x', tokenFile: 'header', catalogOf }))
      if ('lines' in part && part.isFile) names.push(/\/(i\d+)\//.exec(part.lines.join())?.[1] ?? '');
    expect(names).toEqual(files.map(({ ref }) => ref.itemId));
    expect(asked).toEqual([...new Set(names)]);
    expect(mostUnderWay).toBeGreaterThan(2);
    expect(mostUnderWay).toBeLessThanOrEqual(7);
  });

  it('are never handed over with a permission in their address, nor through the proxy to who would leak', async () => {
    const { proxyUrl, fileOf, write } = await openWorld();
    const secrets = [
      'https://b.example/f?X-Amz-Signature=abc&X-Amz-Expires=9',
      'https://b.example/f?access_token=abc',
      'https://me:abc@b.example/f',
      'https://b.example/f?sp=r&se=2026&sig=abc',
    ].map((href, index) => fileOf(`i${index}`, href));
    for (const tool of ['curl', 'aria2', 'rclone', 's5cmd'] as const) {
      const { text, left } = await write(tool, secrets);
      expect(left).toHaveLength(secrets.length);
      expect(text).not.toContain('abc');
    }
    for (const tool of ['aria2', 'rclone'] as const) {
      expect((await write(tool, [fileOf('i', proxyUrl)])).left).toEqual([
        `${tool} would send the token to the storage behind the proxy`,
      ]);
    }
  });

  it('from s3 go to s5cmd and rclone, each key as it is', async () => {
    const { folder, fileOf, write } = await openWorld();
    const file = fileOf('i', "s3://bucket/it's *.tif");
    const target = `'${folder}/c/2026/i/it'\\''s _.tif'`;
    expect((await write('s5cmd', [file])).text).toBe(
      `cp --raw --no-clobber 's3://bucket/it'\\''s *.tif' ${target}`,
    );
    expect((await write('rclone', [file])).text).toContain(
      `rclone copyto --ignore-existing -- ':s3,provider=AWS,env_auth=true:bucket/it'\\''s *.tif' ${target}`,
    );
    expect((await write('s5cmd', [fileOf('i', 's3://bucket/a\nrm s3://bucket/b')])).left).toHaveLength(1);
  });
});
