import { readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from './disk.ts';
import type { FileTrail } from './trailing-hash.ts';
import { usePartFile } from './testing/use-part-file.ts';

const { place, bytes, open, crcOf } = usePartFile();

async function writeWhole(): Promise<void> {
  const part = await open();
  for (let at = 0; at < 3500; at += 70) await part.append(bytes.subarray(at, Math.min(at + 70, 3500)));
  await part.checkpoint();
  await part.close();
}

describe('a part file', () => {
  it('journals what it synced, with the CRC of every chunk', async () => {
    await writeWhole();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3500));
    expect(place.journal).toEqual({
      durableBytes: 3500,
      islands: [],
      crcs: new Map([
        [0, crcOf(0, 1000)],
        [1, crcOf(1000, 2000)],
        [2, crcOf(2000, 3000)],
        [3, crcOf(3000, 3500)],
      ]),
    });
  });

  it('goes on after the end of the process where the journal says', async () => {
    await writeWhole();
    writeFileSync(place.path, Buffer.concat([bytes.subarray(0, 3500), Buffer.from('never synced')]));
    const part = await open();
    expect(part.prefixBytes).toBe(3500);
    await part.append(bytes.subarray(3500, 5200));
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 5200));
    expect(place.journal.crcs.get(3)).toBe(crcOf(3000, 4000));
    expect(place.journal.crcs.get(5)).toBe(crcOf(5000, 5200));
  });

  it('counts only what has no gap before it', async () => {
    const part = await open();
    expect(part.windowEndBytes).toBe(4000);
    await part.write(1000, bytes.subarray(1000, 1600));
    await part.write(3000, bytes.subarray(3000, 4000));
    await part.write(0, bytes.subarray(0, 700));
    await part.checkpoint();
    expect(part.prefixBytes).toBe(700);
    expect(place.journal.durableBytes).toBe(700);
    expect(part.takenUntil(1000)).toBe(1600);
    expect(part.takenUntil(2000)).toBe(2000);
    await part.write(700, bytes.subarray(700, 1000));
    expect(part.prefixBytes).toBe(1600);
    expect(part.windowEndBytes).toBe(5000);
    await part.write(1600, bytes.subarray(1600, 3000));
    await part.checkpoint();
    await part.close();
    expect(place.journal.durableBytes).toBe(4000);
    expect([...place.journal.crcs].sort()).toEqual(
      [0, 1, 2, 3].map((n) => [n, crcOf(n * 1000, n * 1000 + 1000)]),
    );
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 4000));
  });

  it('takes nothing beyond its window and nothing twice', async () => {
    const part = await open();
    expect(() => part.write(3500, bytes.subarray(0, 501))).toThrow('beyond the window');
    await part.append(bytes.subarray(0, 500));
    expect(() => part.write(499, bytes.subarray(0, 5))).toThrow('in place of others');
    await part.close();
  });

  it('drops the window with what is cut off', async () => {
    const part = await open();
    await part.append(bytes.subarray(0, 1800));
    await part.write(3000, bytes.subarray(3000, 3300));
    await part.checkpoint();
    await part.truncate(1500);
    expect(part.prefixBytes).toBe(1500);
    expect(statSync(place.path).size).toBe(1500);
    expect(place.journal).toEqual({
      durableBytes: 1500,
      islands: [],
      crcs: new Map([
        [0, crcOf(0, 1000)],
        [1, crcOf(1000, 1500)],
      ]),
    });
    await part.append(bytes.subarray(1500, 3300));
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3300));
  });

  it('checkpoints by amount, but at most twice a second, and by time', async () => {
    const part = await open();
    const give = async (from: number, to: number) => {
      await part.append(bytes.subarray(from, to));
      await part.countEqual(0, Buffer.alloc(0));
      await new Promise(setImmediate);
    };
    await give(0, 2500);
    await give(2500, 2600);
    expect(place.journal.durableBytes).toBe(0);
    place.time.advance(1000);
    await give(2600, 2700);
    await expect.poll(() => place.journal.durableBytes).toBeGreaterThanOrEqual(2600);
    place.time.advance(5000);
    await give(2700, 2710);
    await expect.poll(() => place.journal.durableBytes).toBe(2700);
    place.time.advance(5000);
    await give(2710, 2720);
    await expect.poll(() => place.journal.durableBytes).toBeGreaterThanOrEqual(2710);
    await part.close();
  });

  it('lets whoever gives wait while the disk is slow', async () => {
    const held: (() => void)[] = [];
    const part = await open({ disk: slowDisk(held) });
    const waits: (Promise<void> | null)[] = [];
    for (let at = 0; at < 1000; at += 100) waits.push(part.append(bytes.subarray(at, at + 100)));
    expect(waits.findIndex((wait) => wait !== null)).toBe(7);
    expect(held).toHaveLength(2);
    const timer = setInterval(() => held.splice(0).forEach((go) => go()), 1);
    await Promise.all(waits.filter((wait) => wait !== null));
    await part.checkpoint();
    clearInterval(timer);
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 1000));
  });

  it('lets whoever gives wait while more than a checkpoint and a second is not durable', async () => {
    const sync = Promise.withResolvers<undefined>();
    const part = await open({ syncInTurn: (work) => sync.promise.then(work) });
    await part.append(bytes.subarray(0, 2500));
    place.time.advance(1000);
    let hasRoom = false;
    const room = Promise.resolve(part.append(bytes.subarray(2500, 2600))).then(() => (hasRoom = true));
    await part.countEqual(0, Buffer.alloc(0));
    expect(hasRoom).toBe(false);
    expect(place.journal.durableBytes).toBe(0);
    sync.resolve(undefined);
    await room;
    expect(place.journal.durableBytes).toBeGreaterThan(600);
    await part.close();
  });

  it('goes on with the rest where the disk takes less than it was given', async () => {
    const disk = withFile((file) => ({
      ...file,
      write: (buffers, at) => file.write([(buffers[0] ?? Buffer.alloc(0)).subarray(0, 33)], at),
    }));
    const part = await open({ disk });
    await part.append(bytes.subarray(0, 1700));
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 1700));
    expect(place.journal.crcs.get(1)).toBe(crcOf(1000, 1700));
  });

  it('says that the disk is full, and keeps what came before', async () => {
    const disk = withFile((file) => ({
      ...file,
      write: (buffers, at) => (at >= 900 ? Promise.reject(errno('ENOSPC')) : file.write(buffers, at)),
    }));
    const part = await open({ disk });
    await part.append(bytes.subarray(0, 850));
    await part.checkpoint();
    await part.append(bytes.subarray(850, 900));
    const fill = async () => {
      for (let at = 900; ; at += 100) await part.append(bytes.subarray(at, at + 100));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'transfer.disk-full' });
    await expect(part.checkpoint()).rejects.toMatchObject({ code: 'transfer.disk-full' });
    await part.close();
    expect(place.journal.durableBytes).toBeGreaterThanOrEqual(850);
  });

  it('journals nothing after a sync that failed', async () => {
    let syncs = 0;
    const disk = withFile((file) => ({
      ...file,
      datasync: () => ((syncs += 1) === 1 ? Promise.reject(errno('EIO')) : file.datasync()),
    }));
    const part = await open({ disk });
    await part.append(bytes.subarray(0, 850));
    await expect(part.checkpoint()).rejects.toMatchObject({ code: 'transfer.disk-error' });
    await expect(part.checkpoint()).rejects.toMatchObject({ code: 'transfer.disk-error' });
    await part.close();
    expect(place.journal.durableBytes).toBe(0);
  });

  it('puts one chunk right', async () => {
    await writeWhole();
    const damaged = Buffer.from(readFileSync(place.path));
    damaged[1500] = 7;
    writeFileSync(place.path, damaged);
    const part = await open();
    expect(await part.replaceChunk(0, bytes.subarray(0, 1000))).toBe(false);
    expect(await part.replaceChunk(1, bytes.subarray(1000, 2000))).toBe(true);
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3500));
  });
});

describe('recovery of a part file', () => {
  const damage = (at: number) => {
    const content = Buffer.from(readFileSync(place.path));
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(place.path, content);
  };

  it.each([
    ['in the last chunk', 3200, 3000],
    ['in the one before', 2500, 2000],
  ])('goes back before a flipped bit %s', async (_, at, prefixBytes) => {
    await writeWhole();
    damage(at);
    const part = await open();
    expect(part.prefixBytes).toBe(prefixBytes);
    expect(place.journal.durableBytes).toBe(prefixBytes);
    await part.close();
  });

  it('reads everything once the end is bad', async () => {
    await writeWhole();
    damage(3200);
    damage(1500);
    const part = await open();
    expect(part.prefixBytes).toBe(1000);
    await part.close();
  });

  it('trusts only whole chunks of a file that has become shorter', async () => {
    await writeWhole();
    writeFileSync(place.path, bytes.subarray(0, 2700));
    const part = await open();
    expect(part.prefixBytes).toBe(2000);
    await part.append(bytes.subarray(2000, 3500));
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3500));
  });

  it('begins again where the file has become empty', async () => {
    await writeWhole();
    writeFileSync(place.path, '');
    const part = await open();
    expect(part.prefixBytes).toBe(0);
    expect(place.journal).toEqual({ durableBytes: 0, crcs: new Map(), islands: [] });
    await part.close();
  });

  it('journals no CRC of chunks that were written without, nor one of before', async () => {
    let needsCrcs = true;
    const part = await open({ needsCrcs: () => needsCrcs });
    await part.append(bytes.subarray(0, 1500));
    await part.checkpoint();
    expect([...place.journal.crcs]).toEqual([
      [0, crcOf(0, 1000)],
      [1, crcOf(1000, 1500)],
    ]);
    needsCrcs = false;
    await part.append(bytes.subarray(1500, 2600));
    await part.checkpoint();
    await part.close();
    expect([...place.journal.crcs]).toEqual([[0, crcOf(0, 1000)]]);
    // What has none is taken for good as it is, and goes on without.
    const again = await open({ needsCrcs: () => needsCrcs, isProvable: true });
    expect(again.prefixBytes).toBe(2600);
    await again.append(bytes.subarray(2600, 3000));
    await again.checkpoint();
    await again.close();
    expect([...place.journal.crcs.keys()]).toEqual([0]);
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3000));
  });

  it('relies on nothing without a CRC once the file can’t be proved any more', async () => {
    await writeWhole();
    place.journal.crcs.delete(1);
    const part = await open();
    expect(part.prefixBytes).toBe(1000);
    await part.close();
    expect(statSync(place.path).size).toBe(1000);
  });

  it('is never led elsewhere by a link', async () => {
    rmSync(place.path);
    writeFileSync(join(place.folder, 'other'), 'other');
    symlinkSync(join(place.folder, 'other'), place.path);
    await expect(open()).rejects.toMatchObject({ code: 'transfer.disk-error' });
    expect(readFileSync(join(place.folder, 'other'), 'utf8')).toBe('other');
  });
});

function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

type File = Awaited<ReturnType<Disk['open']>>;

function withFile(change: (file: File) => File): Disk {
  return { ...systemDisk, open: async (at, mode) => change(await systemDisk.open(at, mode)) };
}

function slowDisk(held: (() => void)[]): Disk {
  return withFile((file) => ({
    ...file,
    write: async (buffers, at) => {
      await new Promise<void>((resolve) => void held.push(resolve));
      return file.write(buffers, at);
    },
  }));
}

describe('the end of a part file that was followed', () => {
  /** Writes a file, lets something happen to it, and gives what whoever follows it was told then. */
  async function endAfter(happen: () => void): Promise<number[]> {
    const cuts: number[] = [];
    const trail: FileTrail = {
      hasBegun: true,
      take: () => null,
      reach: () => undefined,
      cut: (lengthBytes) => void cuts.push(lengthBytes),
    };
    const part = await open({ trail });
    await part.append(bytes);
    await part.checkpoint();
    happen();
    await part.close();
    return cuts;
  }

  it.each([
    ['nothing happened to it', () => undefined, []],
    [
      'another took its place',
      () => {
        rmSync(place.path);
        writeFileSync(place.path, bytes);
      },
      [0],
    ],
    ['it is gone', () => rmSync(place.path), [0]],
    ['it was cut off', () => truncateSync(place.path, 70), [0]],
    ['it was extended', () => writeFileSync(place.path, 'more', { flag: 'a' }), [0]],
  ])('says that it is void unless it is what was written: %s', async (_, happen, cuts) => {
    expect(await endAfter(happen)).toEqual(cuts);
  });
});
