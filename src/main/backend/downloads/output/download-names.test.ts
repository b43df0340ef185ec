import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(3_000_000);
const folder = 's2/2024/scene';
const test = useDownloads(bytes);

describe('names', () => {
  it('keeps names from outside inside the destination', async () => {
    test.open({
      '../../up': test.asset('', { href: 'https://host.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd' }),
      local: test.asset('x', { members: { 'file:local_path': '../../../../evil.tif' } }),
      dots: test.asset('x', { href: 'https://host.example/..' }),
    });
    test.harness.resolveLink = (ref) =>
      Promise.resolve({
        link: { url: `${test.server.origin}/a`, kind: 'signed', expiresAtMs: null },
        href: ref.assetKey,
        mediaType: null,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      });
    const transfers = await test.harness.finish(await test.harness.start(['../../up', 'local', 'dots']));
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(test.harness.files().filter((path) => path.startsWith(`${folder}/`))).toHaveLength(5);
    for (const { filePath } of transfers)
      expect(filePath?.startsWith(join(test.harness.destination, folder))).toBe(true);
  });

  it('tells two assets of one name apart, on file systems that ignore case too', async () => {
    test.open({ a: test.asset('a/B04.bin'), b: test.asset('b/b04.BIN'), c: test.asset('c/B04.bin') });
    const transfers = await test.harness.finish(await test.harness.start(['a', 'b', 'c']));
    expect(transfers.every(({ state }) => state === 'done')).toBe(true);
    const names = test.harness.files().filter((path) => /b04/i.test(path));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  it('leaves the names of its own files to them', async () => {
    test.open({ meta: test.asset('item.json'), proof: test.asset('Receipt.JSON') });
    const transfers = await test.harness.finish(await test.harness.start(['meta', 'proof']));
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(test.harness.files()).toEqual(
      expect.arrayContaining([`${folder}/item (2).json`, `${folder}/Receipt (2).JSON`]),
    );
    expect(test.harness.readJson(`${folder}/item.json`)).toMatchObject({ id: 'scene' });
  });

  it('says what is in the way where a folder is needed', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const obstacle = join(test.harness.destination, 's2');
    writeFileSync(obstacle, 'my own');
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({
      state: 'failed',
      error: { code: 'transfer.destination-not-writable', details: { path: obstacle, reason: 'NO_FOLDER' } },
    });
    expect(test.harness.read('s2').toString()).toBe('my own');
  });

  it('tells of the file that the catalog has in place of the one that was ordered', async () => {
    test.open({ B04: test.asset('B04.bin', { mediaType: 'image/tiff' }) });
    const moved = { href: 'https://user:secret@host.example/new.bin?sig=secret', mediaType: 'image/x.new' };
    test.harness.resolveLink = () =>
      Promise.resolve({
        link: { url: `${test.server.origin}/a`, kind: 'signed', expiresAtMs: null },
        ...moved,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      });
    await test.harness.finish(await test.harness.start(['B04']));
    const source = 'https://host.example/new.bin';
    expect(test.harness.readJson(`${folder}/receipt.json`)).toMatchObject([{ asset: 'B04', source }]);
    expect(test.harness.readJson(`${folder}/item.json`)).toMatchObject({
      assets: { B04: { href: './B04.bin', type: 'image/x.new' } },
    });
  });

  it("never touches a file of somebody else's", async () => {
    test.open({ B04: test.asset('B04.bin') });
    mkdirSync(join(test.harness.destination, folder), { recursive: true });
    writeFileSync(join(test.harness.destination, folder, 'B04.bin'), 'my own');
    writeFileSync(join(test.harness.destination, 'catalog.json'), '{"id":"mine"}');
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(test.harness.destination, folder, 'B04 (2).bin'));
    expect(test.harness.read(`${folder}/B04.bin`).toString()).toBe('my own');
    expect(test.harness.read('catalog.json').toString()).toBe('{"id":"mine"}');
    expect(test.harness.readJson(`${folder}/item.json`)).toMatchObject({
      assets: { B04: { href: './B04 (2).bin' } },
    });
  });

  it('tells two Items apart whose names are one to some file systems', async () => {
    test.open({ B04: test.asset('B04.bin') });
    await test.harness.finish(await test.harness.start(['B04']));
    test.harness.item = { ...test.harness.item, id: 'SCENE' };
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(test.harness.destination, 's2/2024/SCENE (2)/B04.bin'));
    expect(test.harness.readJson('s2/2024/scene/item.json')).toMatchObject({ id: 'scene' });
    expect(test.harness.readJson('s2/2024/SCENE (2)/item.json')).toMatchObject({ id: 'SCENE' });
  });

  it('takes the next name when the own one is taken during the transfer', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.onSent = () => writeFileSync(join(test.harness.destination, folder, 'B04.bin'), 'quicker');
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.filePath).toBe(join(test.harness.destination, folder, 'B04 (2).bin'));
    expect(test.harness.read(`${folder}/B04.bin`).toString()).toBe('quicker');
    expect(test.harness.read(`${folder}/B04 (2).bin`).equals(bytes)).toBe(true);
  });

  it('does not fetch again what is there already, by checksum or by its own receipt', async () => {
    test.open({ B04: test.asset('B04.bin'), B05: test.asset('B05.bin', { checksum: null }) });
    await test.harness.finish(await test.harness.start(['B04', 'B05']));
    const requests = test.server.requests.length;
    const transfers = await test.harness.finish(await test.harness.start(['B04', 'B05']));
    expect(transfers.map(({ state, verification }) => [state, verification])).toEqual([
      ['done', 'checksum'],
      ['done', 'size-only'],
    ]);
    expect(test.server.requests.length).toBe(requests);
    expect(test.harness.files().filter((path) => path.endsWith('.bin'))).toHaveLength(2);
  });

  it('takes a file that is there for one asset, however many have its name and bytes', async () => {
    const asset = test.asset('same/B04.bin');
    test.open({ B04: asset, again: asset, once: asset });
    mkdirSync(join(test.harness.destination, folder), { recursive: true });
    writeFileSync(join(test.harness.destination, folder, 'B04.bin'), bytes);
    const transfers = await test.harness.finish(await test.harness.start(['B04', 'again', 'once']));
    expect(transfers.map(({ filePath }) => basename(filePath ?? '')).toSorted()).toEqual([
      'B04 (2).bin',
      'B04 (3).bin',
      'B04.bin',
    ]);
    expect(test.server.requests).toHaveLength(2);
  });

  it('goes through no link out of the destination', async () => {
    test.open({ B04: test.asset('B04.bin') });
    const outside = join(test.harness.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(test.harness.destination, 's2'));
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.error?.code).toBe('transfer.destination-not-writable');
    expect(existsSync(join(outside, '2024'))).toBe(false);
  });
});
