import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import type { Fault } from '../testing/fault.ts';
import { useDownloads } from '../testing/use-downloads.ts';
import { partOf } from '../testing/files-in.ts';
import { systemDisk, type Disk } from './disk.ts';

const bytes = makeBytes(1_000_000);
const chunkBytes = 100_000;
const partSizes = { chunkBytes, windowChunks: 4, writeBytes: 50_000, mostWriteBytes: 100_000 };
const test = useDownloads(bytes);
const path = 's2/2024/scene/B04.bin';

/** The file with some bits the other way round. */
function damaged(...positions: number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const at of positions) copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

const ranges = () => test.server.requests.map(({ headers }) => headers.range ?? null);

describe('a file that was damaged on its way', () => {
  it('is put right by the chunk that is wrong, as far as it has to be looked for', async () => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = (index): Fault | undefined => (index === 0 ? { file: damaged(350_123) } : undefined);
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.read(path).equals(bytes)).toBe(true);
    expect(ranges()).toEqual([
      null,
      ...[0, 1, 2, 3].map((n) => `bytes=${n * chunkBytes}-${(n + 1) * chunkBytes - 1}`),
    ]);
  });

  it('is put right where two chunks are wrong', async () => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = (index) => (index === 0 ? { file: damaged(5, 999_999) } : undefined);
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(test.harness.read(path).equals(bytes)).toBe(true);
  });

  it('is not read as a whole after each chunk where most of them are wrong', async () => {
    let readBytes = 0;
    const countingDisk: Disk = {
      ...systemDisk,
      open: async (at, mode) => {
        const file = await systemDisk.open(at, mode);
        const read: typeof file.read = async (into, position) => {
          const count = await file.read(into, position);
          readBytes += count;
          return count;
        };
        return { ...file, read };
      },
    };
    test.open({ B04: test.asset('B04.bin') }, { partSizes, disk: countingDisk });
    const wrong = damaged(...Array.from({ length: 9 }, (_, chunk) => chunk * chunkBytes + 7));
    test.server.script = (index) => (index === 0 ? { file: wrong } : undefined);
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.read(path).equals(bytes)).toBe(true);
    // As it came, once more, after each of three, at the end; and each chunk against what is fetched.
    expect(readBytes).toBeLessThanOrEqual(8 * bytes.length);
  });

  it('is put right over a new link where the old one is over', async () => {
    const expired = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = (index) =>
      index === 0 ? { file: damaged(350_123) } : index === 1 ? { status: 403, body: expired } : undefined;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.resolved.filter(([, { isRenewal }]) => isRenewal)).toHaveLength(1);
  });

  it('has its server left alone by all for as long as that asks, and is put right then', async () => {
    test.open({ B04: test.asset('B04.bin'), B05: test.asset('B05.bin') }, { partSizes });
    const isBusy = { status: 429, headers: { 'retry-after': '120' } };
    test.server.script = (index) =>
      index === 0 ? { file: damaged(350_123) } : index === 2 ? isBusy : undefined;
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    const other = await test.harness.start(['B05']);
    expect(test.harness.downloads.status().pauses).toMatchObject([{ collectionId: 's2' }]);
    for (const id of [downloadId, other]) {
      const [transfer] = await test.harness.finish(id);
      expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    }
    expect(test.harness.read(path).equals(bytes)).toBe(true);
  });

  it('goes on looking after the network was away', async () => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = (index) =>
      index === 0 ? { file: damaged(350_123) } : index === 2 ? { cutAfterBytes: 40_000 } : undefined;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(test.harness.read(path).equals(bytes)).toBe(true);
  });
});

describe('a chunk that is fetched again', () => {
  const large = { ...partSizes, chunkBytes: 500_000 };

  it.each<[string, Fault]>([
    ['breaks off again and again', { cutAfterBytes: 200_000 }],
    ['gives no more than some of it at once', { mostBytes: 150_000 }],
  ])('comes from a server that %s', async (_, fault) => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes: large });
    test.server.script = (index) => (index === 0 ? { file: damaged(350_123) } : fault);
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(ranges().filter((range) => range === 'bytes=0-499999')).toHaveLength(1);
  });
});

it('a file whose size nobody has said comes whole after an answer that ended too early', async () => {
  test.open({ B04: test.asset('B04.bin', { sizeBytes: null }) }, { partSizes });
  test.server.script = (index) => ({
    lengthBy: 'closing',
    ignoresRange: true,
    ...(index === 0 ? { file: bytes.subarray(0, 500_000) } : {}),
  });
  const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
  expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
});

describe('a file that two servers have in turn, of which one has another', () => {
  const other = makeBytes(1_000_000, 2);
  const inTurn = (index: number): Fault => ({ file: index % 2 === 0 ? other : bytes, etag: '"same"' });

  it.each([
    ['broken off between them', (index: number) => (index === 0 ? { cutAfterBytes: 450_000 } : {})],
    ['begun with the wrong one', () => ({})],
    ['without ranges', () => ({ ignoresRange: true })],
  ])('comes whole from the right one, %s', async (_, more) => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = (index) => ({ ...inTurn(index), ...more(index) });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.read(path).equals(bytes)).toBe(true);
  });

  it('fails in the end where neither has the right one, and is not fetched without end', async () => {
    const wrong = checksumOf(Buffer.from('something else'));
    test.open({ B04: test.asset('B04.bin', { checksum: wrong }) }, { partSizes });
    test.server.script = inTurn;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.checksum-mismatch' } });
    expect(ranges().filter((range) => range === null)).toHaveLength(4);
    expect(test.harness.files()).toEqual([expect.stringMatching(/\.bad$/)]);
  });

  it('is fetched whole once more, and no more, where a server without ranges sends the same again', async () => {
    const wrong = checksumOf(Buffer.from('something else'));
    test.open({ B04: test.asset('B04.bin', { checksum: wrong }) }, { partSizes });
    test.server.script = () => ({ ignoresRange: true });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.checksum-mismatch' } });
    expect(ranges().filter((range) => range === null)).toHaveLength(2);
  });
});

describe('a file that the disk has damaged', () => {
  /** A disk that turns a bit around in what it was given. */
  function badDisk(position: number): Disk {
    let isDone = false;
    return {
      ...systemDisk,
      open: async (at, mode) => {
        const file = await systemDisk.open(at, mode);
        return {
          ...file,
          write: async (buffers, start) => {
            const all = Buffer.concat(buffers);
            if (!isDone && start <= position && position < start + all.length) {
              isDone = true;
              all[position - start] = (all[position - start] ?? 0) ^ 1;
            }
            return file.write([all], start);
          },
        };
      },
    };
  }

  it.each([
    ['with a checksum', true],
    ['without', false],
  ])('is fetched again only where it is damaged, %s', async (_, hasChecksum) => {
    const asset = hasChecksum ? {} : { checksum: null };
    test.open({ B04: test.asset('B04.bin', asset) }, { partSizes, disk: badDisk(650_000) });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(test.harness.read(path).equals(bytes)).toBe(true);
    expect(ranges()).toEqual([null, 'bytes=600000-699999']);
  });

  it('is fetched anew where its source has other bytes now, and no checksum would tell', async () => {
    test.open({ B04: test.asset('B04.bin', { checksum: null }) }, { partSizes, disk: badDisk(650_000) });
    const newer = makeBytes(1_000_000, 2);
    test.server.script = (index) => (index === 0 ? undefined : { file: newer, etag: '"v2"' });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
    expect(test.harness.read(path).equals(newer)).toBe(true);
  });

  it('is fetched again whole where it is small', async () => {
    test.open({ B04: test.asset('B04.bin') }, { disk: badDisk(650_000) });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.read(path).equals(bytes)).toBe(true);
    expect(ranges()).toEqual([null, 'bytes=0-999999']);
  });
});

it('a file without a byte is one where the catalog announces none', async () => {
  test.open({ B04: test.asset('B04.tif', { sizeBytes: 0, checksum: null, mediaType: 'image/tiff' }) });
  test.server.script = () => ({ file: Buffer.alloc(0) });
  const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
  expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
});

describe('a part file', () => {
  it('has a note beside it that says whose it is, without a link, until it has its name', async () => {
    const large = makeBytes(9_000_000);
    test.open({ B04: test.asset('B04.bin', { sizeBytes: large.length, checksum: checksumOf(large) }) });
    test.server.file = large;
    test.server.script = (index) => (index === 0 ? { stallAfterBytes: 3_000_000 } : undefined);
    const downloadId = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(
      downloadId,
      ({ receivedBytes }) => receivedBytes > 2_000_000,
    );
    await test.harness.downloads.pause(transferId);
    const note = JSON.parse(
      readFileSync(`${partOf(join(test.harness.destination, path))}.json`, 'utf8'),
    ) as unknown;
    expect(note).toEqual({
      connectionId: 'test',
      collectionId: 's2',
      itemId: 'scene',
      assetKey: 'B04',
      file: 'B04.bin',
      bytes: large.length,
      checksum: checksumOf(large),
      etag: '"v1"',
      swathVersion: '9.9.9',
    });
    await test.harness.downloads.resume(transferId);
    await test.harness.finish(downloadId);
    expect(readdirSync(join(test.harness.destination, 's2/2024/scene')).sort()).toEqual([
      'B04.bin',
      'item.json',
      'receipt.json',
    ]);
  });

  it('leaves no note where the file’s size was known only at its end', async () => {
    test.open({ B04: test.asset('B04.bin', { sizeBytes: null, checksum: null }) });
    test.server.script = () => ({ lengthBy: 'chunks' });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(readdirSync(join(test.harness.destination, 's2/2024/scene')).sort()).toEqual([
      'B04.bin',
      'item.json',
      'receipt.json',
    ]);
  });

  const changes: [string, (at: string) => void][] = [
    ['was cut by a person', (at) => truncateSync(at, 333_333)],
    ['was extended by a person', (at) => writeFileSync(at, 'more', { flag: 'a' })],
    ['was written into by a person', writeInto],
  ];
  const kinds = [
    ['of several chunks', partSizes],
    ['of one', {}],
  ] as const;

  it.each(changes.flatMap(([what, change]) => kinds.map(([kind, sizes]) => ({ what, change, kind, sizes }))))(
    '$kind that $what becomes the file all the same',
    async ({ change, sizes }) => {
      test.open({ B04: test.asset('B04.bin') }, { partSizes: sizes });
      test.server.script = (index) => (index === 0 ? { stallAfterBytes: 700_000 } : undefined);
      const { downloadId, transferId } = await test.harness.pauseAt(700_000);
      change(partOf(join(test.harness.destination, path)));
      await test.harness.downloads.resume(transferId);
      const [transfer] = await test.harness.finish(downloadId);
      expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
      expect(readFileSync(join(test.harness.destination, path)).equals(bytes)).toBe(true);
    },
  );

  it.each(kinds)('%s is not published with what another program adds to it at its end', async (_, sizes) => {
    let isDone = false;
    const lstat: Disk['lstat'] = async (at) => {
      const found = await systemDisk.lstat(at);
      if (isDone || !at.endsWith('.part') || found.sizeBytes < bytes.length) return found;
      isDone = true;
      writeFileSync(at, 'more', { flag: 'a' });
      return systemDisk.lstat(at);
    };
    test.open({ B04: test.asset('B04.bin') }, { partSizes: sizes, disk: { ...systemDisk, lstat } });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect([isDone, transfer?.state]).toEqual([true, 'done']);
    expect(test.harness.read(path).equals(bytes)).toBe(true);
  });

  function writeInto(at: string): void {
    const file = openSync(at, 'r+');
    writeSync(file, 'mine', 123_456);
    closeSync(file);
  }
});
